import { describe, expect, it } from 'vitest';
import { flopNumbers, initializersOf, namedNumbers, parameterNumbers, parseNamedNumbers, tensorNumbers } from './graphOverlay';
import { graphView, smallGraph } from './testing/graphSamples';

const { view } = smallGraph();
const group = (path: string) => view.groups.findIndex((candidate) => candidate.path === path);

/** Two layers that share a weight. */
const tied = graphView({
  initializers: { w: [3], b: [4] },
  nodes: [
    { name: 'one', operator: 'MatMul', inputs: ['x', 'w'], outputs: ['y'], module: 'a' },
    { name: 'two', operator: 'Gemm', inputs: ['y', 'w', 'b'], outputs: ['z'], module: 'a' },
    { name: 'three', operator: 'Relu', inputs: ['z', ''], outputs: ['o'], module: '' },
  ],
});

describe('numbers on a graph', () => {
  it('count parameters and operations', () => {
    expect([...parameterNumbers(view).ofNode]).toEqual([6, Number.NaN, 4]);
    expect([...flopNumbers(view).ofNode]).toEqual([10, 10, 10]);
    expect(flopNumbers(view).ofGroup.every(Number.isNaN)).toBe(true);
  });

  it('join those of tensors as if they were one, each once in a group', () => {
    const numberOf = (initializer: number) => ({ value: [3, 4][initializer] ?? 0, weight: [3, 1][initializer] ?? 0 });
    const norms = tensorNumbers(tied, numberOf, 'norm');
    expect([...norms.ofNode]).toEqual([3, 5, Number.NaN]);
    expect([...norms.ofGroup]).toEqual([5, 5]);
    const means = tensorNumbers(tied, numberOf, 'mean');
    expect([...means.ofNode]).toEqual([3, (3 * 3 + 4) / 4, Number.NaN]);
    expect([...tensorNumbers(tied, () => null, 'norm').ofGroup]).toEqual([Number.NaN, Number.NaN]);
    expect(initializersOf(tied, 1)).toEqual([0, 1]);
  });

  it('come by name: of operators, tensors or groups', () => {
    const numbers = namedNumbers(
      view,
      new Map([
        ['/body/Relu', -7],
        ['stem.weight', 2],
        ['body', 0.5],
      ]),
    );
    expect([...numbers.ofNode]).toEqual([2, -7, Number.NaN]);
    expect(numbers.ofGroup[group('body')]).toBe(0.5);
    expect(numbers.ofGroup[group('stem')]).toBe(2);
    expect(numbers.ofGroup[0]).toBe(-7);
  });
});

describe('parseNamedNumbers', () => {
  it('reads names and numbers, with a head or without', () => {
    const { numbers, skipped } = parseNamedNumbers('\ufeffname,score\r\nfc1.weight,0.25\r\n"odd, ""name""",-1e-3\r\n\r\nbroken\r\nb;inf\nc\tnan\n');
    expect([...numbers]).toEqual([
      ['fc1.weight', 0.25],
      ['odd, "name"', -0.001],
      ['b', Number.POSITIVE_INFINITY],
    ]);
    expect(skipped).toBe(2);
    expect(parseNamedNumbers('').numbers.size).toBe(0);
  });
});
