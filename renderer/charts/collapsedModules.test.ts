import { expect, it } from 'vitest';
import type { ChangedGroup } from '../../shared/model/checkpoint';
import { applyChoices, closedAtFirst } from './collapsedModules';
import { visibleRows } from './nameTree';
import { buildModuleTree } from './treeRows';

const groups = (names: readonly string[]): ChangedGroup[] =>
  names.map((name) => ({
    change: 'unchanged',
    group: { name, dtype: 'float32', shape: [], bytes: 4, updateType: null, storedBytes: 4, oid: null, tiedTo: null, error: null },
  }));
const block = (name: string) => [`${name}.a.w`, `${name}.a.b`, `${name}.c.w`, `${name}.c.b`];

it('opens a short tree in full', () => {
  expect(closedAtFirst(buildModuleTree(groups(block('x'))))).toEqual(new Set());
});

it('opens the top of a long tree', () => {
  const tree = buildModuleTree(groups(['head.w', 'head.b', ...Array.from({ length: 100 }, (_, index) => block(`layers.${index}`)).flat()]));
  const shown = [...visibleRows(tree, closedAtFirst(tree))].map((index) => tree[index]?.label);
  expect(shown).toHaveLength(2 + 2 + 100);
  expect(shown.slice(0, 5)).toEqual(['head', 'b', 'w', 'layers', '0']);
});

it('closes everything when the top alone is long', () => {
  const tree = buildModuleTree(groups(Array.from({ length: 100 }, (_, index) => block(`layer${index}`)).flat()));
  expect(visibleRows(tree, closedAtFirst(tree))).toHaveLength(100);
});

it('keeps what the user opened and closed', () => {
  expect(
    applyChoices(
      new Set(['a', 'b']),
      new Map([
        ['a', true],
        ['c', false],
      ]),
    ),
  ).toEqual(new Set(['b', 'c']));
});
