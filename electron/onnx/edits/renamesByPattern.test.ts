import { describe, expect, it } from 'vitest';
import { modelOf } from '../testing/readBytes';
import { planRename } from './planRename';
import { type PatternOptions, renamesByPattern } from './renamesByPattern';
import { body, floats, info, node, smallModel } from './testing/smallModel';

const constant = node('Constant', [], ['onnx::Mul_7'], { attribute: [{ name: 'value_float', type: 1, f: 1 }] });
const inside = { initializer: [floats('onnx::Inner_3', [2], [1, 2])], node: [node('Identity', ['onnx::Inner_3'], ['t'])], output: [info('t', [2])] };

async function renames(names: readonly string[], options: PatternOptions): Promise<string[]> {
  const bytes = smallModel({
    input: [info('onnx::x', [2])],
    initializer: names.map((name) => floats(name, [2], [1, 2])),
    node: [constant, node('If', ['c'], ['y'], { attribute: [body('then_branch', inside)] })],
  });
  const model = await modelOf(bytes);
  const found = renamesByPattern(model, options);
  expect(planRename(model, found).edits.length).toBeGreaterThanOrEqual(found.length);
  return found.map(({ graph, name, to }) => `${graph === '' ? '' : `${graph}: `}${name} → ${to}`);
}

describe('renamesByPattern', () => {
  it('replaces what a regular expression finds in stored values of all graphs', async () => {
    expect(await renames(['onnx::MatMul_98', 'fc.weight'], { find: '^onnx::(\\w+)_(\\d+)$', replace: 'w$2.$1' })).toEqual([
      'onnx::MatMul_98 → w98.MatMul',
      'onnx::Mul_7 → w7.Mul',
      '#1.then_branch: onnx::Inner_3 → w3.Inner',
    ]);
  });

  it('knows named groups, the whole match and dollars, and replaces everywhere', async () => {
    expect(await renames(['a.b.c'], { find: '(?<dot>\\.)', replace: '$<dot>$$$&', graph: '' })).toEqual(['a.b.c → a.$.b.$.c']);
    expect(await renames(['layer10'], { find: '(\\d+)', replace: '.$1', graph: '' })).toEqual(['layer10 → layer.10', 'onnx::Mul_7 → onnx::Mul_.7']);
  });

  it('keeps to one graph, or takes all values', async () => {
    expect(await renames([], { find: 'onnx::', replace: '', graph: '#1.then_branch' })).toEqual(['#1.then_branch: onnx::Inner_3 → Inner_3']);
    expect(await renames([], { find: 'onnx::', replace: '', values: 'all', graph: '' })).toEqual(['onnx::x → x', 'onnx::Mul_7 → Mul_7']);
    expect(await renames([], { find: '.', replace: 'x', graph: '#9.body' })).toEqual([]);
  });

  it('takes a glob of the whole name', async () => {
    expect(await renames(['block.1.weight', 'block.1.bias', 'myblock.1.weight'], { find: 'block.?.weigh*', replace: 'layer.$1.w$2', syntax: 'glob' })).toEqual([
      'block.1.weight → layer.1.wt',
    ]);
    expect(await renames(['a+b'], { find: 'a+*', replace: 'x$1', syntax: 'glob' })).toEqual(['a+b → xb']);
  });

  it.each<[string, string, string, RegExp]>([
    ['an empty pattern', '', 'x', /pattern is empty/],
    ['a broken pattern', '(', 'x', /"\(" is no regular expression/],
    ['a group that is not there', '(a)', '$2', /has \$2, but the pattern has 1 group/],
    ['a group without any', 'a', '$1', /has \$1, but the pattern has no groups/],
    ['a name that is not there', '(?<n>a)', '$<m>', /has \$<m>, but the pattern has no group of that name/],
    ['an endless pattern', 'a'.repeat(2000), 'x', /at most 1000 characters/],
  ])('refuses %s', async (_, find, replace, words) => {
    await expect(renames(['aaa'], { find, replace })).rejects.toThrow(words);
  });

  it('stops a pattern that would never end', async () => {
    await expect(renames([`${'a'.repeat(60)}!`], { find: '^(a+)+$', replace: 'x' })).rejects.toThrow(/The pattern was stopped/);
  }, 60_000);

  it('is not tried on names that are too long', async () => {
    await expect(renames(['a'.repeat(5000)], { find: 'a', replace: 'b' })).rejects.toThrow(/names of up to 4096/);
  });
});
