import { isCommitHash } from '../../../shared/model/commit';
import type { PairNumbers } from '../../../shared/model/pairNumbers';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { TIMELINE_KINDS, type TimelineColumn, type TimelineIndex, type TimelineKind } from '../../../shared/model/timeline';

interface TimelineSample {
  readonly rows: readonly string[];
  /** What each commit did, by name of the group; a line of commits unless `parents` says otherwise. */
  readonly columns: readonly Readonly<Record<string, TimelineKind>>[];
  readonly parents?: readonly (readonly number[])[];
  /** Column, former name, new name. */
  readonly renames?: readonly (readonly [column: number, from: string, to: string])[];
}

/** Hash of a column's commit. */
function commitOf(column: number): TimelineColumn['commit'] {
  const hash = (1000 + column).toString(16).padStart(40, '0');
  if (!isCommitHash(hash)) throw new RangeError(`No hash for ${column}`);
  return hash;
}

/** A timeline from what its commits did; every entry has a content of its own and 10 stored bytes. */
export function timelineOf({ rows, columns, parents, renames = [] }: TimelineSample): TimelineIndex {
  const starts = new Uint32Array(columns.length + 1);
  const entries: { readonly row: number; readonly kind: TimelineKind }[] = [];
  columns.forEach((changes, column) => {
    for (const [row, name] of rows.entries()) {
      const kind = changes[name];
      if (kind !== undefined) entries.push({ row, kind });
    }
    starts[column + 1] = entries.length;
  });
  return {
    columns: columns.map(
      (changes, column): TimelineColumn => ({
        commit: commitOf(column),
        parents: parents?.[column] ?? (column === 0 ? [] : [column - 1]),
        title: `Commit ${column}`,
        author: 'Ada',
        time: 1_700_000_000 + column * 3600,
        storage: 'theta',
        touched: Object.keys(changes).length > 0,
        error: null,
      }),
    ),
    rows: rows.map((name) => ({ name, dtype: 'float32', shape: [4], bytes: 16 })),
    changes: {
      starts,
      rows: Uint32Array.from(entries, (entry) => entry.row),
      kinds: Uint8Array.from(entries, (entry) => TIMELINE_KINDS.indexOf(entry.kind)),
      contents: Uint32Array.from(entries, (entry, place) => (entry.kind === 'removed' ? 0 : place + 1)),
      storedBytes: new Float64Array(entries.length).fill(10),
    },
    renames: renames.map(([column, from, to]) => ({ column, from: rows.indexOf(from), to: rows.indexOf(to) })),
    omitted: 0,
  };
}

export function statsOf(rest: Partial<TensorStats> = {}): TensorStats {
  return {
    count: 4,
    finite: 4,
    nan: 0,
    positiveInfinity: 0,
    negativeInfinity: 0,
    zeros: 0,
    min: -1,
    max: 1,
    mean: 0,
    std: 1,
    l1: 2,
    norm: 2,
    subnormals: 0,
    distinct: { count: 4, exact: true },
    exact: null,
    ...rest,
  };
}

export function differenceOf(rest: Partial<PairNumbers> = {}): PairNumbers {
  return {
    comparedAs: 'float32',
    shape: [4],
    elements: 4,
    changed: 1,
    beyond: 1,
    rtol: 0,
    atol: 0,
    notFinite: 0,
    signFlips: 0,
    maxAbs: 0.5,
    maxAt: [0],
    maxRelative: 0.5,
    meanAbs: 0.1,
    rms: 0.25,
    norm: 0.5,
    relativeL2: 0.25,
    cosine: 0.9,
    maxUlp: 10,
    ...rest,
  };
}
