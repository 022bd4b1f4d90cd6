import { isCheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { ComparedGroup, ComparedSide, SideDescription } from '../../shared/model/comparison';
import { compareSides } from '../services/comparer/compareSides';
import { describeSide } from '../services/comparer/describeSide';
import { findGroup, findPair } from '../services/comparer/findPair';
import { measureDetail } from '../services/comparer/measureDetail';
import { measureRows, type RowResult } from '../services/comparer/measureRows';
import { createSideOpener } from '../services/comparer/openSide';
import { sliceGroup } from '../services/comparer/sliceGroup';
import { createValueDigests } from '../services/comparer/valueDigests';
import type { Services } from '../services/createServices';
import { checkpointFiles } from '../services/repositories/checkpointFiles';
import type { Handlers } from './handlers';

type CompareMethods = 'revision/resolve' | 'checkpoint/paths' | 'compare/open' | 'compare/numbers' | 'compare/detail' | 'side/slice';

/** Two versions or files side by side, and parts of one. */
export function compareHandlers(services: Services): Pick<Handlers, CompareMethods> {
  const { pool } = services;
  const opener = createSideOpener({ checkpoints: services.checkpoints, repository: (id) => services.repository(id) });
  return {
    'revision/resolve': async ({ repository, text }) => {
      try {
        return { commit: await services.repository(repository).git.resolve(text) };
      } catch (error) {
        // It names nothing; what a reader of the repository cannot resolve is said in words.
        if (isCheckpointError(error, 'not-found')) return { commit: null };
        throw error;
      }
    },
    'checkpoint/paths': async ({ repository, commit }, { signal }) => {
      const files = await checkpointFiles(services.repository(repository), commit, signal);
      return files.map(({ path }) => path);
    },
    'compare/open': async (input, { signal }) => {
      const sides = await opener.openBoth(input, signal);
      const [a, b, { groups, metadata, notes }] = await Promise.all([describeSide(sides.a), describeSide(sides.b), compareSides(sides, { pool, signal })]);
      return { a: copyDescription(a), b: copyDescription(b), groups: groups.map(copyGroup), metadata: [...metadata], notes: [...notes] };
    },
    'compare/numbers': async ({ pairs, rtol, atol, ...input }, { signal, onProgress }) => {
      const sides = await opener.openBoth(input, signal);
      const report = (done: number, total: number) => onProgress({ phase: 'Comparing values', done, total, unit: 'bytes' });
      const digests = createValueDigests(pool);
      const rows = await measureRows(sides, pairs, { pool, digests, tolerance: { rtol, atol }, closeness: true, signal, onProgress: report });
      return rows.map(copyRow);
    },
    'compare/detail': async ({ pair, rtol, atol, bins, largest, ...input }, { signal, onProgress }) => {
      const sides = await opener.openBoth(input, signal);
      const report = (done: number, total: number) => onProgress({ phase: 'Comparing values', done, total, unit: 'bytes' });
      return measureDetail(findPair(sides, pair), { pool, tolerance: { rtol, atol }, bins, largest, signal, onProgress: report });
    },
    'side/slice': async ({ side, group, view, maxRows, maxColumns }, { signal }) => {
      const opened = findGroup(await opener.open(side, signal), group);
      return sliceGroup(opened, { view, maxRows, maxColumns }, { pool, signal });
    },
  };
}

/** The contract's arrays are mutable. */
function copyDescription(description: SideDescription): Output<'compare/open'>['a'] {
  return { ...description };
}

function copyGroup({ a, b, change, renamedBy }: ComparedGroup): Output<'compare/open'>['groups'][number] {
  const copy = (side: ComparedSide) => ({ ...side, shape: [...side.shape] });
  return { a: a === null ? null : copy(a), b: b === null ? null : copy(b), change, renamedBy };
}

function copyRow({ row, error }: RowResult): Output<'compare/numbers'>[number] {
  if (row === null) return { numbers: null, closeness: null, structure: null, error };
  const { numbers, closeness, structure } = row;
  return {
    numbers: { ...numbers, shape: [...numbers.shape], maxAt: numbers.maxAt === null ? null : [...numbers.maxAt] },
    closeness: closeness === null ? null : { ...closeness },
    structure:
      structure === null
        ? null
        : {
            ...structure,
            spectrum: [...structure.spectrum],
            permutation: structure.permutation === null ? null : { ...structure.permutation, order: [...structure.permutation.order] },
            words: [...structure.words],
          },
    error: null,
  };
}
