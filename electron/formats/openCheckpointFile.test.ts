import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_IDS, type FormatId } from '../../shared/model/checkpoint';
import { layoutFlax } from './flax/layoutFlax';
import { layoutNpz } from './npz/layoutNpz';
import { openCheckpointFile } from './openCheckpointFile';
import { FORMATS, formatById, formatOfContent, HEAD_BYTES } from './registry';
import { layoutSafetensors } from './safetensors/layoutSafetensors';
import { materialise } from './testing/materialise';

const FIXTURES = fileURLToPath(new URL('../../e2e/fixtures/', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-open-'));
});
afterAll(() => rm(folder, { recursive: true }));

const openBytes = (bytes: Uint8Array) => openCheckpointFile({ kind: 'memory', bytes }, 'model.bin');

describe('FORMATS', () => {
  it('has every format once', () => {
    expect(FORMATS.map(({ id }) => id).sort()).toEqual(FORMAT_IDS.filter((id) => id !== 'unknown').sort());
    for (const format of FORMATS) expect(formatById(format.id)).toBe(format);
    expect(formatById('unknown')).toBeNull();
  });
});

describe('real files of every format', () => {
  const cases: [string, FormatId][] = [
    ['checkpoints/safetensors', 'safetensors'],
    ['checkpoints/pytorch', 'pytorch'],
    ['digits/checkpoints', 'pytorch'],
    ['digits/checkpoints', 'onnx'],
    ['onnx', 'onnx'],
    ['npz', 'npz'],
    ['flax', 'flax'],
  ];
  const extensions: Partial<Record<FormatId, RegExp>> = {
    safetensors: /\.safetensors$/,
    pytorch: /\.(?:pt|ckpt)$/,
    onnx: /\.onnx$/,
    npz: /\.npz$/,
    flax: /\.msgpack$/,
  };
  it.each(cases)('%s: each is taken by %s alone', async (directory, id) => {
    const names = (await readdir(join(FIXTURES, directory))).filter((name) => extensions[id]?.test(name));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const bytes = await readFile(join(FIXTURES, directory, name));
      const takers = FORMATS.filter((format) => format.matches(bytes.subarray(0, HEAD_BYTES), bytes.byteLength));
      expect([name, takers.map((format) => format.id)]).toEqual([name, [id]]);
      expect(formatOfContent(bytes.subarray(0, HEAD_BYTES), bytes.byteLength)).toBe(formatById(id));
    }
  });

  it('opens a file whatever its name', async () => {
    const path = join(folder, 'weights.pt');
    await writeFile(path, await readFile(join(FIXTURES, 'checkpoints/safetensors/plain.safetensors')));
    const checkpoint = await openCheckpointFile({ kind: 'file', path }, 'weights.pt');
    expect(checkpoint.format).toBe('safetensors');
    expect(checkpoint.groups.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    expect(checkpoint.groups[0]?.data).toMatchObject({ source: { kind: 'file', path } });
  });

  it.each([
    ['safetensors', layoutSafetensors],
    ['npz', layoutNpz],
    ['flax', layoutFlax],
  ] as const)('opens an empty checkpoint that is written as %s', async (id, layout) => {
    const bytes = materialise(layout([], []), []);
    expect(await openBytes(bytes)).toMatchObject({ format: id, groups: [] });
  });

  it('tells a safetensors file whose length looks like a pickle', () => {
    const groups = [{ keys: ['w'.repeat(0x5d0200)], dtype: 'uint8' as const, shape: [0] }];
    const file = Buffer.from(materialise(layoutSafetensors(groups, []), [new Uint8Array(0)]));
    // As many spaces as make the length begin with 80 02 5d, a pickle of protocol 2 with a list.
    const length = 0x5d0280;
    const padded = Buffer.concat([file, Buffer.alloc(8 + length - file.byteLength, ' ')]);
    padded.writeBigUInt64LE(BigInt(length));
    expect(FORMATS.find((format) => format.matches(padded.subarray(0, 4096), padded.byteLength))?.id).toBe('safetensors');
  });
});

describe('what is no checkpoint', () => {
  const oid = 'ab'.repeat(32);
  it.each<[string, Uint8Array, object]>([
    ['an empty file', new Uint8Array(0), { code: 'truncated', message: 'The file is empty.' }],
    [
      'an LFS pointer',
      Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 123456\n`),
      { code: 'missing-object', place: { file: 'model.bin', oid } },
    ],
    [
      'git-theta metadata',
      Buffer.from('{\n "w": {"lfs_metadata": {"version": "x"}}}'),
      { code: 'unsupported-format', message: expect.stringContaining('git-theta'), hint: expect.stringContaining('repository') },
    ],
    ['conflict markers', Buffer.from('<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n'), { code: 'conflict' }],
    ['HDF5', Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), { code: 'unsupported-format', message: expect.stringContaining('HDF5') }],
    ['GGUF', Buffer.from('GGUF\x03\0\0\0'), { code: 'unsupported-format', message: expect.stringContaining('GGUF') }],
    ['gzip', gzipSync('x'), { code: 'unsupported-format', message: expect.stringContaining('gzip') }],
    ['a web page', Buffer.from('\n<!DOCTYPE html><title>404</title>'), { code: 'unsupported-format', message: expect.stringContaining('web page') }],
    ['text', Buffer.from('hello world'), { code: 'unsupported-format', message: expect.stringContaining('"hello world"') }],
    ['bytes', Buffer.of(1, 2, 0xff), { code: 'unsupported-format', message: expect.stringContaining('01 02 ff') }],
  ])('%s', async (_, bytes, error) => {
    await expect(openBytes(bytes)).rejects.toMatchObject(error);
  });

  it('a folder, and a file that is not there', async () => {
    const path = join(folder, 'folder');
    await mkdir(path);
    await expect(openCheckpointFile({ kind: 'file', path }, 'folder')).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(openCheckpointFile({ kind: 'file', path: join(folder, 'none') }, 'none')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('nothing is opened after it was cancelled', async () => {
    const bytes = await readFile(join(FIXTURES, 'checkpoints/safetensors/plain.safetensors'));
    await expect(openCheckpointFile({ kind: 'memory', bytes }, 'f', AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('every hostile fixture ends in a CheckpointError or in a checkpoint, and none is internal', async () => {
    const directory = join(FIXTURES, 'checkpoints/hostile');
    for (const name of (await readdir(directory)).filter((file) => file !== 'README.md')) {
      const result = await openCheckpointFile({ kind: 'file', path: join(directory, name) }, name).catch((error: unknown) => error);
      if (name.endsWith('.safetensors') || name === 'lfs_pointer.pt' || name === 'empty.pt') expect(result).toBeInstanceOf(Error);
      if (result instanceof Error)
        expect(result).toMatchObject({ name: 'CheckpointError', code: expect.not.stringMatching('internal'), place: { file: name } });
    }
  });
});
