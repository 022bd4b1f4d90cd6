import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { body, floats, info, node, smallModel } from '../edits/testing/smallModel';
import { modelOf } from '../testing/readBytes';
import { indexScopes } from './indexScopes';
import type { Use } from './scopeIndex';

const out = (name: string) => info(name, [2]);
const words = (uses: readonly Use[]) => uses.map(({ owner, node: user, input }) => `${owner.path} ${user === null ? 'output' : user.index}.${input}`);

/** Inputs x; W stored; If whose then-branch reads x and W, and whose else-branch has a W of its own, read by a body deeper inside. */
async function nested(more: onnx.IGraphProto = {}, model: onnx.IModelProto = {}) {
  const deepest = body('then_branch', { node: [node('Mul', ['W', 'x'], ['d'])], output: [out('d')] });
  const then = body('then_branch', { node: [node('Add', ['x', 'W'], ['t'])], output: [out('t')] });
  const otherwise = body('else_branch', {
    initializer: [floats('W', [2], [7, 7])],
    node: [node('If', ['x'], ['e'], { attribute: [deepest] }), node('Neg', ['W'], [''])],
    output: [out('e')],
  });
  const bytes = smallModel(
    {
      input: [out('x')],
      output: [out('y'), out('W')],
      initializer: [floats('W', [2], [1, 2])],
      node: [node('If', ['x'], ['y'], { attribute: [then, otherwise] })],
      ...more,
    },
    model,
  );
  const read = await modelOf(bytes);
  return { model: read, index: indexScopes(read) };
}

describe('indexScopes', () => {
  it('gives each use the nearest definition, and stops where a body has its own', async () => {
    const { index } = await nested();
    const outer = index.definition('', 'W') ?? expect.fail();
    const inner = index.definition('#0.else_branch', 'W') ?? expect.fail();
    expect(words(index.uses(outer))).toEqual([' output.1', '#0.then_branch 0.1']);
    expect(words(index.uses(inner))).toEqual(['#0.else_branch 1.0', '#0.else_branch/#0.then_branch 0.0']);
    expect(index.resolve('#0.else_branch/#0.then_branch', 'W')).toBe(inner);
    expect(index.resolve('#0.then_branch', 'W')).toBe(outer);
    expect(index.definition('#0.then_branch', 'W')).toBeNull();
    expect(index.named('W')).toEqual([outer, inner]);
    expect([index.dangling, index.orphans]).toEqual([[], []]);
  });

  it('knows every place that defines a value, in the order inputs, initializers, nodes', async () => {
    const { index, model } = await nested({ input: [out('x'), out('W')] });
    expect(index.definitions('').map(({ name, kinds }) => [name, kinds])).toEqual([
      ['x', ['input']],
      ['W', ['input', 'initializer']],
      ['y', ['node-output']],
    ]);
    const value = index.definition(model.graph, 'W') ?? expect.fail();
    expect(value.sites).toEqual([model.graph.inputs[1]?.nameSite, model.graph.initializers[0]?.nameSite]);
    expect([value.tensor, value.node]).toEqual([model.graph.initializers[0], null]);
    expect(index.definition('', 'y')?.node).toBe(model.graph.nodes[0]);
  });

  it('never takes an empty name for one', async () => {
    const { index } = await nested();
    expect([index.definition('#0.else_branch', ''), index.resolve('', ''), index.named('')]).toEqual([null, null, []]);
  });

  it('lists what names a value without computing with it', async () => {
    const { index } = await nested(
      {
        valueInfo: [out('W'), out('lost')],
        quantizationAnnotation: [{ tensorName: 'W', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'x' }] }],
      },
      { trainingInfo: [{ algorithm: { name: 'a', node: [node('Neg', ['W'], ['V'])], output: [out('V')] }, updateBinding: [{ key: 'W', value: 'V' }] }] },
    );
    const kinds = (name: string) => index.mentions(index.resolve('training:0.algorithm', name) ?? expect.fail()).map(({ kind }) => kind);
    expect(kinds('W')).toEqual(['value-info', 'annotation', 'binding-key']);
    expect(kinds('x')).toEqual(['annotation-parameter']);
    expect(kinds('V')).toEqual(['binding-value']);
    expect(index.orphans.map(({ kind, name }) => [kind, name])).toEqual([['value-info', 'lost']]);
    expect(words(index.uses(index.definition('', 'W') ?? expect.fail()))).toContain('training:0.algorithm 0.0');
  });

  it('keeps what nothing defines', async () => {
    const { index } = await nested({ node: [node('Neg', ['ghost'], ['y'])] });
    expect(words(index.dangling)).toEqual([' 0.0']);
    expect(index.ownersAt('#0.then_branch')).toEqual([]);
    expect([index.definition('#9.body', 'x'), index.definitions('#9.body')]).toEqual([null, []]);
  });
});
