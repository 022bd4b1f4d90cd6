import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import { memorySource } from '../../bytes/memorySource';
import { collect } from '../testing/collect';
import { openZarrObject } from './openZarrObject';

const FOLDER = new URL('../../../e2e/fixtures/vectors/updates/', import.meta.url);
const others: readonly { readonly name: string; readonly object: string }[] = JSON.parse(
  readFileSync(new URL('testing/otherWriters.json', import.meta.url), 'utf8'),
);

/** One object of every way to store, small enough to be cut at every byte. */
const objects: readonly (readonly [string, Uint8Array])[] = [
  ...['dense_f32_7x5', 'dense_bool_104', 'dense_i16_300', 'dense_f64_33', 'sparse_computed_float32', 'lowrank_side_k3', 'dense_f32_0d'].map(
    (name) => [name, Uint8Array.from(readFileSync(new URL(`${name}.lfs`, FOLDER)))] as const,
  ),
  ...others.filter(({ object }) => object.length < 6000).map(({ name, object }) => [name, Uint8Array.from(Buffer.from(object, 'base64'))] as const),
];

/** Reads everything, but no more than a few megabytes of made-up elements. @returns whether that went well */
async function readable(bytes: Uint8Array): Promise<boolean> {
  try {
    for (const array of (await openZarrObject(memorySource(bytes))).values()) {
      let total = 0;
      for await (const block of array.blocks()) {
        total += block.byteLength;
        if (total > 8_000_000) break;
      }
    }
    return true;
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    expect(['malformed', 'truncated', 'too-large', 'unsupported-format']).toContain(error.code);
    return false;
  }
}

describe('damaged objects', () => {
  it.each(objects)('%s, cut at every byte', async (_, bytes) => {
    expect(await readable(bytes)).toBe(true);
    for (let length = 0; length < bytes.byteLength; length++) expect(await readable(bytes.subarray(0, length))).toBe(false);
  });

  it.each(objects)('%s, with a byte too many', async (_, bytes) => {
    expect(await readable(Buffer.concat([bytes, Uint8Array.of(0)]))).toBe(false);
  });

  it.each(objects)('%s, with changed bytes', async (_, bytes) => {
    const random = generator(bytes.byteLength);
    for (let round = 0; round < 250; round++) {
      const changed = Uint8Array.from(bytes);
      for (let i = 0; i <= round % 3; i++)
        changed[random(bytes.byteLength)] = random(4) === 0 ? random(256) : (bytes[random(bytes.byteLength)] ?? 0) ^ (1 << random(8));
      await readable(changed);
    }
  });
});

/** A small linear congruential generator, so that a failure can be repeated. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function pack(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x81, 0xa9), Buffer.from('parameter'), Uint8Array.of(0x80 | Object.keys(files).length)];
  for (const [name, content] of Object.entries(files)) {
    parts.push(Uint8Array.of(0xa0 | name.length), Buffer.from(name), Uint8Array.of(0xc5, content.byteLength >> 8, content.byteLength & 255), content);
  }
  return Buffer.concat(parts);
}

function header(fields: Readonly<Record<string, unknown>>): Uint8Array {
  const plain = { zarr_format: 2, shape: [4], chunks: [4], dtype: '<f4', compressor: null, fill_value: null, filters: null, order: 'C' };
  return Buffer.from(JSON.stringify({ ...plain, ...fields }));
}

/** A Blosc frame that says what it likes. */
function frame(flags: number, sizes: { readonly bytes: number; readonly block: number }, body: readonly number[] = []): Uint8Array {
  const view = new DataView(new ArrayBuffer(16 + body.length));
  view.setUint32(0, 0x00000102 | (flags << 16) | (4 << 24), true);
  view.setUint32(4, sizes.bytes, true);
  view.setUint32(8, sizes.block, true);
  view.setUint32(12, 16 + body.length, true);
  const bytes = new Uint8Array(view.buffer);
  bytes.set(body, 16);
  return bytes;
}

const blosc = { id: 'blosc', cname: 'lz4' };
const four = new Uint8Array(16);

describe('objects that promise too much', () => {
  it.each([
    ['a shape of 10^15 with nothing stored', { '.zarray': header({ shape: [1e15], chunks: [1e6] }) }, 'too-large'],
    ['one chunk of 10^15', { '.zarray': header({ shape: [1e15], chunks: [1e15] }), '0': four }, 'malformed'],
    ['one compressed chunk of 10^15', { '.zarray': header({ shape: [1e15], chunks: [1e15], compressor: { id: 'zstd' } }), '0': four }, 'malformed'],
    ['a product beyond 2^53', { '.zarray': header({ shape: [1e10, 1e10], chunks: [1, 1] }) }, 'malformed'],
    ['chunks beyond 2^53', { '.zarray': header({ shape: [4, 4], chunks: [1e10, 1e10] }) }, 'malformed'],
    ['10^9 chunks of one byte of which none is there', { '.zarray': header({ shape: [1e9], chunks: [1], dtype: '|u1' }) }, 'too-large'],
    ['10^12 chunks of which one is there', { '.zarray': header({ shape: [1e12], chunks: [1] }), '0': new Uint8Array(4) }, 'too-large'],
    [
      'a frame of 4 GB in 20 bytes',
      {
        '.zarray': header({ shape: [2 ** 30], chunks: [2 ** 30], compressor: blosc }),
        '0': frame(0x21, { bytes: 0xfffffffc, block: 0xfffffffc }, [0, 0, 0, 0]),
      },
      'malformed',
    ],
    ['more blocks than the frame has room for', { '.zarray': header({ compressor: blosc }), '0': frame(0x21, { bytes: 16, block: 4 }) }, 'malformed'],
    ['a frame of another size', { '.zarray': header({ compressor: blosc }), '0': frame(0x33, { bytes: 8, block: 8 }, [0, 0, 0, 0, 0, 0, 0, 0]) }, 'malformed'],
    ['an edge chunk without its padding', { '.zarray': header({ shape: [6] }), '0': four, '1': new Uint8Array(8) }, 'malformed'],
    ['filters', { '.zarray': header({ filters: [{ id: 'delta' }] }) }, 'unsupported-format'],
    [
      'no compressor',
      { '.zarray': Buffer.from(JSON.stringify({ zarr_format: 2, shape: [4], chunks: [4], dtype: '<f4', fill_value: null, filters: null, order: 'C' })) },
      'malformed',
    ],
    ['another compressor', { '.zarray': header({ compressor: { id: 'lzma' } }) }, 'unsupported-format'],
    ['another version of zarr', { '.zarray': header({ zarr_format: 3 }) }, 'malformed'],
    ['text', { '.zarray': header({ dtype: '|S4' }) }, 'unsupported-format'],
    ['records', { '.zarray': header({ dtype: [['a', '<f4']] }) }, 'unsupported-format'],
    ['a fractional extent', { '.zarray': header({ shape: [1.5] }) }, 'malformed'],
    ['a negative extent', { '.zarray': header({ shape: [-4] }) }, 'malformed'],
    ['chunks of nothing', { '.zarray': header({ chunks: [0] }) }, 'malformed'],
    ['fewer axes of chunks', { '.zarray': header({ chunks: [] }) }, 'malformed'],
    ['65 axes', { '.zarray': header({ shape: new Array(65).fill(1), chunks: new Array(65).fill(1) }) }, 'malformed'],
    ['a fill value that does not fit', { '.zarray': header({ dtype: '|u1', fill_value: 256 }) }, 'malformed'],
    ['no description', { '0': four }, 'malformed'],
    ['a description that is a list', { '.zarray': Buffer.from('[]') }, 'malformed'],
  ] as const)('%s', async (_, files, code) => {
    const before = process.memoryUsage();
    const error = await (async () => {
      for (const array of (await openZarrObject(memorySource(pack(files)))).values()) for await (const _block of array.blocks());
      return undefined;
    })().catch((thrown: unknown) => thrown);
    if (!(error instanceof CheckpointError)) throw new Error(`No CheckpointError: ${String(error)}`);
    expect(error.code).toBe(code);
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(200_000_000);
  });
});

describe('grids of very many chunks', () => {
  it('reads more than a hundred thousand chunks of one element', async () => {
    // git-theta's rule gives chunks of one element from [2]*21 on; the same path with fewer.
    const shape = new Array(17).fill(2);
    const values = Uint8Array.from({ length: 2 ** 17 }, (_, i) => i * 7);
    const keys = Array.from(values, (value, i) => [i.toString(2).padStart(17, '0').split('').join('.'), Uint8Array.of(value)] as const);
    const parts: Uint8Array[] = [Uint8Array.of(0x81, 0xa9), Buffer.from('parameter'), Uint8Array.of(0xdf, 0, 2, 0, 1)];
    const description = header({ shape, chunks: new Array(17).fill(1), dtype: '|u1' });
    parts.push(Uint8Array.of(0xa7), Buffer.from('.zarray'), Uint8Array.of(0xc5, description.byteLength >> 8, description.byteLength & 255), description);
    for (const [key, content] of keys) parts.push(Uint8Array.of(0xd9, key.length), Buffer.from(key), Uint8Array.of(0xc4, 1), content);
    const array = (await openZarrObject(memorySource(Buffer.concat(parts)))).get('parameter');
    if (array === undefined) throw new Error('no array');
    expect(Buffer.compare(await collect(array.blocks()), values)).toBe(0);
  });
});
