import { Blosc } from 'numcodecs';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import { decodeBlosc } from './decodeBlosc';
import { expandZstd } from './expandZstd';
import { blockKernels, MAX_KERNEL_BLOCK } from './kernels';
import { decodeLz4Block } from './lz4Block';
import { encodeBlosc } from './testing/encodeBlosc';
import { encodeLz4Block } from './testing/encodeLz4Block';
import { unshuffle } from './unshuffle';

/** Slowly changing numbers with noise: some planes compress, some do not. */
function sample(bytes: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: bytes }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return i % 4 === 3 ? 60 + ((i >>> 9) % 3) : i % 4 === 2 ? (state >>> 28) + 5 : state >>> 24;
  });
}

const SIZES = [1, 127, 128, 1000, 4096, 65_537, 524_288, 524_289, 1_100_000];

describe('frames of c-blosc, through the library numcodecs', () => {
  const cases = ['lz4', 'lz4hc', 'zstd', 'zlib', 'blosclz'].flatMap((cname) => [0, 1, 2].map((shuffle) => [cname, shuffle] as const));

  it.each(cases)('%s, shuffle %i', async (cname, shuffle) => {
    for (const size of SIZES) {
      const bytes = sample(size);
      const coded = await Blosc.fromConfig({ id: 'blosc', cname, clevel: 5, shuffle, blocksize: size % 3 === 0 ? 0 : 8192 }).encode(bytes);
      const frame = cname === 'zstd' ? await expandZstd(coded) : coded;
      const target = new Uint8Array(size);
      decodeBlosc(frame, target);
      expect(Buffer.compare(target, bytes)).toBe(0);
    }
  });
});

describe('frames of our encoder', () => {
  it.each([1, 2, 4, 8, 16])('with elements of %i bytes are read by us and by c-blosc', async (item) => {
    for (const size of SIZES.map((bytes) => bytes - (bytes % item)).filter((bytes) => bytes > 0)) {
      const bytes = sample(size);
      const frame = encodeBlosc(bytes, item);
      const target = new Uint8Array(size);
      decodeBlosc(frame, target);
      expect(Buffer.compare(target, bytes)).toBe(0);
      expect(Buffer.compare(await Blosc.fromConfig({ id: 'blosc' }).decode(frame), bytes)).toBe(0);
    }
  });
});

describe('the kernels', () => {
  it('do what the loops in TypeScript do', () => {
    const { bytes, planes, elements, unshuffle: kernels } = blockKernels(100_000);
    for (const size of [2, 4, 8]) {
      for (const count of [0, 1, 7, 8, 15, 16, 17, 1000, 4099]) {
        const shuffled = sample(count * size);
        const expected = new Uint8Array(count * size);
        unshuffle(shuffled, expected, size);
        bytes.set(shuffled, planes);
        kernels.get(size)?.(planes, count, elements);
        expect(Buffer.compare(bytes.slice(elements, elements + count * size), expected)).toBe(0);
      }
    }
  });

  it('refuse exactly what the decoder in TypeScript refuses, and give the same otherwise', () => {
    const plain = sample(3000).map((byte, i) => (i % 4 === 0 ? 7 : byte & 3));
    const packed = encodeLz4Block(plain);
    if (packed === null) throw new Error('not compressible');
    const kernels = blockKernels(8192);
    let sound = 0;
    for (let round = 0; round < 4000; round++) {
      const damaged = Uint8Array.from(packed);
      const at = (round * 7919) % damaged.length;
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (round % 8));
      const length = round % 5 === 0 ? (round * 31) % damaged.length : damaged.length;
      const target = new Uint8Array(plain.length);
      const ours = decodeLz4Block(damaged, target, { from: 0, to: length, start: 0, end: target.length });
      kernels.bytes.set(damaged.subarray(0, length), kernels.stream);
      const fast = kernels.lz4(kernels.stream, kernels.stream + length, kernels.planes, kernels.planes + target.length) === 1;
      expect(fast).toBe(ours);
      if (!ours) continue;
      sound++;
      expect(Buffer.compare(kernels.bytes.slice(kernels.planes, kernels.planes + target.length), target)).toBe(0);
    }
    expect(sound).toBeGreaterThan(100);
  });

  it('are left aside for blocks that they have no room for', () => {
    const bytes = Uint8Array.from({ length: MAX_KERNEL_BLOCK + 4096 }, (_, i) => i >>> 8);
    const packed = encodeLz4Block(bytes);
    if (packed === null) throw new Error('not compressible');
    // One block, one stream, no shuffle.
    const frame = new Uint8Array(24 + packed.length);
    const view = new DataView(frame.buffer);
    view.setUint32(0, 0x01000102 | (0x30 << 16), true);
    view.setUint32(4, bytes.length, true);
    view.setUint32(8, bytes.length, true);
    view.setUint32(12, frame.length, true);
    view.setUint32(16, 20, true);
    view.setInt32(20, packed.length, true);
    frame.set(packed, 24);
    const target = new Uint8Array(bytes.length);
    decodeBlosc(frame, target);
    expect(Buffer.compare(target, bytes)).toBe(0);
  });
});

describe('damaged frames', () => {
  it.each([1, 4])('with elements of %i bytes give a CheckpointError or bytes, nothing else', (item) => {
    const frame = encodeBlosc(sample(4096), item);
    const target = new Uint8Array(4096);
    for (let length = 0; length < frame.length; length++) expect(() => decodeBlosc(frame.subarray(0, length), target)).toThrow(CheckpointError);
    for (let at = 0; at < frame.length; at++) {
      for (const mask of [1, 0x80, 0xff]) {
        const damaged = Uint8Array.from(frame);
        damaged[at] = (damaged[at] ?? 0) ^ mask;
        try {
          decodeBlosc(damaged, target);
        } catch (error) {
          if (!(error instanceof CheckpointError)) throw error;
        }
      }
    }
  });
});
