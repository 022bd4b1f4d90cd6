import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entry, fromBufferPromise } from 'yauzl';
import type { ComparedGroup } from '../../../shared/model/comparison';
import { fileIdentity } from '../../bytes/fileIdentity';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { openFile } from '../checkpoints/openFile';
import { floats, noise, safetensorsFile, type Value } from '../tracker/testing/safetensorsFile';
import type { ComparedCheckpoint } from './comparedCheckpoint';
import { compareSides } from './compareSides';
import { describeMoves } from './noteMoves';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-comparer-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pool = createInProcessPool();
let files = 0;

async function openPath(path: string): Promise<ComparedCheckpoint> {
  const { identity, bytes } = await fileIdentity(path);
  const opened = await openFile({ version: { commit: null, path }, storage: 'file', original: { path, bytes, expected: null }, name: path });
  return { opened, repository: null, identity };
}

async function file(values: Readonly<Record<string, Value>>, metadata: Readonly<Record<string, string>> | null = null): Promise<ComparedCheckpoint> {
  const path = join(folder, `${files++}.safetensors`);
  await writeFile(path, safetensorsFile(values, metadata));
  return openPath(path);
}

/** Contents of the entries of a zip file whose names match, by name. */
async function zipEntries(path: string, wanted: RegExp): Promise<Uint8Array[]> {
  const found: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  const zip = await fromBufferPromise(await readFile(path));
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    if (!wanted.test(entry.fileName)) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
    found.push({ name: entry.fileName, bytes: Buffer.concat(chunks) });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ bytes }) => bytes);
}

const short = ({ a, b, change, renamedBy }: ComparedGroup) => [change, a?.name ?? null, b?.name ?? null, ...(renamedBy === null ? [] : [renamedBy])];

async function compared(before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>) {
  const { groups, notes } = await compareSides({ a: await file(before), b: await file(after) }, { pool });
  return { rows: groups.map(short), notes };
}

/** A matrix of 4 kB, and one too large to be compared while the comparison is opened. */
const matrix = (seed: number): Value => floats(noise(1024, seed), [32, 32]);
const large = (seed: number): Value => floats(noise(30_000, seed), [300, 100]);
const trained = (value: Value, by: number): Value => {
  const before = new Float32Array(value.bytes.slice().buffer);
  return floats(
    before.map((x, index) => x + by * Math.sin(index)),
    value.shape,
  );
};

describe('compareSides', () => {
  it('matches by name and says what is certain without reading large values', async () => {
    const before = { same: matrix(1), changed: matrix(2), shape: matrix(3), type: matrix(4), large: large(5), gone: large(6) };
    const after = {
      same: matrix(1),
      added: floats([1, 2, 3]),
      changed: matrix(7),
      shape: floats([1]),
      type: { ...matrix(4), dtype: 'int32' as const },
      large: large(5),
    };
    const { rows } = await compared(before, after);
    expect(rows).toEqual([
      ['unchanged', 'same', 'same'],
      ['added', null, 'added'],
      ['modified', 'changed', 'changed'],
      ['modified', 'shape', 'shape'],
      ['modified', 'type', 'type'],
      ['unknown', 'large', 'large'],
      ['removed', 'gone', null],
    ]);
  });

  it('puts removed groups behind those that they followed', async () => {
    const { rows } = await compared({ r0: floats([1]), x: floats([2]), r1: floats([3]), r2: floats([4]), y: floats([5]) }, { y: floats([5]), x: floats([2]) });
    expect(rows.map(([, a, b]) => b ?? `-${a}`)).toEqual(['-r0', 'y', 'x', '-r1', '-r2']);
  });

  it('finds renamed groups by their content, whatever their size', async () => {
    const before = { 'layers.0.w': large(1), 'layers.0.b': floats(noise(32, 3)), 'layers.1.w': large(2), other: matrix(9) };
    const after = { 'blocks.0.w': large(1), 'blocks.0.b': floats(noise(32, 3)), 'blocks.1.w': large(2), another: large(8) };
    const { rows } = await compared(before, after);
    expect(rows).toEqual([
      ['renamed', 'layers.0.w', 'blocks.0.w', 'content'],
      ['renamed', 'layers.0.b', 'blocks.0.b', 'content'],
      ['renamed', 'layers.1.w', 'blocks.1.w', 'content'],
      ['removed', 'other', null],
      ['added', null, 'another'],
    ]);
  });

  it('gives equal values to the likest names, and does not take two vectors of zeros for one', async () => {
    const zeros = floats([0, 0, 0, 0]);
    const { rows } = await compared({ 'a.norm.bias': zeros, 'b.norm.bias': zeros, gone: zeros }, { 'x.b.norm.bias': zeros, 'x.a.norm.bias': zeros, q: zeros });
    expect(rows).toEqual([
      ['renamed', 'b.norm.bias', 'x.b.norm.bias', 'content'],
      ['removed', 'gone', null],
      ['renamed', 'a.norm.bias', 'x.a.norm.bias', 'content'],
      ['added', null, 'q'],
    ]);
  });

  it('finds groups that were renamed and trained on, when that is convincing', async () => {
    const before = { 'layers.0.w': large(1), 'layers.1.w': large(2), 'head.w': matrix(3), 'far.away.thing': matrix(5) };
    const after = {
      'model.layers.0.w': trained(large(1), 0.001),
      'model.layers.1.w': trained(large(2), 0.001),
      // As like by name, but another value; and as like by value, but another name.
      'model.head.w': matrix(4),
      quite_different: trained(matrix(5), 0.001),
    };
    const { rows } = await compared(before, after);
    expect(rows.filter(([change]) => change === 'renamed')).toEqual([
      ['renamed', 'layers.0.w', 'model.layers.0.w', 'likeness'],
      ['renamed', 'layers.1.w', 'model.layers.1.w', 'likeness'],
    ]);
    expect(rows).toHaveLength(6);
  });

  it('leaves what two names could be', async () => {
    const { rows } = await compared({ 'm.w': matrix(1) }, { 'a.m.w': trained(matrix(1), 0.001), 'b.m.w': trained(matrix(1), 0.002) });
    expect(rows.map(([change]) => change)).toEqual(['removed', 'added', 'added']);
  });

  it('keeps swapped groups under their names and says where the values went', async () => {
    const before = { 'layers.3.q': large(1), 'layers.3.k': large(2), 'layers.4.q': large(3), 'layers.4.k': large(4), 'norm.w': large(5) };
    const after = { 'layers.3.q': large(3), 'layers.3.k': large(4), 'layers.4.q': large(1), 'layers.4.k': large(2), 'norm.w': large(6) };
    const { rows, notes } = await compared(before, after);
    expect(rows.map(([change, a, b]) => [change, a === b])).toEqual(Array(5).fill(['unknown', true]));
    expect(notes).toEqual(['layers.4 and layers.3 have changed places (2 matrices each).']);
  });

  it('gives a name up when its group has another shape and its value is found under another name', async () => {
    // Names that an exporter counts: one more layer before them moves them all.
    const before = { Conv_32: large(1), Conv_33: floats(noise(16, 2)), Conv_35: matrix(3), Conv_36: floats(noise(16, 4)) };
    const after = { Conv_34: large(1), Conv_35: floats(noise(16, 2)), Conv_37: matrix(3), Conv_38: floats(noise(16, 4)) };
    const { rows } = await compared(before, after);
    expect(rows).toEqual([
      ['renamed', 'Conv_32', 'Conv_34', 'content'],
      ['renamed', 'Conv_33', 'Conv_35', 'content'],
      ['renamed', 'Conv_35', 'Conv_37', 'content'],
      ['renamed', 'Conv_36', 'Conv_38', 'content'],
    ]);
  });

  it('knows a checkpoint in two formats for the same, with metadata and rest apart', async () => {
    // PyTorch's own file; its zip entries are the raw bytes of the storages.
    const path = fileURLToPath(new URL('../../../e2e/fixtures/checkpoints/pytorch/plain.pt', import.meta.url));
    const storages = await zipEntries(path, /\/data\/\d+$/);
    const [a, b] = storages.map((bytes, index): Value => ({ dtype: 'float32', shape: index === 0 ? [3, 4] : [5], bytes }));
    if (a === undefined || b === undefined) throw new Error('The file has other storages');
    const { groups, metadata, notes } = await compareSides({ a: await openPath(path), b: await file({ b, a }, { format: 'pt' }) }, { pool });
    expect(groups.map(short)).toEqual([
      ['unchanged', 'b', 'b'],
      ['unchanged', 'a', 'a'],
    ]);
    expect([metadata, notes]).toEqual([[{ key: 'format', a: null, b: 'pt' }], []]);
  });

  it('lists metadata that differs', async () => {
    const sides = { a: await file({ x: floats([1]) }, { format: 'pt', epoch: '1' }), b: await file({ x: floats([1]) }, { format: 'pt', note: 'é' }) };
    expect((await compareSides(sides, { pool })).metadata).toEqual([
      { key: 'epoch', a: '1', b: null },
      { key: 'note', a: null, b: 'é' },
    ]);
  });

  it('passes ties on, and compares a file with nothing', async () => {
    const tied = await openPath(fileURLToPath(new URL('../../../e2e/fixtures/checkpoints/pytorch/tied.pt', import.meta.url)));
    const { groups } = await compareSides({ a: tied, b: tied }, { pool });
    expect(groups.every(({ change }) => change === 'unchanged')).toBe(true);
    expect(groups.some(({ b }) => b?.tiedTo !== null)).toBe(true);
    const none = await compareSides({ a: await file({}), b: tied }, { pool });
    expect(new Set(none.groups.map(({ change }) => change))).toEqual(new Set(['added']));
  });

  it('can be cancelled', async () => {
    const sides = { a: await file({ x: matrix(1) }), b: await file({ x: matrix(2) }) };
    await expect(compareSides(sides, { pool, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('describeMoves', () => {
  it('says once what changed places, and what only moved', () => {
    expect(
      describeMoves([
        { from: 'a.0.w', to: 'a.1.w' },
        { from: 'a.1.w', to: 'a.0.w' },
        { from: 'x/w', to: 'y/w' },
        { from: 'p', to: 'q' },
      ]),
    ).toEqual([
      'a.0 and a.1 have changed places (1 matrix each).',
      'What x holds in A, y holds in B (1 matrix).',
      'What p holds in A, q holds in B (1 matrix).',
    ]);
  });
});
