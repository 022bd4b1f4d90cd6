import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import { CHANGE_KINDS, type ChangeKind, type CommitChange } from '../../shared/model/checkpoint';

export interface BarSegment {
  readonly kind: ChangeKind;
  readonly groups: number;
  readonly bytes: number;
  /** Pixels from the start of the bar. */
  readonly start: number;
  readonly width: number;
}

export interface BarSize {
  /** Pixels of a bar that stores `reference` bytes or more. */
  readonly width: number;
  /** Bytes of the whole checkpoint. */
  readonly reference: number;
}

/** A segment never gets thinner: a change of a few bytes is a change. */
const THINNEST = 3;
const GAP = 1;
/** Below this all bars are about the same length. */
const SMALLEST_SCALE = 256;

export const BAR_SCALE_NOTE =
  'Length: bytes that the commit stored, on a logarithmic scale up to the full size of the checkpoint. Parts: kinds of change, by the square root of their bytes.';

/**
 * The bar beside a commit. An update may be a millionth of the checkpoint, so its length grows with the logarithm of the stored bytes; inside
 * it each kind takes a share by the square root of its bytes, so that a small one stays visible beside a large one.
 */
export function layoutChangeBar(change: CommitChange, { width, reference }: BarSize): BarSegment[] {
  const present = CHANGE_KINDS.flatMap((kind) => {
    const tally = change.tallies[kind];
    return tally === undefined ? [] : [{ kind, groups: tally.groups, bytes: tally.bytes }];
  });
  if (present.length === 0) return [];
  const gaps = GAP * (present.length - 1);
  const total = present.reduce((sum, part) => sum + part.bytes, 0);
  const scale = Math.log1p(Math.max(reference, SMALLEST_SCALE) / SMALLEST_SCALE);
  const fraction = Math.min(1, Math.log1p(total / SMALLEST_SCALE) / scale);
  const least = present.length * THINNEST + gaps;
  const length = Math.max(least, Math.min(width, fraction * width));
  const roots = present.reduce((sum, part) => sum + Math.sqrt(part.bytes), 0);
  const shared = length - least;
  let start = 0;
  return present.map((part) => {
    const segment = { ...part, start, width: THINNEST + (roots === 0 ? shared / present.length : (shared * Math.sqrt(part.bytes)) / roots) };
    start += segment.width + GAP;
    return segment;
  });
}

const WORDS: { readonly [K in ChangeKind]: string } = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  dense: 'dense',
  sparse: 'sparse',
  'sparse-values': 'sparse values',
  'low-rank': 'low-rank',
  ia3: 'IA³',
  other: 'of another update type',
  replaced: 'replaced',
};

/** The bar in words: `3 groups sparse, 12.3 kB; 15 unchanged`. */
export function describeChange(change: CommitChange): string {
  if (change.error !== null) return change.error.message;
  const parts = CHANGE_KINDS.flatMap((kind) => {
    const tally = change.tallies[kind];
    if (tally === undefined) return [];
    // The groups of a plain file are not counted; it may have become empty.
    if (tally.groups === 0) return [`File ${WORDS[kind]}, ${formatBytes(tally.bytes)}`];
    const groups = `${formatCount(tally.groups)} ${tally.groups === 1 ? 'group' : 'groups'} ${WORDS[kind]}`;
    // A new name for an object that is there already stores nothing.
    return [kind === 'renamed' && tally.bytes === 0 ? groups : `${groups}, ${formatBytes(tally.bytes)}`];
  });
  if (!change.present) return parts.length === 0 ? 'Not in this commit' : parts.join('; ');
  if (change.unchanged > 0) parts.push(`${formatCount(change.unchanged)} unchanged`);
  return parts.length === 0 ? 'Unchanged' : parts.join('; ');
}
