import { describe, expect, it } from 'vitest';
import type { ChangedGroup, GroupChange } from '../../shared/model/checkpoint';
import { parentRow, splitName, visibleRows } from './nameTree';
import { buildModuleTree, sumGroups, type TreeRow } from './treeRows';

function group(name: string, { change = 'unchanged' as GroupChange, bytes = 4, storedBytes = 2 } = {}): ChangedGroup {
  return { change, group: { name, dtype: 'float32', shape: [1], bytes, updateType: 'dense', storedBytes, oid: null, tiedTo: null, error: null } };
}

const draw = (tree: readonly TreeRow[]) => tree.map((row) => `${'  '.repeat(row.depth)}${row.label}${row.kind === 'module' ? '/' : ''}`);

describe('splitName', () => {
  it.each<[string, string[]]>([
    ['encoder.body.conv.weight', ['encoder', 'body', 'conv', 'weight']],
    ['params/Dense_0/kernel', ['params', 'Dense_0', 'kernel']],
    ['model/encoder.weight', ['model', 'encoder', 'weight']],
    ['weight', ['weight']],
    ['', ['']],
    ['.', ['.']],
    ['..', ['..']],
    ['.hidden', ['.hidden']],
    ['a..b', ['a.', 'b']],
    ['a.', ['a.']],
    ['/a/b/', ['/a', 'b/']],
    ['__proto__.constructor', ['__proto__', 'constructor']],
  ])('%j', (name, parts) => {
    expect(splitName(name)).toEqual(parts);
  });

  it('does not go deeper than anybody can read', () => {
    const parts = splitName(Array(10_000).fill('a').join('.'));
    expect(parts).toHaveLength(24);
    expect(parts.at(-1)).toMatch(/^a(\.a)+$/);
  });
});

describe('buildModuleTree', () => {
  it('nests modules, in natural order, groups among them', () => {
    const names = ['layers.10.weight', 'layers.10.bias', 'layers.2.weight', 'layers.2.bias', 'head', 'embed.weight', 'embed.bias'];
    expect(draw(buildModuleTree(names.map((name) => group(name))))).toEqual([
      'embed/',
      '  bias',
      '  weight',
      'head',
      'layers/',
      '  2/',
      '    bias',
      '    weight',
      '  10/',
      '    bias',
      '    weight',
    ]);
  });

  it('merges chains of single children, down to a single group', () => {
    const names = ['encoder.body.conv.weight', 'encoder.body.conv.bias', 'encoder.body.norm.weight', 'scale.weight'];
    expect(draw(buildModuleTree(names.map((name) => group(name))))).toEqual([
      'encoder.body/',
      '  conv/',
      '    bias',
      '    weight',
      '  norm.weight',
      'scale.weight',
    ]);
  });

  it('writes merged parts as the names have them', () => {
    const names = ['params/encoder/layers.0.weight', 'params/encoder/layers.0.bias', 'optimizer.state/exp_avg'];
    expect(draw(buildModuleTree(names.map((name) => group(name))))).toEqual(['optimizer.state/exp_avg', 'params/encoder/layers.0/', '  bias', '  weight']);
  });

  it('keeps a group apart from a module of the same name, and names that part alike', () => {
    const names = ['a', 'a.b', 'a/b', 'a.c'];
    const tree = buildModuleTree(names.map((name) => group(name)));
    expect(draw(tree)).toEqual(['a', 'a/', '  b', '  b', '  c']);
    expect(tree.flatMap((row) => (row.kind === 'group' ? [row.entry.group.name] : []))).toEqual(names);
    expect(new Set(tree.map((row) => row.id)).size).toBe(tree.length);
  });

  it('rolls up groups, bytes and changes; removed groups count only as removed', () => {
    const tree = buildModuleTree([
      group('m.a', { change: 'modified', bytes: 100, storedBytes: 10 }),
      group('m.n.b', { change: 'added', bytes: 20, storedBytes: 20 }),
      group('m.n.c', { change: 'removed', bytes: 7, storedBytes: 7 }),
    ]);
    expect(tree[0]).toMatchObject({
      label: 'm',
      end: 5,
      totals: { groups: 2, bytes: 120, storedBytes: 30, changes: { added: 1, removed: 1, modified: 1, unchanged: 0 } },
    });
    expect(sumGroups([])).toMatchObject({ groups: 0, bytes: 0 });
  });

  it.each([[[]], [['']], [['__proto__', '__proto__.x', 'constructor.prototype']]])('takes the names %j', (names) => {
    const tree = buildModuleTree(names.map((name) => group(name)));
    expect(tree.filter((row) => row.kind === 'group')).toHaveLength(names.length);
  });

  it('has every group exactly once in 40,000', () => {
    const names = Array.from({ length: 40_000 }, (_, index) => `model.layers.${index % 400}.experts.${Math.floor(index / 400)}.w`);
    const tree = buildModuleTree(names.map((name) => group(name)));
    expect(new Set(tree.flatMap((row) => (row.kind === 'group' ? [row.entry.group.name] : []))).size).toBe(40_000);
    expect(tree[0]).toMatchObject({ label: 'model.layers', totals: { groups: 40_000 }, end: tree.length });
  });

  it('takes names that nest ever deeper', () => {
    const deep = Array.from({ length: 300 }, (_, index) => group(`${'x.'.repeat(index)}w`));
    expect(buildModuleTree(deep).filter((row) => row.kind === 'group')).toHaveLength(300);
  });
});

describe('visibleRows', () => {
  const tree = buildModuleTree(['a.x.1', 'a.x.2', 'a.y', 'b.1', 'b.2', 'c'].map((name) => group(name)));
  const ids = (label: string) => tree.flatMap((row) => (row.label === label ? [row.id] : []));
  const show = (collapsed: string[]) => [...visibleRows(tree, new Set(collapsed))].map((index) => tree[index]?.label);

  it.each([
    [[], ['a', 'x', '1', '2', 'y', 'b', '1', '2', 'c']],
    [['x'], ['a', 'x', 'y', 'b', '1', '2', 'c']],
    [['a'], ['a', 'b', '1', '2', 'c']],
    [
      ['a', 'x', 'b'],
      ['a', 'b', 'c'],
    ],
  ])('with %j closed', (closed, expected) => {
    expect(show(closed.flatMap(ids))).toEqual(expected);
  });

  it('knows the module around each row', () => {
    expect(tree.map((_, index) => tree[parentRow(tree, index) ?? -1]?.label)).toEqual([undefined, 'a', 'x', 'x', 'a', undefined, 'b', 'b', undefined]);
  });
});
