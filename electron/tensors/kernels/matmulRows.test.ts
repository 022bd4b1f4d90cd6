import { describe, expect, it } from 'vitest';
import { bytesOf } from './lanes';
import { matmulRow } from './matmulRow';
import { matmulRows } from './matmulRows';

function matrix(length: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 10 ** ((state % 7) - 3);
  });
}

describe('matmulRows', () => {
  it.each([
    [1, 1, 1],
    [3, 2, 8],
    [5, 3, 10],
    [7, 16, 768],
    [9, 5, 37],
    [2000, 1, 70],
    [4, 33, 15],
    [2, 2, 140_000],
    [1, 2100, 2100],
  ])('gives bit for bit what the loop in TypeScript gives for %i × %i × %i', (rows, depth, columns) => {
    const left = matrix(rows * depth, 1);
    const right = matrix(depth * columns, 2);
    const found = new Float32Array(rows * columns);
    matmulRows('float32', found, { left, right, depth, columns });
    const expected = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      const into = expected.subarray(row * columns, (row + 1) * columns);
      matmulRow('float32', into, { left: left.subarray(row * depth, (row + 1) * depth), right, depth, columns, from: 0, to: columns });
    }
    expect(Buffer.compare(bytesOf(found), bytesOf(expected))).toBe(0);
  });
});
