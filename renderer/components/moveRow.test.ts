import { expect, it } from 'vitest';
import { moveRow } from './moveRow';

it.each([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 99, 99],
  ['ArrowDown', null, 0],
  ['ArrowUp', 3, 2],
  ['ArrowUp', 0, 0],
  ['PageDown', 5, 25],
  ['PageDown', 95, 99],
  ['PageUp', 5, 0],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['x', 50, null],
])('%s from %s leads to %s', (key, from, to) => {
  expect(moveRow(key, from, { count: 100, page: 20 })).toBe(to);
});

it('leads nowhere in an empty list', () => {
  expect(moveRow('End', null, { count: 0, page: 20 })).toBeNull();
});
