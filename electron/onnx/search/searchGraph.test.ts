import { describe, expect, it } from 'vitest';
import { encodeModel, nodesOf, viewOf } from '../view/testing/viewOf';
import { searchGraph } from './searchGraph';
import { withinTime } from './withinTime';

const attention = await viewOf(
  encodeModel({
    node: [
      ...nodesOf(['MatMul /attn/MatMul: q, k -> scores', 'Div /attn/Div: scores, d -> scaled', 'Softmax /attn/Softmax: scaled -> weights']),
      ...nodesOf(['MatMul /attn/MatMul_1: weights, v -> mixed', 'Softmax /head/Softmax: mixed -> y']),
      {
        opType: 'If',
        name: 'branch',
        input: ['c'],
        output: ['z'],
        attribute: [{ name: 'then_branch', type: 5, g: { name: 'body', node: nodesOf(['Relu Inner: y -> z']) } }],
      },
      {
        opType: 'Gelu',
        domain: 'com.microsoft',
        name: 'last',
        input: ['z'],
        output: ['out'],
        attribute: [{ name: 'approximate', type: 3, s: Buffer.from('tanh') }],
      },
    ],
  }),
);

async function find(text: string, mode: 'text' | 'regex' | 'path', limit = 100) {
  const { nodes, truncated } = await searchGraph(attention.model, attention.view, { text, mode, limit });
  return { names: nodes.map(({ node }) => attention.view.nodes.names[node]), why: nodes.map(({ why }) => why), truncated };
}

describe('searchGraph', () => {
  it('finds a text in operators, names, values and attributes of all scopes', async () => {
    expect((await find('softmax', 'text')).names).toEqual(['/attn/Softmax', '/head/Softmax']);
    expect(await find('SCORES', 'text')).toMatchObject({ names: ['/attn/MatMul', '/attn/Div'], why: ['output "scores"', 'input "scores"'] });
    expect(await find('inner', 'text')).toMatchObject({ names: ['Inner'], why: ['name "Inner"'] });
    expect(await find('tanh', 'text')).toMatchObject({ names: ['last'], why: ['attribute "approximate = tanh"'] });
    expect(await find('nowhere', 'text')).toMatchObject({ names: [], truncated: false });
  });

  it('finds a regular expression', async () => {
    expect((await find('^/attn/MatMul(_\\d+)?$', 'regex')).names).toEqual(['/attn/MatMul', '/attn/MatMul_1']);
    await expect(find('(', 'regex')).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('finds chains of operators', async () => {
    expect((await find('MatMul -> * -> Softmax', 'path')).names).toEqual(['/attn/MatMul', '/attn/Div', '/attn/Softmax']);
    expect((await find('softmax → matmul', 'path')).names).toEqual(['/attn/Softmax', '/attn/MatMul_1']);
    expect((await find('*Mul->Softmax', 'path')).names).toEqual(['/attn/MatMul_1', '/head/Softmax']);
    expect((await find('gelu', 'path')).names).toEqual(['last']);
    expect((await find('Softmax -> MatMul -> MatMul', 'path')).names).toEqual([]);
    await expect(find('MatMul -> -> Softmax', 'path')).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('says when there are more', async () => {
    expect(await find('attn', 'text', 2)).toMatchObject({ names: ['/attn/MatMul', '/attn/Div'], truncated: true });
    expect((await find('attn', 'text', 4)).truncated).toBe(false);
    expect(await find('MatMul -> * -> Softmax', 'path', 1)).toMatchObject({ names: ['/attn/MatMul'], truncated: true });
  });

  it('ends with an expression that would take for ever', async () => {
    const { model, view } = await viewOf(encodeModel({ node: nodesOf([`Relu ${'a'.repeat(200)}!: x -> y`]) }));
    expect(await searchGraph(model, view, { text: '^(a+)+$', mode: 'regex', limit: 10 })).toEqual({ nodes: [], truncated: true });
  });

  it('hears of a cancel', async () => {
    const { model, view } = attention;
    await expect(searchGraph(model, view, { text: 'x', mode: 'text', limit: 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('withinTime', () => {
  it('gives out what the work throws, and whether it ended', () => {
    expect(withinTime(1000, () => {})).toBe(true);
    expect(() =>
      withinTime(1000, () => {
        throw new RangeError('no');
      }),
    ).toThrow(new RangeError('no'));
  });
});
