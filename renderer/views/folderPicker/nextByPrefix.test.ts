import { expect, it } from 'vitest';
import { nextByPrefix } from './nextByPrefix';

const names = ['alpha', 'Beta', 'bravo', 'Ärger'];

it.each([
  ['b', 0, 1],
  ['B', 1, 2],
  ['b', 2, 1],
  ['a', 0, 0],
  ['ä', 0, 3],
  ['z', 0, null],
])('the next of %s after %s is %s', (letter, from, index) => {
  expect(nextByPrefix(names, letter, from)).toBe(index);
});

it('finds nothing in nothing', () => {
  expect(nextByPrefix([], 'a', 0)).toBeNull();
});
