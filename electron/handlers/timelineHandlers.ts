import { CheckpointError } from '../../shared/contract/errors';
import type { TimelineScope } from '../../shared/contract/timelineRequests';
import { type CommitHash, headCommit } from '../../shared/model/commit';
import { parseCondition } from '../../shared/model/condition';
import type { Services } from '../services/createServices';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import { bisectGroup } from '../services/timeline/bisect';
import { blameGroup } from '../services/timeline/blame';
import { compareCells, measureCells } from '../services/timeline/measureCells';
import { timelineIndex } from '../services/timeline/timelines';
import type { HandlerContext, Handlers } from './handlers';

type TimelineMethods = 'timeline/index' | 'timeline/statistics' | 'timeline/differences' | 'timeline/blame' | 'timeline/bisect';

/** Elements of a window that blame answers for one by one. */
const MAX_WINDOW = 1024 * 1024;

/** One checkpoint through all its versions. */
export function timelineHandlers(services: Services): Pick<Handlers, TimelineMethods> {
  const cells = (repository: string, path: string, signal: AbortSignal) => ({
    repository: services.repository(repository),
    checkpoints: services.checkpoints,
    pool: services.pool,
    path,
    signal,
  });
  const indexOf = (repository: OpenedRepository, wanted: { path: string; scope: TimelineScope }, { signal, onProgress }: HandlerContext) => {
    const report = (done: number, total: number) => onProgress({ phase: 'Reading versions', done, total, unit: 'commits' });
    return timelineIndex(repository, wanted, { blobFiles: services.blobFiles, signal, onProgress: report });
  };
  return {
    'timeline/index': async ({ repository, path, scope }, context) => {
      const { columns, rows, changes, renames, omitted } = await indexOf(services.repository(repository), { path, scope }, context);
      return {
        // The contract's arrays are mutable.
        columns: columns.map((column) => ({ ...column, parents: [...column.parents] })),
        rows: rows.map((row) => ({ ...row, shape: [...row.shape] })),
        changes: { ...changes },
        renames: [...renames],
        omitted,
      };
    },
    'timeline/statistics': async ({ repository, path, cells: wanted, histogram }, { signal }) => [
      ...(await measureCells(cells(repository, path, signal), wanted, histogram)),
    ],
    'timeline/differences': async ({ repository, path, cells: wanted }, { signal }) =>
      (await compareCells(cells(repository, path, signal), wanted)).map(({ numbers, error }) => ({
        numbers: numbers === null ? null : { ...numbers, shape: [...numbers.shape], maxAt: numbers.maxAt === null ? null : [...numbers.maxAt] },
        error,
      })),
    'timeline/blame': async ({ repository, path, commit, group, window }, context) => {
      if (window !== null) checkWindow(window);
      const scope = { kind: 'commit', commit } as const;
      const index = await indexOf(services.repository(repository), { path, scope }, context);
      const { commits, ...blame } = await blameGroup(cells(repository, path, context.signal), index, { commit, group, window });
      return { ...blame, commits: [...commits] };
    },
    'timeline/bisect': async ({ repository, path, group, condition: text, scope }, context) => {
      const condition = parseCondition(text);
      if (typeof condition === 'string') throw new CheckpointError('invalid-request', condition);
      const opened = services.repository(repository);
      const tip = await tipOf(opened, scope);
      const index = await indexOf(opened, { path, scope: { kind: 'commit', commit: tip } }, context);
      const { tested, ...found } = await bisectGroup(cells(repository, path, context.signal), index, { tip, group, condition });
      return { ...found, tested: [...tested] };
    },
  };
}

/** First parents lead back from one commit: the one that is named, else HEAD. */
async function tipOf({ git }: OpenedRepository, scope: TimelineScope): Promise<CommitHash> {
  const tip = scope.kind === 'commit' ? scope.commit : headCommit(await git.head());
  if (tip === null) throw new CheckpointError('not-found', 'This repository has no commit yet.');
  return tip;
}

function checkWindow({ rows, columns }: { readonly rows: readonly [number, number]; readonly columns: readonly [number, number] }): void {
  const elements = (rows[1] - rows[0]) * (columns[1] - columns[0]);
  if (rows[1] < rows[0] || columns[1] < columns[0] || elements > MAX_WINDOW)
    throw new CheckpointError('invalid-request', `A window has at most ${MAX_WINDOW} elements, and ends after its start.`);
}
