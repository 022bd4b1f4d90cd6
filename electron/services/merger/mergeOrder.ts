import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import { compareKeys } from '../../theta/compareKeys';
import type { ThetaEntry } from '../../theta/metadata';

export interface OrdersToMerge {
  readonly base: CheckpointFacts | null;
  readonly ours: CheckpointFacts | null;
  readonly theirs: CheckpointFacts | null;
  /** The merged groups. */
  readonly entries: readonly ThetaEntry[];
}

/**
 * The merged groups in the order of a file: that of the side which changed it, ours when both did. A group that this side lacks follows the one
 * that it follows on the other side.
 */
export function mergeOrder({ base, ours, theirs, entries }: OrdersToMerge): readonly ThetaEntry[] {
  const sorted = entries.toSorted((a, b) => compareKeys(a.keys, b.keys));
  const [own, other] = textOf(base?.order) === textOf(ours?.order) ? [theirs, ours] : [ours, theirs];
  const listed = inOrder(own?.order, sorted);
  const known = new Set(listed);
  const following = new Map<ThetaEntry | null, ThetaEntry[]>();
  let before: ThetaEntry | null = null;
  for (const entry of new Set([...inOrder(other?.order, sorted), ...sorted])) {
    if (known.has(entry)) before = entry;
    else following.set(before, [...(following.get(before) ?? []), entry]);
  }
  return [...(following.get(null) ?? []), ...listed.flatMap((entry) => [entry, ...(following.get(entry) ?? [])])];
}

/** Whether a file of which these facts are told has the groups in this order. */
export function isInOrder({ order }: CheckpointFacts, groups: readonly ThetaEntry[]): boolean {
  const sorted = groups.toSorted((a, b) => compareKeys(a.keys, b.keys));
  const own = inOrder(order, sorted);
  return groups.every((group, index) => group === own[index]);
}

type Order = CheckpointFacts['order'];

function textOf(order: Order): string {
  return JSON.stringify(order ?? null);
}

/** The groups that an order names; no order is the sorted one, of all. */
function inOrder(order: Order, sorted: readonly ThetaEntry[]): readonly ThetaEntry[] {
  if (order === undefined) return sorted;
  const byKeys = new Map(sorted.map((entry) => [JSON.stringify(entry.keys), entry]));
  return order.flatMap((keys) => byKeys.get(JSON.stringify(keys)) ?? []);
}
