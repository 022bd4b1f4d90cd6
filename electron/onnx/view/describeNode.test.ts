import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { attributeText, floatText } from './attributeText';
import { describeNode } from './describeNode';
import { encodeModel, nodesOf, viewOf } from './testing/viewOf';

describe('describeNode', () => {
  it('has attributes in words, bodies by their scope, and the documentation', async () => {
    const { model, view } = await viewOf(
      encodeModel(
        {
          node: [
            {
              opType: 'Conv',
              name: 'c',
              docString: 'note',
              input: ['x', 'w'],
              output: ['y'],
              attribute: [
                { name: 'alpha', type: 1, f: 0.1 },
                { name: 'group', type: 2, i: 1 },
                { name: 'auto_pad', type: 3, s: Buffer.from('SAME_UPPER') },
                { name: 'pads', type: 7, ints: Array.from({ length: 40 }, (_, i) => i) },
                { name: 'value', type: 4, t: { dataType: 1, dims: [2, 3], rawData: new Uint8Array(24) } },
              ],
            },
            { opType: 'If', input: ['y'], output: ['z'], attribute: [{ name: 'then_branch', type: 5, g: { name: 'body', node: nodesOf(['Relu: y -> z']) } }] },
            { opType: 'F', domain: 'my', input: ['z'], output: ['o'] },
          ],
        },
        { functions: [{ name: 'F', domain: 'my', input: ['a'], output: ['b'], node: nodesOf(['Relu: a -> b']), docString: 'Mine.' }] },
      ),
    );
    const conv = describeNode(model, view, 0);
    expect(conv.attributes.map(({ name, type, text }) => [name, type, text])).toEqual([
      ['alpha', 'float', '0.1'],
      ['group', 'int', '1'],
      ['auto_pad', 'string', 'SAME_UPPER'],
      ['pads', 'ints', `[${Array.from({ length: 32 }, (_, i) => i).join(', ')}, … 40 in all]`],
      ['value', 'tensor', 'float32[2, 3]'],
    ]);
    expect(conv).toMatchObject({ doc: 'note', documentation: { outputs: ['Y'] }, unknownFields: [] });
    expect(describeNode(model, view, 1).attributes).toEqual([{ name: 'then_branch', type: 'graph', text: 'body, 1 node', scope: 1 }]);
    expect(describeNode(model, view, 2).documentation).toEqual({
      summary: 'A function of this model with 1 node. Mine.',
      inputs: ['a'],
      outputs: ['b'],
      since: 1,
    });
    expect(() => describeNode(model, view, 99)).toThrow(expect.objectContaining({ code: 'not-found' }));
  });

  it('writes floats as short as they are exact', () => {
    expect([0.1, 1e-5, 1.5, 3.4028234663852886e38, -0, Number.NaN, Number.NEGATIVE_INFINITY].map((value) => floatText(Math.fround(value)))).toEqual([
      '0.1',
      '0.00001',
      '1.5',
      '3.4028235e+38',
      '-0',
      'nan',
      '-inf',
    ]);
  });

  it('says where an attribute of a function comes from', async () => {
    const node = [onnx.NodeProto.create({ opType: 'Cast', input: ['a'], output: ['b'], attribute: [{ name: 'to', type: 2, refAttrName: 'target' }] })];
    const { model } = await viewOf(encodeModel({}, { functions: [{ name: 'F', domain: 'my', input: ['a'], output: ['b'], node }] }));
    const [attribute] = model.functions[0]?.nodes[0]?.attributes ?? [];
    expect(attribute && attributeText(attribute)).toBe('attribute target of the call');
  });
});
