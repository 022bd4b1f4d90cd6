import { describe, expect, it } from 'vitest';
import { indexScopes } from '../scopes/indexScopes';
import { modelOf } from '../testing/readBytes';
import { addressed, structuralAddress } from './structuralAddress';
import { body, floats, info, node, smallModel } from './testing/smallModel';

const inside = { node: [node('MatMul', ['x', 'V'], ['t'])], initializer: [floats('V', [2, 2], [1, 2, 3, 4])], output: [info('t', [2])] };

async function indexed() {
  const model = smallModel({
    input: [info('x', [2]), info('c', [])],
    initializer: [floats('W', [2, 2], [1, 2, 3, 4]), floats('U', [2, 2], [1, 2, 3, 4]), floats('matmul[1].weight', [1], [1])],
    node: [
      node('MatMul', ['W', 'x'], ['a']),
      node('MatMul', ['a', 'U'], ['b']),
      node('MatMul', ['W', 'U'], ['p']),
      node('MatMul', ['a', 'b'], ['q']),
      node('Relu', ['b'], ['r']),
      node('If', ['c'], ['y'], { attribute: [body('then_branch', inside), body('else_branch', inside)] }),
    ],
    output: [info('y', [2])],
  });
  return indexScopes(await modelOf(model));
}

describe('a value by where it stands', () => {
  it.each([
    ['matmul[0].weight', 'W'],
    ['MatMul[1].weight', 'U'],
    ['matmul[1].input_0', 'a'],
    ['matmul[0].input_1', 'x'],
    ['relu[0].output_0', 'r'],
    ['relu[0].input_0', 'b'],
    // Two stored values, or two that are none, in one role.
    ['matmul[2].weight', null],
    ['matmul[3].weight', null],
    ['matmul[4].weight', null],
    ['matmul[0].bias', null],
    ['matmul[0].input_9', null],
    ['conv[0].weight', null],
    ['matmul.weight', null],
    ['[0].weight', null],
    ['', null],
  ])('%s is %s', async (text, name) => {
    expect(structuralAddress(await indexed(), '', text)).toEqual(name === null ? null : { graph: '', name });
  });

  it('is counted in the graph that is named, and belongs to the graph that defines it', async () => {
    const index = await indexed();
    expect(structuralAddress(index, '#5.then_branch', 'matmul[0].weight')).toEqual({ graph: '#5.then_branch', name: 'V' });
    expect(structuralAddress(index, '#5.then_branch', 'matmul[0].input_0')).toEqual({ graph: '', name: 'x' });
    expect(structuralAddress(index, '#9.body', 'matmul[0].weight')).toBeNull();
  });

  it('is meant only where no value has the text as its name', async () => {
    const index = await indexed();
    expect(addressed(index, { graph: '', name: 'matmul[1].weight' })).toEqual({ graph: '', name: 'matmul[1].weight' });
    expect(addressed(index, { graph: '', name: 'matmul[0].weight' })).toEqual({ graph: '', name: 'W' });
    expect(addressed(index, { graph: '', name: 'nothing' })).toEqual({ graph: '', name: 'nothing' });
  });
});
