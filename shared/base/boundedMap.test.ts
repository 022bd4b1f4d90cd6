import { describe, expect, it } from 'vitest';
import { BoundedMap } from './boundedMap';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const kept = (map: BoundedMap<string, number>) => KEYS.filter((key) => map.peek(key) !== undefined);

describe('BoundedMap', () => {
  it('forgets what was not asked for the longest', () => {
    const map = new BoundedMap<string, number>(3);
    for (const key of ['a', 'b', 'c']) map.set(key, 0);
    map.get('a');
    map.peek('b');
    map.set('d', 0);
    expect(kept(map)).toEqual(['a', 'c', 'd']);
    map.set('c', 1);
    map.set('e', 0);
    expect(kept(map)).toEqual(['c', 'd', 'e']);
    expect([map.size, map.get('c'), map.get('b')]).toEqual([3, 1, undefined]);
  });

  it.each([
    ['several for a heavy one', [4, 3, 2, 7], ['c', 'd']],
    ['what weighs nothing with its turn only', [0, 5, 5, 0], ['a', 'b', 'c', 'd']],
    ['one that alone is too heavy', [1, 11], []],
  ])('weighs: forgets %s', (_, weights, expected) => {
    const map = new BoundedMap<string, number>(10, { weigh: (weight) => weight });
    for (const [index, weight] of weights.entries()) map.set(KEYS[index] ?? '', weight);
    expect(kept(map)).toEqual(expected);
  });

  it('keeps the last values whatever they weigh, when it is told to', () => {
    const map = new BoundedMap<string, number>(10, { weigh: (weight) => weight, atLeast: 2 });
    for (const [index, weight] of [4, 20, 30].entries()) map.set(KEYS[index] ?? '', weight);
    expect(kept(map)).toEqual(['b', 'c']);
  });

  it('counts the weight of what was replaced or removed no longer', () => {
    const map = new BoundedMap<string, number>(10, { weigh: (weight) => weight });
    for (const weight of [9, 2, 5]) map.set('a', weight);
    map.set('b', 5);
    expect(kept(map)).toEqual(['a', 'b']);
    map.delete('a');
    map.delete('c');
    map.set('c', 5);
    expect(kept(map)).toEqual(['b', 'c']);
    map.deleteWhere((_, key) => key === 'b');
    map.set('d', 5);
    expect(kept(map)).toEqual(['c', 'd']);
    map.clear();
    map.set('e', 10);
    expect(kept(map)).toEqual(['e']);
  });
});
