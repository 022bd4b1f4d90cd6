import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { NodeAddress } from '../../../shared/model/graphEdit';
import { modelOf, patched } from '../testing/readBytes';
import { REAL_MODELS } from '../testing/realModels';
import { planRemoveNodes } from './planRemoveNodes';
import { body, decoded, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

const main = (...indices: number[]): NodeAddress[] => indices.map((index) => ({ graph: '', index }));

async function remove(bytes: Uint8Array, nodes: NodeAddress[], bypass = false) {
  const plan = planRemoveNodes(await modelOf(bytes), { nodes, bypass });
  expect(plan.refusals).toEqual([]);
  const after = await patched(bytes, plan);
  return { plan, bytes: after, ...decoded(after) };
}

async function refused(bytes: Uint8Array, nodes: NodeAddress[], bypass = false): Promise<string> {
  const plan = planRemoveNodes(await modelOf(bytes), { nodes, bypass });
  expect(plan.edits).toEqual([]);
  return plan.refusals.join(' ');
}

/** y = -((x + W) * V). */
const chain = (more = {}) =>
  smallModel({
    input: [info('x', ['n', 2])],
    output: [info('y', ['n', 2])],
    initializer: [floats('W', [2], [1, 2]), floats('V', [2], [10, 10])],
    node: [node('Add', ['x', 'W'], ['a'], { name: 'add' }), node('Mul', ['a', 'V'], ['m']), node('Neg', ['m'], ['y'])],
    valueInfo: [info('a', ['n', 2]), info('m', ['n', 2])],
    ...more,
  });

const x = () => floatFeed([1, 2], [1, 2]);

describe('remove nodes', () => {
  it('lists consumers first and refuses to leave them without what they use', async () => {
    expect(await refused(chain(), main(0))).toBe('"a" of node 0 Add "add" is used at 1 place: node 1 Mul, input 0.');
    expect(await refused(chain(), main(2))).toBe('"y" of node 2 Neg is used at 1 place: output 0 of the graph.');
    expect(await refused(chain(), main(7))).toContain('no node 7');
    expect(await refused(chain(), [])).toContain('No node');
  });

  it('takes what nothing uses, with initializers that only it used', async () => {
    const before = chain({
      node: [node('Add', ['x', 'W'], ['a']), node('Mul', ['a', 'V'], ['m']), node('Mul', ['x', 'W'], ['y'])],
      quantizationAnnotation: [{ tensorName: 'm', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'V' }] }],
    });
    const { graph, bytes, plan } = await remove(before, main(0, 1));
    expect(graph.node?.map(({ opType }) => opType)).toEqual(['Mul']);
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['W']);
    expect(graph.valueInfo).toEqual([]);
    expect(graph.quantizationAnnotation).toEqual([]);
    expect(plan.title).toBe('Remove 2 nodes');
    expect(await run(bytes, { x: await x() })).toEqual({ y: [1, 4] });
  });

  it('sees consumers inside bodies, and takes bodies with their node', async () => {
    const branch = (name: string, value: string) => body(name, { node: [node('Neg', [value], [`${name}_o`])], output: [info(`${name}_o`, [1])] });
    const before = smallModel({
      input: [info('x', [1]), info('c', [], 9)],
      output: [info('y', [1])],
      initializer: [floats('W', [1], [1]), floats('U', [1], [1])],
      node: [
        node('Add', ['x', 'W'], ['a']),
        node('If', ['c'], ['i'], { attribute: [branch('then_branch', 'a'), branch('else_branch', 'U')] }),
        node('Neg', ['x'], ['y']),
      ],
    });
    expect(await refused(before, main(0))).toContain('node 0 Neg, input 0 of graph #1.then_branch');
    const { graph } = await remove(before, main(0, 1));
    expect([graph.node?.length, graph.initializer]).toEqual([1, []]);
  });

  it('takes a Constant that only it used, and keeps inputs with a default, training and annotations', async () => {
    const before = smallModel(
      {
        input: [info('x', [1]), info('D', [1])],
        output: [info('y', [1])],
        initializer: [floats('D', [1], [1]), floats('T', [1], [1]), floats('S', [1], [1])],
        node: [
          node('Constant', [], ['C'], { attribute: [{ name: 'value_float', type: 1, f: 1 }] }),
          node('Sum', ['x', 'C', 'D', 'T', 'S'], ['s']),
          node('Neg', ['x'], ['y']),
        ],
        quantizationAnnotation: [{ tensorName: 'x', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'S' }] }],
      },
      { trainingInfo: [{ algorithm: { node: [node('Neg', ['x'], ['T2'])], output: [info('T2', [1])] }, updateBinding: [{ key: 'T', value: 'T2' }] }] },
    );
    const { graph, plan } = await remove(before, main(1));
    expect(graph.node?.map(({ opType }) => opType)).toEqual(['Neg']);
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['D', 'T', 'S']);
    expect(plan.warnings.join(' ')).toContain('"D" is no longer used; it stays');
  });
});

describe('remove nodes and join what is left', () => {
  it('gives consumers what went in', async () => {
    const { graph, bytes, plan } = await remove(chain(), main(1), true);
    expect(graph.node?.map(({ opType, input }) => [opType, input])).toEqual([
      ['Add', ['x', 'W']],
      ['Neg', ['a']],
    ]);
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['W']);
    expect(graph.valueInfo?.map(({ name }) => name)).toEqual(['a']);
    expect(plan.sites[0]).toEqual({ graph: '', place: 'node 2 Neg, input 0', before: 'm', after: 'a' });
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-2, -4] });
  });

  it('does so for a group', async () => {
    const { graph, bytes } = await remove(chain(), main(1, 0), true);
    expect(graph.node?.map(({ opType, input }) => [opType, input])).toEqual([['Neg', ['x']]]);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-1, -2] });
  });

  it('keeps the name of an output: the node before makes it', async () => {
    const before = chain({
      node: [node('Add', ['x', 'W'], ['a']), node('Mul', ['a', 'V'], ['m']), node('Neg', ['m'], ['y']), node('Neg', ['m'], ['z'])],
      output: [info('y', ['n', 2]), info('z', ['n', 2])],
    });
    const { graph, bytes } = await remove(before, main(2), true);
    expect(graph.node?.map(({ input, output }) => [input, output])).toEqual([
      [['x', 'W'], ['a']],
      [['a', 'V'], ['y']],
      [['y'], ['z']],
    ]);
    expect(graph.valueInfo?.map(({ name }) => name)).toEqual(['a']);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [20, 40], z: [-20, -40] });
  });

  it('keeps the name of an output by an Identity where the input must keep its own', async () => {
    const { graph, bytes } = await remove(chain(), main(0, 1, 2), true);
    expect(graph.node?.map(({ opType, input, output }) => [opType, input, output])).toEqual([['Identity', ['x'], ['y']]]);
    expect(graph.initializer).toEqual([]);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [1, 2] });
  });

  it('refuses what does not fit', async () => {
    expect(await refused(chain({ valueInfo: [] }), main(1), true)).toContain('type and shape of "a" and "m" are not known');
    expect(await refused(chain({ valueInfo: [info('a', ['n', 2]), info('m', ['k', 2])] }), main(1), true)).toContain(
      '"a" is float[n, 2], but "m" is float[k, 2]',
    );
    expect(await refused(chain({ valueInfo: [info('a', ['n', 2]), info('m', ['n', 2], 11)] }), main(1), true)).toContain('double[n, 2]');
    const twoIn = chain({ node: [node('Add', ['x', 'W'], ['a']), node('Mul', ['a', 'x'], ['m']), node('Neg', ['m'], ['y'])] });
    expect(await refused(twoIn, main(1), true)).toContain('2 values go in ("a" and "x")');
    const twoOut = chain({ node: [node('Add', ['x', 'W'], ['a']), node('Mul', ['a', 'V'], ['m']), node('Add', ['m', 'a'], ['y'])] });
    expect(await refused(twoOut, main(0, 1), true)).toContain('Others use 2 of the values');
    const noneIn = chain({ node: [node('Mul', ['W', 'V'], ['a']), node('Add', ['x', 'a'], ['y'])] });
    expect(await refused(noneIn, main(0), true)).toContain('Nothing but constants goes in');
  });

  it('refuses where the name means something else', async () => {
    const branch = (name: string, more = {}) => body(name, { node: [node('Neg', ['m'], [`${name}_o`])], output: [info(`${name}_o`, null)], ...more });
    const before = chain({
      input: [info('x', ['n', 2]), info('c', [], 9)],
      node: [
        node('Add', ['x', 'W'], ['a']),
        node('Mul', ['a', 'V'], ['m']),
        node('If', ['c'], ['y'], { attribute: [branch('then_branch', { initializer: [floats('a', [1], [1])] }), branch('else_branch')] }),
      ],
    });
    expect(await refused(before, main(1), true)).toContain('cannot use "a": that name means another value there');
  });

  it('leads around a node of a real model', async () => {
    const bytes = await readFile(REAL_MODELS[2] ?? expect.fail());
    const model = await modelOf(bytes);
    const index = model.graph.nodes.findIndex(({ op }) => op === 'Clip');
    const clip = model.graph.nodes[index] ?? expect.fail();
    const typeOf = () => ({ kind: 'tensor', elementType: 1, dims: [1] }) as const;
    const plan = planRemoveNodes(model, { nodes: main(index), bypass: true, typeOf });
    expect(plan.refusals).toEqual([]);
    const { graph } = decoded(await patched(bytes, plan));
    expect(graph.node?.length).toBe(model.graph.nodes.length - 1);
    const left = clip.outputs[0]?.text ?? '';
    expect(graph.node?.some(({ input }) => input?.includes(left))).toBe(false);
  });
});
