import { expect, it } from 'vitest';
import { repeatedElement } from './repeatedElement';

const of = (...bytes: number[]) => Uint8Array.of(...bytes);

it.each<[string | null, Uint8Array, number, number]>([
  ['0001', of(0, 1, 0, 1), 2, 0],
  ['0001', of(1, 0, 1, 0), 2, 1],
  ['0001', of(1, 0, 1), 2, 3],
  [null, of(0, 1, 0, 2), 2, 0],
  [null, of(0, 1, 1, 0), 2, 0],
  ['07', of(7), 1, 5],
  [null, of(), 1, 0],
  [null, of(1), 2, 0],
])('is %s', (element, piece, itemBytes, offset) => expect(repeatedElement(piece, itemBytes, offset)).toBe(element));
