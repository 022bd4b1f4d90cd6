import type { ComparedSide } from '../../shared/model/comparison';
import type { SideComparison } from '../services/comparer/compareSides';
import type { MeasuredRow } from '../services/comparer/measureRow';
import type { ComparisonRow } from './comparisonRow';

/** The document of `theta compare --json`. Infinite numbers, which JSON does not have, are `null`. */
export function comparisonJson(rows: readonly ComparisonRow[], { metadata, notes }: SideComparison) {
  const of = (change: ComparisonRow['change']) => rows.filter((row) => row.change === change);
  return {
    added: of('added').flatMap(({ group }) => (group.b === null ? [] : [sideJson(group.b)])),
    removed: of('removed').flatMap(({ group }) => (group.a === null ? [] : [sideJson(group.a)])),
    renamed: of('renamed').flatMap((row) => {
      const { a, b, renamedBy } = row.group;
      return a === null || b === null ? [] : [{ ...rowJson(row, a, b), renamed_from: a.name, renamed_by: renamedBy }];
    }),
    modified: of('modified').flatMap((row) => {
      const { a, b } = row.group;
      return a === null || b === null ? [] : [rowJson(row, a, b)];
    }),
    unchanged: of('unchanged').length,
    failed: rows.flatMap(({ group, error }) => (error === null ? [] : [{ name: group.b?.name ?? group.a?.name ?? '', error }])),
    metadata,
    notes,
  };
}

function sideJson({ name, dtype, shape, bytes, tiedTo }: ComparedSide) {
  return { name, dtype, shape, bytes, ...(tiedTo === null ? {} : { tied_to: tiedTo }) };
}

function rowJson({ measured }: ComparisonRow, a: ComparedSide, b: ComparedSide) {
  return {
    ...sideJson(b),
    ...(a.dtype === b.dtype ? {} : { dtype_before: a.dtype }),
    ...(JSON.stringify(a.shape) === JSON.stringify(b.shape) ? {} : { shape_before: a.shape }),
    ...(measured === null ? {} : numbersJson(measured)),
  };
}

function numbersJson({ numbers, structure }: MeasuredRow) {
  return {
    max_abs: numbers.maxAbs,
    mean_abs: numbers.meanAbs,
    relative_l2: numbers.relativeL2,
    cosine: numbers.cosine,
    changed_share: numbers.elements === 0 ? 0 : numbers.changed / numbers.elements,
    rank: structure?.rank ?? null,
    rank_is_at_least: structure?.rankIsAtLeast ?? false,
    elements: numbers.elements,
    changed: numbers.changed,
    beyond: numbers.beyond,
    rms: numbers.rms,
    norm: numbers.norm,
    max_at: numbers.maxAt,
    max_relative: numbers.maxRelative,
    max_ulp: numbers.maxUlp,
    sign_flips: numbers.signFlips,
    not_finite: numbers.notFinite,
    compared_as: numbers.comparedAs,
    spectrum: structure?.spectrum ?? [],
    scaling: structure?.scaling ?? null,
    permutation: structure?.permutation ?? null,
    words: structure?.words ?? [],
  };
}
