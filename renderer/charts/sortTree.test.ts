import { describe, expect, it } from 'vitest';
import type { ChangedGroup } from '../../shared/model/checkpoint';
import { sortTree, weighTree } from './sortTree';
import { buildModuleTree } from './treeRows';

const group = (name: string): ChangedGroup => ({
  change: 'unchanged',
  group: { name, dtype: 'float32', shape: [1], bytes: 4, updateType: null, storedBytes: 0, oid: null, tiedTo: null, error: null },
});
const WEIGHTS = new Map([
  ['a.x', 1],
  ['a.y', 5],
  ['b.p.1', 4],
  ['b.p.2', 3],
  ['b.q', 9],
  ['c', 7],
]);
const tree = buildModuleTree([...WEIGHTS.keys()].map(group));
const weightOf = (at: number) => {
  const row = tree[at];
  return row?.kind === 'group' ? (WEIGHTS.get(row.entry.group.name) ?? 0) : 0;
};
const labels = (rows: typeof tree) => rows.map((row) => `${' '.repeat(row.depth)}${row.label}`);

describe('sortTree', () => {
  it('puts the heaviest siblings first and keeps modules together', () => {
    const sorted = sortTree(tree, weighTree(tree, weightOf, 'sum'));
    expect(labels(sorted)).toEqual(['b', ' q', ' p', '  1', '  2', 'c', 'a', ' y', ' x']);
    expect(sorted.map((row) => (row.kind === 'module' ? row.end : null))).toEqual([5, null, 5, null, null, null, 9, null, null]);
  });

  it('weighs a module by its greatest group where that is asked for', () => {
    const sorted = sortTree(tree, weighTree(tree, weightOf, 'max'));
    expect(labels(sorted)).toEqual(['b', ' q', ' p', '  1', '  2', 'c', 'a', ' y', ' x']);
    expect(weighTree(tree, weightOf, 'max')[0]).toBe(5);
    expect(weighTree(tree, weightOf, 'sum')[0]).toBe(6);
  });

  it('keeps the order of equal weights, and takes an empty tree', () => {
    expect(sortTree(tree, new Float64Array(tree.length))).toEqual(tree);
    expect(sortTree([], new Float64Array())).toEqual([]);
  });
});
