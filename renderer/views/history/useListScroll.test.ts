import { expect, it } from 'vitest';
import { scrollToShow } from './useListScroll';

it.each([
  ['stays for a row in view', 5, 100, 100],
  ['stays for the first row in view', 4, 112, 112],
  ['goes down as little as needed', 14, 112, 140],
  ['goes up as little as needed', 2, 112, 56],
  ['puts a row far below into the middle', 100, 0, 2674],
  ['puts a row far above into the middle', 10, 5600, 154],
  ['never goes above the top', 0, 5600, 0],
])('%s', (_name, row, top, expected) => {
  expect(scrollToShow(row, { top, height: 280 })).toBe(expected);
});
