import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isCommitHash } from '../../shared/model/commit';
import { findNotedBase, type NotedBases } from './findNotedBase';
import type { ThetaEntry } from './metadata';

interface Base {
  readonly type: string;
  readonly oid: string;
  readonly size: number;
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'theta-noted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (oid: string) => join(folder, oid.slice(0, 2), oid.slice(2, 4), oid);

/** A zarr array of bytes that is stored as it is. */
function bytesArray(bytes: Uint8Array): Record<string, Uint8Array> {
  const length = bytes.byteLength;
  const header = { chunks: [length], compressor: null, dtype: '|u1', fill_value: null, filters: null, order: 'C', shape: [length], zarr_format: 2 };
  return { '.zarray': Buffer.from(JSON.stringify(header)), '0': bytes };
}

/** An object that notes what it builds on; `oid` when it is not to be its own digest. */
function put(base: Base | null, { salt = '', oid: given = '' } = {}): Base {
  const notes = base === null ? {} : { theta_desktop: bytesArray(Buffer.from(JSON.stringify({ base }))) };
  const bytes = encode({ data: bytesArray(Buffer.from(`data ${salt}`)), ...notes });
  const oid = given === '' ? createHash('sha256').update(bytes).digest('hex') : given;
  mkdirSync(dirname(pathOf(oid)), { recursive: true });
  writeFileSync(pathOf(oid), bytes);
  return { type: base === null ? 'dense' : 'sparse', oid, size: bytes.byteLength };
}

function search({ oid, size, type }: Base, noted: NotedBases = new Map(), signal?: AbortSignal) {
  const commit = 'c'.repeat(40);
  if (!isCommitHash(commit)) throw new TypeError(commit);
  const entry: ThetaEntry = { keys: ['w'], name: 'w', dtype: 'float32', shape: [3], signature: null, oid, bytes: size, updateType: type, lastCommit: commit };
  const here = { place: { commit, path: 'm.pt', blob: 'b'.repeat(40) }, entry };
  return findNotedBase({ here, objectPath: pathOf, noted, signal });
}

describe('findNotedBase', () => {
  it('gives the base that an object notes, as an entry of the same group', async () => {
    const dense = put(null);
    const found = await search(put(dense));
    expect(found?.entry).toMatchObject({ name: 'w', oid: dense.oid, bytes: dense.size, updateType: 'dense', dtype: 'float32', shape: [3], lastCommit: null });
    expect(found?.place).toMatchObject({ path: 'm.pt', blob: `object ${dense.oid}` });
  });

  it('steps down one base at a time, to a dense end', async () => {
    const dense = put(null);
    const one = put(dense);
    const two = put(one);
    const first = await search(two);
    expect(first?.entry).toMatchObject({ oid: one.oid, updateType: 'sparse' });
    expect((await search({ type: 'sparse', oid: one.oid, size: one.size }))?.entry).toMatchObject({ oid: dense.oid, updateType: 'dense' });
  });

  it('2,000 notes are followed without recursion, and each is read once', async () => {
    let last = put(null);
    for (let number = 0; number < 2000; number++) last = put(last, { salt: `${number}` });
    const noted: NotedBases = new Map();
    const found = await search(last, noted);
    expect(found?.entry.updateType).toBe('sparse');
    expect(noted.size).toBe(2000);
    // What is known is not read again.
    rmSync(folder, { recursive: true });
    expect((await search(last, noted))?.entry.oid).toBe(found?.entry.oid);
  });

  it('nothing, when the object notes nothing', async () => {
    expect(await search({ ...put(null), type: 'sparse' })).toBeNull();
  });

  it('nothing, when a note further down is missing: a chain without its end is none', async () => {
    const bare = { ...put(null, { salt: 'written by git-theta' }), type: 'sparse' };
    expect(await search(put(put(bare)))).toBeNull();
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['truncated', (path: string) => writeFileSync(path, Buffer.alloc(5))],
    ['nonsense of the right size', (path: string, size: number) => writeFileSync(path, Buffer.alloc(size, 7))],
  ])('nothing, when an object on the way is %s, and the base once it is back', async (_what, damage) => {
    const dense = put(null);
    const one = put(dense);
    const two = put(one);
    const noted: NotedBases = new Map();
    damage(pathOf(one.oid), one.size);
    expect(await search(two, noted)).toBeNull();
    put(dense);
    expect((await search(two, noted))?.entry.oid).toBe(one.oid);
  });

  it('the dense end itself need not be there: whoever reads it says that it is missing', async () => {
    const dense = put(null);
    const one = put(dense);
    rmSync(pathOf(dense.oid));
    expect((await search(one))?.entry.oid).toBe(dense.oid);
  });

  it('nothing, when notes run in a circle', async () => {
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
    const size = put({ type: 'sparse', oid: b, size: 1000 }, { oid: a }).size;
    put({ type: 'sparse', oid: a, size }, { oid: b });
    // Sizes that are right, so that only the circle is wrong.
    put({ type: 'sparse', oid: b, size }, { oid: a });
    const there = put({ type: 'sparse', oid: a, size }, { oid: b }).size;
    put({ type: 'sparse', oid: b, size: there }, { oid: a });
    expect(await search({ type: 'sparse', oid: a, size: put({ type: 'sparse', oid: b, size: there }, { oid: a }).size })).toBeNull();
    const self = 'd'.repeat(64);
    const own = put({ type: 'sparse', oid: self, size: 999 }, { oid: self }).size;
    put({ type: 'sparse', oid: self, size: own }, { oid: self });
    expect(await search({ type: 'sparse', oid: self, size: put({ type: 'sparse', oid: self, size: own }, { oid: self }).size })).toBeNull();
  });

  it.each([
    ['of no type', { type: 'magic', oid: 'a'.repeat(64), size: 1 }],
    ['of no object', { type: 'dense', oid: '../../etc/passwd', size: 1 }],
    ['of no size', { type: 'dense', oid: 'a'.repeat(64), size: -1 }],
  ])('nothing, when the note is %s', async (_what, base) => {
    expect(await search(put(base))).toBeNull();
  });

  it('stops when it is cancelled', async () => {
    const dense = put(null);
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(search(put(put(dense)), new Map(), controller.signal)).rejects.toThrow();
  });
});
