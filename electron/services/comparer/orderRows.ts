import type { ComparedGroup, ComparedSide } from '../../../shared/model/comparison';
import type { OpenedGroup } from '../checkpoints/openedCheckpoint';
import type { ComparedSides } from './comparedCheckpoint';
import type { Found } from './matchContents';
import type { NamePairs } from './pairNames';

/** Every group of both sides, in one of these. */
export interface Matched extends NamePairs {
  readonly renamed: readonly (Found & { readonly by: 'content' | 'likeness' })[];
}

/** Rows in the order of `b`'s groups, each removed one behind the group that it follows in `a`. */
export function orderRows({ a, b }: ComparedSides, { pairs, renamed, onlyA }: Matched): ComparedGroup[] {
  const rows = new Map<OpenedGroup, ComparedGroup>();
  for (const pair of pairs) rows.set(pair.b, row(pair, pair.change, null));
  for (const pair of renamed) rows.set(pair.b, row(pair, 'renamed', pair.by));
  const partner = new Map([...pairs, ...renamed].map((pair) => [pair.a, pair.b]));
  const gone = new Set(onlyA);
  const behind = new Map<OpenedGroup | null, OpenedGroup[]>();
  let anchor: OpenedGroup | null = null;
  for (const old of a.opened.groups.values()) {
    if (!gone.has(old)) anchor = partner.get(old) ?? anchor;
    else if (behind.get(anchor)?.push(old) === undefined) behind.set(anchor, [old]);
  }
  const removed = (group: OpenedGroup | null) => (behind.get(group) ?? []).map((old) => row({ a: old, b: null }, 'removed', null));
  const ordered = removed(null);
  for (const now of b.opened.groups.values()) ordered.push(rows.get(now) ?? row({ a: null, b: now }, 'added', null), ...removed(now));
  return ordered;
}

function row(
  pair: { readonly a: OpenedGroup | null; readonly b: OpenedGroup | null },
  change: ComparedGroup['change'],
  by: ComparedGroup['renamedBy'],
): ComparedGroup {
  return { a: pair.a === null ? null : comparedSide(pair.a), b: pair.b === null ? null : comparedSide(pair.b), change, renamedBy: by };
}

function comparedSide({ group }: OpenedGroup): ComparedSide {
  const { name, dtype, shape, bytes, updateType, tiedTo, error } = group;
  return { name, dtype, shape, bytes, updateType, tiedTo, error };
}
