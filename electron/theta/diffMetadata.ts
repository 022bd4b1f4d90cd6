import { type EqualPair, withoutPairs } from '../../shared/model/pairEqual';
import { findRenames } from './findRenames';
import type { ThetaEntry, ThetaMetadata } from './metadata';

export interface MetadataDiff {
  readonly added: readonly ThetaEntry[];
  readonly removed: readonly ThetaEntry[];
  readonly modified: readonly ThetaEntry[];
  /** Groups that kept their value under another name: `a` before, `b` now. Not among the added and removed. */
  readonly renamed: readonly EqualPair<ThetaEntry>[];
  readonly unchanged: readonly ThetaEntry[];
}

/**
 * What happened between two metadata files, from metadata alone. git-theta keeps the whole old entry when it judges a group unchanged,
 * so an entry is unchanged exactly when its object, update type, base, shape and dtype are.
 */
export function diffMetadata(before: ThetaMetadata | null, after: ThetaMetadata | null): MetadataDiff {
  const added: ThetaEntry[] = [];
  const modified: ThetaEntry[] = [];
  const unchanged: ThetaEntry[] = [];
  for (const entry of after?.entries.values() ?? []) {
    const old = before?.entries.get(entry.name);
    if (old === undefined) added.push(entry);
    else (sameEntry(old, entry) ? unchanged : modified).push(entry);
  }
  const removed = [...(before?.entries.values() ?? [])].filter((entry) => after?.entries.has(entry.name) !== true);
  const renamed = findRenames(removed, added);
  if (renamed.length === 0) return { added, removed, modified, renamed, unchanged };
  const { a, b } = withoutPairs({ a: removed, b: added }, renamed);
  return { added: b, removed: a, modified, renamed, unchanged };
}

export function sameEntry(a: ThetaEntry, b: ThetaEntry): boolean {
  return (
    a.oid === b.oid &&
    a.updateType === b.updateType &&
    // Nothing reads the base of a dense entry: a merge may rewrite it without changing the value.
    (a.updateType === 'dense' || a.lastCommit === b.lastCommit) &&
    a.dtype === b.dtype &&
    a.shape.length === b.shape.length &&
    a.shape.every((extent, axis) => extent === b.shape[axis])
  );
}
