import type { ModuleTree, TreeRow } from './treeRows';

/**
 * The same tree with the children of every module in another order: largest weight first, equal ones as they were.
 * @param weights one number for each row of the tree, modules included
 */
export function sortTree(tree: ModuleTree, weights: Float64Array): ModuleTree {
  const rows: TreeRow[] = [];
  const stack = childrenOf(tree, { from: 0, to: tree.length, weights });
  const open: { readonly at: number; readonly end: number }[] = [];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const row = tree[at];
    if (row === undefined) continue;
    rows.push(row);
    if (row.kind !== 'module') continue;
    // The rows of a module stay together, so that it ends as far behind itself as before.
    open.push({ at: rows.length - 1, end: rows.length - 1 + (row.end - at) });
    for (const child of childrenOf(tree, { from: at + 1, to: row.end, weights })) stack.push(child);
  }
  for (const { at, end } of open) {
    const row = rows[at];
    if (row?.kind === 'module') rows[at] = { ...row, end };
  }
  return rows;
}

/** Direct children, the last one to be shown first: a stack gives them back in order. */
function childrenOf(tree: ModuleTree, { from, to, weights }: { readonly from: number; readonly to: number; readonly weights: Float64Array }): number[] {
  const children: number[] = [];
  for (let at = from; at < to; ) {
    const row = tree[at];
    if (row === undefined) break;
    children.push(at);
    at = row.kind === 'module' ? row.end : at + 1;
  }
  return children.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b).reverse();
}

/** Weights of modules from those of their groups: the sum, or the greatest. */
export function weighTree(tree: ModuleTree, weightOf: (at: number) => number, join: 'sum' | 'max'): Float64Array<ArrayBuffer> {
  const weights = new Float64Array(tree.length);
  const above: { readonly at: number; readonly end: number }[] = [];
  tree.forEach((row, at) => {
    while (above.length > 0 && (above.at(-1)?.end ?? 0) <= at) above.pop();
    if (row.kind === 'module') {
      weights[at] = join === 'sum' ? 0 : Number.NEGATIVE_INFINITY;
      above.push({ at, end: row.end });
      return;
    }
    const weight = weightOf(at);
    weights[at] = weight;
    for (const module of above) {
      const before = weights[module.at] ?? 0;
      weights[module.at] = join === 'sum' ? before + weight : Math.max(before, weight);
    }
  });
  return weights;
}
