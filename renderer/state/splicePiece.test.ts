import { describe, expect, it } from 'vitest';
import { graphView } from '../charts/testing/graphSamples';
import { addressesOf, endsOf, likelyValue, piecesOf, valuesByName } from './splicePiece';

const there = graphView({
  inputs: ['x'],
  outputs: ['y'],
  initializers: { w1: [4, 4], w2: [4, 4] },
  nodes: [
    { name: '/enc/a/MatMul', operator: 'MatMul', inputs: ['x', 'w1'], outputs: ['h'], module: 'enc/a' },
    { name: '/enc/a/Relu', operator: 'Relu', inputs: ['h'], outputs: ['g'], module: 'enc/a' },
    { name: '', operator: 'MatMul', inputs: ['g', 'w2'], outputs: ['k'], module: 'enc' },
    { name: '/Add', operator: 'Add', inputs: ['k', 'g'], outputs: ['y'], module: '' },
  ],
});

const names = (values: readonly number[]) => values.map((value) => there.values.names[value]);

describe('a piece of another model', () => {
  it('is a module or a node, by the name that a person would type', () => {
    const pieces = piecesOf(there);
    expect([...pieces.keys()]).toEqual(['enc', 'enc/a', '/enc/a/MatMul', '/enc/a/Relu', 'MatMul number 2', '/Add']);
    expect(pieces.get('enc')?.nodes).toEqual([0, 1, 2]);
    expect(pieces.get('enc/a')?.words).toBe('module with 2 nodes');
    expect(addressesOf(there, pieces.get('MatMul number 2')?.nodes ?? [])).toEqual([{ graph: '', index: 2 }]);
  });

  it.each([
    ['enc/a', ['x'], ['g']],
    ['enc', ['x'], ['g', 'k']],
    ['/Add', ['g', 'k'], ['y']],
    ['MatMul number 2', ['g'], ['k']],
  ])('%s takes %j and gives %j, its initializers come along', (name, inputs, outputs) => {
    const ends = endsOf(there, piecesOf(there).get(name)?.nodes ?? []);
    expect([...names(ends.inputs)].sort()).toEqual(inputs);
    expect([...names(ends.outputs)].sort()).toEqual(outputs);
  });

  it('takes what the bodies of its nodes take from around them, but not what is their own', () => {
    const plain = graphView({
      inputs: ['c', 'x'],
      outputs: ['y'],
      nodes: [
        { name: 'if', operator: 'If', inputs: ['c'], outputs: ['y'], module: '' },
        { name: 'inner', operator: 'Relu', inputs: ['x'], outputs: ['r'], module: '' },
        { name: 'last', operator: 'Relu', inputs: ['r'], outputs: ['s'], module: '' },
      ],
    });
    const body = [...plain.values.names.keys()].map((value) => (['r', 's'].includes(plain.values.names[value] ?? '') ? 1 : 0));
    const view = {
      ...plain,
      scopes: [...plain.scopes, { kind: 'subgraph' as const, path: '#0.then_branch', name: '', parent: { scope: 0, node: 0 } }],
      nodes: { ...plain.nodes, scope: Uint32Array.of(0, 1, 1) },
      values: { ...plain.values, scope: Uint32Array.from(body) },
    };
    expect([...piecesOf(view).keys()]).toEqual(['if']);
    const ends = endsOf(view, [0]);
    expect(ends.inputs.map((value) => view.values.names[value]).sort()).toEqual(['c', 'x']);
    expect(ends.outputs.map((value) => view.values.names[value])).toEqual(['y']);
  });
});

describe('the value here that one of the other model most likely is', () => {
  const value = (name: string) => there.values.names.indexOf(name);
  const here = graphView({
    inputs: ['x', 'image'],
    initializers: { w: [4] },
    nodes: [{ name: 'n', operator: 'Relu', inputs: ['x', 'w'], outputs: ['z'], module: '' }],
  });
  const types = (given: Readonly<Record<string, string>>) => ({
    ...here,
    values: { ...here.values, types: here.values.names.map((name) => given[name] ?? 'int64[1]') },
  });

  it('has its name, or else alone its type', () => {
    const byName = valuesByName(here);
    expect(likelyValue(here, byName, { view: there, value: value('x') })).toBe('x');
    expect(likelyValue(types({ image: 'float32[1, 4]' }), byName, { view: there, value: value('h') })).toBe('image');
    // Two of the type, and an initializer, which no node makes.
    expect(likelyValue(types({ image: 'float32[1, 4]', z: 'float32[1, 4]' }), byName, { view: there, value: value('h') })).toBe('');
    expect(likelyValue(types({ w: 'float32[1, 4]' }), byName, { view: there, value: value('h') })).toBe('');
  });
});
