import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { graphIndex } from './graphIndex';

/** A value that more boxes use is not drawn as edges: masks, position tables, rotary caches. */
export const MAX_CONSUMERS = 8;

/**
 * Whether a value that comes into a group from outside is used by so many boxes in a drawing around it that it is no edge there. Then it is
 * none inside either: the name stands beside those who use it, and no edge must be followed through frames.
 */
export function isSharedAround(view: GraphView, group: number, value: number): boolean {
  const { consumerStarts, consumers, place, start, end } = graphIndex(view);
  const producer = view.values.producer[value] ?? NO_VALUE;
  for (let outer = view.groups[group]?.parent ?? -1; outer >= 0; outer = view.groups[outer]?.parent ?? -1) {
    const boxes = new Set<number>();
    for (let i = consumerStarts[value] ?? 0; i < (consumerStarts[value + 1] ?? 0); i++) {
      const node = consumers[i] ?? 0;
      if ((place[node] ?? 0) < (start[outer] ?? 0) || (place[node] ?? 0) >= (end[outer] ?? 0)) continue;
      boxes.add(boxWithin(view, outer, node));
      if (boxes.size > MAX_CONSUMERS) return true;
    }
    // Where the value is made, the edges begin.
    const at = producer === NO_VALUE ? -1 : (place[producer] ?? 0);
    if (at >= (start[outer] ?? 0) && at < (end[outer] ?? 0)) return false;
  }
  return false;
}

/** The group or (as a negative number) node directly in `outer` that holds a node. */
function boxWithin({ groups, nodes }: GraphView, outer: number, node: number): number {
  let box = -1 - node;
  for (let group = nodes.group[node] ?? 0; group !== outer && group >= 0; group = groups[group]?.parent ?? -1) box = group;
  return box;
}
