import { Zstd } from 'numcodecs';
import { describe, expect, it } from 'vitest';
import { blockKernels, MAX_KERNEL_BLOCK } from '../blosc/kernels';
import { seeded } from '../testing/seeded';
import { decodeLiteralBlocks } from './decodeLiteralFrame';
import { encodeLiteralFrame } from './encodeLiteralFrame';
import { MAX_CODE_BITS } from './huffmanKernels';
import { huffmanLengths } from './huffmanLengths';
import { literalBlocks } from './literalFrame';

function encode(bytes: Uint8Array, part = bytes.byteLength): Uint8Array {
  const { huffman, planes, stream } = blockKernels(MAX_KERNEL_BLOCK);
  huffman.bytes.set(bytes, planes);
  const output = { bytes: new Uint8Array(2 * bytes.byteLength + 1000), at: 0 };
  encodeLiteralFrame(huffman, { from: planes, end: planes + bytes.byteLength, part, scratch: stream }, output);
  return output.bytes.subarray(0, output.at);
}

/** `null`: it is broken, or no frame of literals. */
function decode(frame: Uint8Array, length: number): Uint8Array | null {
  const { huffman, planes, stream } = blockKernels(MAX_KERNEL_BLOCK);
  huffman.bytes.set(frame, stream);
  const blocks = literalBlocks(huffman.bytes, { from: stream, end: stream + frame.byteLength, bytes: length });
  return blocks !== null && decodeLiteralBlocks(huffman, blocks, planes) ? huffman.bytes.slice(planes, planes + length) : null;
}

/** Decoded by the reference library, compiled to WebAssembly, and by us. */
async function expectSame(bytes: Uint8Array, part?: number): Promise<Uint8Array> {
  const frame = encode(bytes, part);
  expect(Buffer.compare(await Zstd.fromConfig({ id: 'zstd' }).decode(frame), bytes)).toBe(0);
  expect(Buffer.compare(decode(frame, bytes.byteLength) ?? new Uint8Array(0), bytes)).toBe(0);
  return frame;
}

/** Bytes that occur with these frequencies, in a pseudo-random order. */
function drawn(length: number, frequencies: readonly number[], seed: number): Uint8Array {
  const random = seeded(seed);
  const total = frequencies.reduce((sum, frequency) => sum + frequency, 0);
  const table = new Uint8Array(4096);
  let at = 0;
  for (const [byte, frequency] of frequencies.entries()) {
    const share = Math.max(frequency > 0 ? 1 : 0, Math.round((4096 * frequency) / total));
    table.fill(byte, at, at + share);
    at += share;
  }
  return Uint8Array.from({ length }, () => table[Math.floor(random() * Math.min(at, 4096))] ?? 0);
}

/** High bytes of weights: both signs of a few exponents. */
const EXPONENTS = Array.from({ length: 256 }, (_, byte) => ((byte & 127) < 0x38 || (byte & 127) > 0x3d ? 0 : 4 ** ((byte & 127) - 0x38)));
const SIZES = [1, 2, 3, 15, 16, 17, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 16_383, 16_384, 16_385, 65_791, 65_792, 131_071, 131_072, 131_073, 300_000];

describe('frames of literals', () => {
  it.each(SIZES)('of %i bytes are decoded by the reference library', async (size) => {
    const frame = await expectSame(drawn(size, EXPONENTS, size));
    if (size > 1000) expect(frame.byteLength).toBeLessThan(0.45 * size);
    await expectSame(drawn(size, [1], size));
    await expectSame(drawn(size, new Array(256).fill(1), size));
    // Some in one part, some in parts of their own.
    await expectSame(drawn(size, EXPONENTS, size), Math.ceil(size / 3));
  });

  it.each([
    ['two bytes, alike', [1, 1]],
    ['two bytes far apart', [...new Array(255).fill(0), 1].with(0, 1)],
    ['two bytes, one of them rare', [4000, 1]],
    ['the last two bytes', [...new Array(254).fill(0), 1, 3]],
    ['three bytes', [1, 2, 1]],
    ['128 bytes alike', new Array(128).fill(1)],
    ['129 bytes, one more frequent', new Array(129).fill(1).with(0, 200)],
    ['every second byte', Array.from({ length: 256 }, (_, byte) => byte % 2)],
    ['all bytes, one of them nearly always', new Array(256).fill(1).with(200, 3000)],
    ['frequencies that halve', Array.from({ length: 40 }, (_, byte) => 2 ** -byte)],
    ['frequencies of Fibonacci', Array.from({ length: 20 }, (_, i) => Math.round(1.618 ** i))],
  ])('of %s', async (_, frequencies) => {
    for (const size of [200, 1000, 5000, 131_072]) await expectSame(drawn(size, frequencies, size));
  });

  it('of one byte repeated take a few bytes', async () => {
    for (const byte of [0, 7, 255]) expect((await expectSame(new Uint8Array(131_072).fill(byte))).byteLength).toBeLessThan(20);
  });

  it('of any frequencies', async () => {
    for (let seed = 1; seed <= 120; seed++) {
      const random = seeded(seed);
      const used = 1 + Math.floor(random() * 256);
      const skew = random() * 20;
      const frequencies = Array.from({ length: 256 }, () => (random() * 256 < used ? Math.exp(-skew * random()) : 0));
      if (frequencies.every((frequency) => frequency === 0)) continue;
      const size = 1 + Math.floor(random() ** 3 * 140_000);
      await expectSame(drawn(size, frequencies, seed), 1 + Math.floor(random() * size));
    }
  }, 120_000);
});

describe('lengths of codes', () => {
  it('make a complete tree within the limit, whatever the counts', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = seeded(seed);
      const counts = Uint32Array.from({ length: 256 }, () => (random() < 0.7 ? Math.floor(Math.exp(11 * random() ** (1 + (seed % 5)))) : 0));
      if (counts.filter((count) => count > 0).length < 2) continue;
      const lengths = huffmanLengths(counts);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_CODE_BITS);
      expect(lengths.reduce((sum, bits) => sum + (bits === 0 ? 0 : 2 ** -bits), 0)).toBe(1);
      expect(lengths.every((bits, byte) => (bits === 0) === (counts[byte] === 0))).toBe(true);
    }
  });

  it('are those of Huffman where none is too long', () => {
    // The classical example: 45, 13, 12, 16, 9, 5 (Cormen et al., Introduction to Algorithms, section 16.3).
    const counts = new Uint32Array(256);
    counts.set([45, 13, 12, 16, 9, 5], 97);
    expect([...huffmanLengths(counts).subarray(97, 103)]).toEqual([1, 3, 3, 3, 4, 4]);
  });
});

describe('damaged frames', () => {
  it('give bytes or a refusal, never more', () => {
    const bytes = drawn(3000, EXPONENTS, 5);
    const frame = encode(bytes);
    for (let at = 0; at < frame.byteLength; at++) {
      for (const mask of [1, 0x10, 0xff]) {
        const damaged = Uint8Array.from(frame);
        damaged[at] = (damaged[at] ?? 0) ^ mask;
        expect([0, 3000]).toContain(decode(damaged, 3000)?.byteLength ?? 0);
      }
      expect(decode(frame.subarray(0, at), 3000)).toBeNull();
    }
  });

  it('of pseudo-random trees and streams too', () => {
    const random = seeded(77);
    for (let round = 0; round < 5000; round++) {
      const content = Uint8Array.from({ length: 20 + Math.floor(random() * 100) }, () => random() * 256);
      const size = content.byteLength + 5 + 1;
      const regenerated = round % 2 === 0 ? 131_072 : 300;
      const fields = 2 + 4 * 3 + 16 * regenerated + content.byteLength * 2 ** 22;
      const head = [0, 1, 2, 3, 4].map((i) => Math.floor(fields / 256 ** i) % 256);
      const frame = Uint8Array.from([
        ...[0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...[0, 8, 16].map((shift) => (regenerated >>> shift) & 255), 0],
        ...[0, 8, 16].map((shift) => ((1 | (2 << 1) | (size << 3)) >>> shift) & 255),
        ...head,
        ...content,
        0,
      ]);
      expect([0, regenerated]).toContain(decode(frame, regenerated)?.byteLength ?? 0);
    }
  });
});
