import { describe, expect, it } from 'vitest';
import { RectTree } from './rectTree';

function treeOf(rects: readonly (readonly [number, number, number, number])[]): RectTree {
  return new RectTree(rects.length, (item, out, at) => out.set(rects[item] ?? [], at));
}

/** Numbers that look random and are the same each time (Lehmer). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('RectTree', () => {
  it('finds nothing among no rectangles', () => {
    expect([...treeOf([]).search({ left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 })]).toEqual([]);
  });

  it('finds one rectangle by its edges, corners included', () => {
    const tree = treeOf([[10, 20, 30, 40]]);
    expect([...tree.search({ left: 30, top: 40, right: 50, bottom: 50 })]).toEqual([0]);
    expect([...tree.search({ left: 30.5, top: 0, right: 50, bottom: 50 })]).toEqual([]);
  });

  it.each([15, 16, 17, 256, 257, 3000])('finds what looking at each of %i rectangles finds', (count) => {
    const next = numbers(count);
    const rects = Array.from({ length: count }, () => {
      const [left, top] = [next() * 1000, next() * 5000];
      // Some are as long as the whole drawing, as edges are.
      const [width, height] = next() < 0.1 ? [2, 5000] : [next() * 60, next() * 40];
      return [left, top, left + width, top + height] as const;
    });
    const tree = treeOf(rects);
    const single = (value: number) => Math.fround(value);
    for (let round = 0; round < 20; round++) {
      const [left, top] = [next() * 1000, next() * 5000];
      const part = { left, top, right: left + next() * 300, bottom: top + next() * 300 };
      const expected = rects.flatMap(([a, b, c, d], index) =>
        single(a) <= part.right && single(b) <= part.bottom && single(c) >= part.left && single(d) >= part.top ? [index] : [],
      );
      expect([...tree.search(part)]).toEqual(expected);
    }
  });

  it('takes equal rectangles', () => {
    const tree = treeOf(Array.from({ length: 100 }, () => [1, 1, 2, 2] as const));
    expect(tree.search({ left: 0, top: 0, right: 3, bottom: 3 })).toHaveLength(100);
  });
});
