import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkModel } from '../check/checkModel';
import { modelOf, patched } from '../testing/readBytes';
import { type NodeRename, planRenameNodes } from './planRenameNodes';
import { runBits } from './testing/runBits';
import { decoded, floats, info, node, smallModel } from './testing/smallModel';

const chain = (names: readonly (string | undefined)[]) =>
  smallModel({
    input: [info('x', [2])],
    output: [info(`v${names.length}`, [2])],
    initializer: [floats('W', [2], [1, 2])],
    node: names.map((name, i) => node('Neg', [i === 0 ? 'x' : `v${i}`], [`v${i + 1}`], name === undefined ? {} : { name })),
  });
const to = (...names: [number, string][]): NodeRename[] => names.map(([index, name]) => ({ graph: '', index, to: name }));

async function named(bytes: Uint8Array, renames: readonly NodeRename[]) {
  const plan = planRenameNodes(await modelOf(bytes), renames);
  expect(plan.refusals).toEqual([]);
  const after = await patched(bytes, plan);
  expect(await runBits(after)).toEqual(await runBits(bytes));
  return { plan, bytes: after, names: decoded(after).graph.node?.map(({ name }) => name) };
}

describe('planRenameNodes', () => {
  it('renames nodes and names those without a name', async () => {
    const { plan, names } = await named(chain(['a', undefined, '']), to([0, '/stem/Neg'], [1, 'b'], [2, 'W']));
    expect(names).toEqual(['/stem/Neg', 'b', 'W']);
    expect(plan.sites[0]).toEqual({ graph: '', place: 'node 0 Neg', before: 'a', after: '/stem/Neg' });
    expect(plan.title).toBe('Name 3 nodes');
  });

  it('lets nodes swap names, and leaves shared names alone that it does not touch', async () => {
    expect((await named(chain(['a', 'b']), to([0, 'b'], [1, 'a']))).names).toEqual(['b', 'a']);
    const plan = planRenameNodes(await modelOf(chain(['n', 'n', 'c'])), to([2, 'd']));
    expect(plan.refusals).toEqual([]);
  });

  it('makes the hard model, whose nodes share names, one that has none', async () => {
    const bytes = new Uint8Array(await readFile(join(import.meta.dirname, '../../../e2e/fixtures/onnx/hard.onnx')));
    const about = async (file: Uint8Array) => checkModel(await modelOf(file)).filter(({ rule }) => rule === 'node-names').length;
    expect(await about(bytes)).toBe(1);
    const after = await patched(bytes, planRenameNodes(await modelOf(bytes), to([1, 'add'])));
    expect(await about(after)).toBe(0);
  });

  it.each<[string, NodeRename[], RegExp]>([
    ['a name of another node', to([0, 'b']), /node 0 Neg "a" and node 1 Neg "b" of the main graph would both be called "b"/],
    ['one name for two', to([0, 'z'], [1, 'z']), /would both be called "z"/],
    ['an empty name', to([0, '']), /cannot have an empty name/],
    ['half of a character', to([0, '\ud800']), /half of a character/],
    ['two names for one node', to([0, 'y'], [0, 'z']), /cannot have both "y" and "z"/],
    ['a node that is not there', to([9, 'z']), /no node 9 in the main graph; it has 2/],
    ['a graph that is not there', [{ graph: '#0.body', index: 0, to: 'z' }], /no graph "#0.body"/],
  ])('refuses %s', async (_, renames, words) => {
    const plan = planRenameNodes(await modelOf(chain(['a', 'b'])), renames);
    expect(plan.refusals.join()).toMatch(words);
    expect(plan.edits).toEqual([]);
  });
});
