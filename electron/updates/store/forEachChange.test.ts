import { describe, expect, it } from 'vitest';
import { forEachChange } from './forEachChange';

/** All bits by a linear congruential generator, at an odd address. */
function randomBytes(count: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(count + 1).subarray(1);
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

function changesOf(before: Uint8Array, after: Uint8Array, item: number): number[] {
  const found: number[] = [];
  const visit: Parameters<typeof forEachChange>[2]['visit'] = ({ first, positions, before: left, after: right }) => {
    for (const position of positions) {
      const at = (first + position) * item;
      found.push(first + position);
      expect(left.subarray(position * item, (position + 1) * item)).toEqual(before.slice(at, at + item));
      expect(right.subarray(position * item, (position + 1) * item)).toEqual(after.slice(at, at + item));
    }
    return true;
  };
  forEachChange(before, after, { item, visit });
  return found;
}

/** Byte by byte. */
function slowly(before: Uint8Array, after: Uint8Array, item: number): number[] {
  const found = new Set<number>();
  for (let i = 0; i < before.byteLength; i++) if (before[i] !== after[i]) found.add(Math.floor(i / item));
  return [...found];
}

describe.each([1, 2, 4, 8, 16])('elements of %i bytes', (item) => {
  it.each([1, 3, 4096, 70_001, 200_003])('that differ in any bit are found, each once and in order, among %i', (count) => {
    const before = randomBytes(count * item, 7);
    const after = Uint8Array.from(before);
    // Every byte of an element counts, and every bit; neighbours and the last element too.
    for (let i = 0; i < count; i += 1 + (i % 37)) after[i * item + (i % item)] = (after[i * item + (i % item)] ?? 0) ^ (1 << (i % 8));
    after[count * item - 1] = (after[count * item - 1] ?? 0) ^ 0x80;
    expect(changesOf(before, after, item)).toEqual(slowly(before, after, item));
  });

  it('are none among equal ones, and all among such that have nothing in common', () => {
    const before = randomBytes(9001 * item, 3);
    expect(changesOf(before, Uint8Array.from(before), item)).toEqual([]);
    const after = before.map((byte) => byte ^ 0xff);
    expect(changesOf(before, after, item)).toEqual(Array.from({ length: 9001 }, (_, i) => i));
  });
});

it('shows no more when nobody wants to see it', () => {
  const before = randomBytes(1_000_000, 5);
  let visits = 0;
  const visit = () => {
    visits++;
    return false;
  };
  forEachChange(
    before,
    before.map((byte) => byte ^ 1),
    { item: 4, visit },
  );
  expect(visits).toBe(1);
});
