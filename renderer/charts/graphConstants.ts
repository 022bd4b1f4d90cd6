import { type GraphView, NO_VALUE } from '../../shared/model/graph';
import type { GraphItem } from './graphScene';

/** A constant has no box where others use it: it is a line in theirs, like an initializer. The layout leaves out the same ones. */
export function isShownByUsers(view: GraphView, node: number): boolean {
  const { operator, outputStarts, outputs } = view.nodes;
  if (view.operators[operator[node] ?? -1] !== 'Constant') return false;
  const value = outputs[outputStarts[node] ?? 0] ?? NO_VALUE;
  const stored = view.initializers[view.values.initializer[value] ?? -1];
  return stored !== undefined && stored.uses > 0 && ((view.values.role[value] ?? 0) & 2) === 0;
}

/** What is drawn of an item: the item itself, or the first node that uses a constant without a box. */
export function drawnItem(view: GraphView, item: GraphItem): GraphItem {
  if (item.kind !== 'node' || !isShownByUsers(view, item.ref)) return item;
  const { inputs, inputStarts, outputStarts, outputs, names } = view.nodes;
  const value = outputs[outputStarts[item.ref] ?? 0] ?? NO_VALUE;
  const at = inputs.indexOf(value);
  if (at < 0) return item;
  let low = 0;
  let high = names.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((inputStarts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return { kind: 'node', ref: low };
}
