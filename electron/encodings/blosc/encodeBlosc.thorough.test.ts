import { Blosc } from 'numcodecs';
import { describe, expect, it } from 'vitest';
import { seeded, weights } from '../testing/seeded';
import { parseBloscHeader } from './bloscHeader';
import { decodeBlosc } from './decodeBlosc';
import { bloscRoom, encodeBlosc } from './encodeBlosc';
import { mustExpandZstd } from './expandZstd';
import { encodeKernels } from './kernels';

type Size = 1 | 2 | 4 | 8;
const ITEMS: readonly Size[] = [1, 2, 4, 8];

/** Decoded by c-blosc, compiled to WebAssembly, and by us. */
async function expectSame(bytes: Uint8Array, size: Size, shuffle: 'none' | 'bit' = 'none'): Promise<Uint8Array> {
  const frame = encodeBlosc(bytes, { size, shuffle });
  // c-blosc never says that it failed; it gives other bytes.
  expect(Buffer.compare(await Blosc.fromConfig({ id: 'blosc' }).decode(frame), bytes)).toBe(0);
  const target = new Uint8Array(bytes.byteLength);
  expect(mustExpandZstd(frame)).toBe(false);
  decodeBlosc(frame, target);
  expect(Buffer.compare(target, bytes)).toBe(0);
  expect(frame.byteLength).toBeLessThanOrEqual(bytes.byteLength + 16);
  return frame;
}

function bytesOf(values: Float32Array, size: Size): Uint8Array {
  if (size === 4) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (size === 8) return new Uint8Array(Float64Array.from(values, (value, i) => value * (1 + i * 1e-12)).buffer);
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  return size === 2 ? new Uint8Array(Uint16Array.from(words, (word) => word >>> 16).buffer) : Uint8Array.from(words, (word) => word >>> 23);
}

const COUNTS = [
  1, 2, 3, 7, 8, 9, 15, 16, 17, 127, 128, 129, 255, 256, 257, 1000, 4097, 32_767, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 262_144, 393_217,
];

describe.each(ITEMS)('frames of elements of %i bytes', (size) => {
  it.each(COUNTS)('%i of them', async (count) => {
    const normal = bytesOf(weights(count, count), size);
    const frame = await expectSame(normal, size);
    if (count > 10_000) expect(frame.byteLength).toBeLessThan(0.9 * normal.byteLength);
    const random = seeded(count);
    await expectSame(
      Uint8Array.from({ length: count * size }, () => random() * 256),
      size,
    );
    await expectSame(new Uint8Array(count * size).fill(0x3f), size);
    await expectSame(
      Uint8Array.from({ length: count * size }, (_, i) => i % (3 * size)),
      size,
    );
    // One element in fifty is not zero.
    await expectSame(
      normal.map((byte, i) => (Math.floor(i / size) % 50 === 0 ? byte : 0)),
      size,
    );
    if (size === 1) {
      await expectSame(
        Uint8Array.from({ length: count }, () => (random() < 0.2 ? 1 : 0)),
        1,
        'bit',
      );
    }
  });

  it('take next to nothing when all are alike or nearly all are zero', async () => {
    const count = 300_000;
    for (const element of [
      [0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0xc0, 0x7f, 0x12, 0x34, 0xf8, 0x7f],
    ]) {
      const alike = Uint8Array.from({ length: count * size }, (_, i) => element[i % size] ?? 0);
      expect((await expectSame(alike, size)).byteLength).toBeLessThan(0.002 * alike.byteLength);
    }
    const sparse = new Uint8Array(count * size);
    for (let i = 0; i < sparse.byteLength; i += 5000) sparse[i] = 1 + (i % 255);
    expect((await expectSame(sparse, size)).byteLength).toBeLessThan(0.01 * sparse.byteLength);
    const counted = Uint8Array.from({ length: count * size }, (_, i) => (i % size === 0 ? i / size : 0));
    expect((await expectSame(counted, size)).byteLength).toBeLessThan(0.02 * counted.byteLength);
  });
});

describe('frames', () => {
  it('hold bits in planes where one bit of each byte is used', async () => {
    const random = seeded(3);
    const mask = Uint8Array.from({ length: 200_000 }, () => (random() < 0.1 ? 1 : 0));
    const frame = await expectSame(mask, 1, 'bit');
    // Entropy: 0.469 bits an element.
    expect(frame.byteLength).toBeLessThan(0.065 * mask.byteLength);
  });

  it('of nothing are a header', async () => {
    const frame = encodeBlosc(new Uint8Array(0), { size: 4, shuffle: 'none' });
    expect(frame.byteLength).toBe(16);
    decodeBlosc(frame, new Uint8Array(0));
  });

  it('of values that do not repeat take a fifth less than LZ4 makes of them, and are as they are when nothing helps', async () => {
    const bytes = bytesOf(weights(200_000, 9), 4);
    expect(parseBloscHeader(await expectSame(bytes, 4), encodeBlosc(bytes, { size: 4, shuffle: 'none' }).byteLength).codec).toBe('zstd');
    const random = seeded(4);
    const noise = Uint8Array.from({ length: 100_000 }, () => random() * 256);
    const frame = await expectSame(noise, 4);
    expect(parseBloscHeader(frame, frame.byteLength).codec).toBeNull();
  });

  it('fit into the room that is asked for, and are written there', () => {
    const random = seeded(5);
    for (const size of ITEMS) {
      const noise = Uint8Array.from({ length: 100_000 * size }, () => random() * 256);
      const room = new Uint8Array(bloscRoom(noise.byteLength));
      const frame = encodeBlosc(noise, { size, shuffle: 'none', frame: room });
      expect(frame.buffer).toBe(room.buffer);
    }
    expect(() => encodeBlosc(new Uint8Array(7), { size: 4, shuffle: 'none' })).toThrow(RangeError);
  });

  it('of pseudo-random mixtures', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const size = ITEMS[seed % 4] ?? 4;
      const count = 1 + Math.floor(random() ** 2 * 400_000);
      const bytes = bytesOf(weights(count, seed), size);
      for (let patch = 0; patch < 6; patch++) {
        const at = Math.floor(random() * bytes.byteLength);
        const end = Math.min(bytes.byteLength, at + Math.floor((random() * bytes.byteLength) / 4));
        if (patch % 3 === 0) bytes.fill(random() * 256, at, end);
        else if (patch % 3 === 1) bytes.copyWithin(at, Math.floor(random() * bytes.byteLength), Math.floor(random() * bytes.byteLength));
        else for (let i = at; i < end; i++) bytes[i] = random() * 256;
      }
      await expectSame(bytes, size, seed % 3 === 0 ? 'bit' : 'none');
    }
  }, 300_000);
});

describe('the kernels', () => {
  it('shuffle as c-blosc does', () => {
    const random = seeded(6);
    const kernels = encodeKernels(100_000);
    const { bytes, planes, elements } = kernels;
    for (const size of [2, 4, 8]) {
      for (const count of [0, 1, 15, 16, 17, 31, 100, 4099]) {
        const values = Uint8Array.from({ length: count * size }, () => random() * 256);
        bytes.set(values, elements);
        kernels.shuffle.get(size)?.(elements, count, planes);
        const expected = Uint8Array.from({ length: count * size }, (_, i) => values[(i % count) * size + Math.floor(i / count)] ?? 0);
        expect(Buffer.compare(bytes.slice(planes, planes + count * size), expected)).toBe(0);
      }
    }
    const values = Uint8Array.from({ length: 1000 }, () => random() * 256);
    bytes.set(values, elements);
    kernels.bitshuffle(elements, 1000, planes);
    const expected = Uint8Array.from({ length: 1000 }, (_, i) =>
      [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, k) => byte | ((((values[8 * (i % 125) + k] ?? 0) >>> Math.floor(i / 125)) & 1) << k), 0),
    );
    expect(Buffer.compare(bytes.slice(planes, planes + 1000), expected)).toBe(0);
  });
});
