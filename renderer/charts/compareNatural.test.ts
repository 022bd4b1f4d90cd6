import { expect, it } from 'vitest';
import { compareNatural } from './compareNatural';

it.each([
  [
    ['layer10', 'layer2', 'layer1'],
    ['layer1', 'layer2', 'layer10'],
  ],
  [
    ['10', '9', '09', '1e3'],
    ['1e3', '09', '9', '10'],
  ],
  [
    ['b', 'a', '', 'ab'],
    ['', 'a', 'ab', 'b'],
  ],
  [
    ['x99999999999999999999', 'x100000000000000000000'],
    ['x99999999999999999999', 'x100000000000000000000'],
  ],
  [
    ['bias', '0', 'weight', 'π'],
    ['0', 'bias', 'weight', 'π'],
  ],
])('orders %j', (names, expected) => {
  expect([...names].sort(compareNatural)).toEqual(expected);
  expect([...names].reverse().sort(compareNatural)).toEqual(expected);
});
