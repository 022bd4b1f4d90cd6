import { describe, expect, it } from 'vitest';
import { moveCell } from './timelineMoves';

/** Row by row; # is a change. */
const PICTURE = ['#..#.', '.....', '..#..'];
const bounds = { rows: 3, columns: 5, page: 2, isChanged: (row: number, column: number) => PICTURE[row]?.[column] === '#' };
const from =
  (row: number, column: number) =>
  (key: string, far = false) => {
    const to = moveCell({ row, column }, { key, far }, bounds);
    return to === null ? null : [to.row, to.column];
  };

describe('moveCell', () => {
  it('goes cell by cell and stays inside', () => {
    const go = from(1, 2);
    expect(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].map((key) => go(key))).toEqual([
      [0, 2],
      [2, 2],
      [1, 1],
      [1, 3],
      [1, 0],
      [1, 4],
      [0, 2],
      [2, 2],
    ]);
    expect(from(0, 0)('ArrowUp')).toEqual([0, 0]);
    expect(from(2, 4)('ArrowRight')).toEqual([2, 4]);
  });

  it('goes to the next change, to the corners, and nowhere when nothing changed', () => {
    expect(from(0, 0)('ArrowRight', true)).toEqual([0, 3]);
    expect(from(0, 3)('ArrowLeft', true)).toEqual([0, 0]);
    expect(from(0, 2)('ArrowDown', true)).toEqual([2, 2]);
    expect(from(1, 1)('ArrowRight', true)).toEqual([1, 1]);
    expect([from(1, 2)('Home', true), from(1, 2)('End', true)]).toEqual([
      [0, 0],
      [2, 4],
    ]);
  });

  it('leaves other keys and empty grids alone', () => {
    expect(['a', 'Enter', '__proto__', 'constructor'].map((key) => from(0, 0)(key))).toEqual([null, null, null, null]);
    expect(moveCell({ row: 0, column: 0 }, { key: 'End', far: false }, { ...bounds, columns: 0 })).toBeNull();
  });
});
