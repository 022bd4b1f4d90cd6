import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { repositoryNames, type UnpackedRepository, unpackRepository } from '../../../e2e/fixtures/unpackRepository';
import type { CommitHash } from '../../../shared/model/commit';
import { TIMELINE_KINDS, type TimelineIndex } from '../../../shared/model/timeline';
import { isUpdateKind } from '../../../shared/model/update';
import { makeRepository, temporaryFolder } from '../../git/testing/testRepository';
import { diffMetadata } from '../../theta/diffMetadata';
import type { ThetaMetadata } from '../../theta/metadata';
import { parseMetadata } from '../../theta/parseMetadata';
import { createBlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import { openOne } from '../repositories/repositoryCache';
import { stateFolder } from '../stateFolder';
import { groupHistory } from './groupHistory';
import { safetensorsBytes } from './testing/safetensorsBytes';
import { timelineIndex } from './timelines';

const never = new AbortController().signal;
let cache: string;
beforeAll(async () => {
  cache = await temporaryFolder();
});
afterAll(() => rm(cache, { recursive: true, force: true }));

type Scope = Parameters<typeof timelineIndex>[1]['scope'];

function look(repository: OpenedRepository, path: string, scope: Scope = { kind: 'all' }, signal = never): Promise<TimelineIndex> {
  return timelineIndex(repository, { path, scope }, { blobFiles: createBlobFiles(cache), signal });
}

/** By commit: what it did to each group, in words. */
function told({ columns, rows, changes }: TimelineIndex): Record<string, string[]> {
  return Object.fromEntries(
    columns.map(({ commit }, column) => {
      const entries: string[] = [];
      for (let at = changes.starts[column] ?? 0; at < (changes.starts[column + 1] ?? 0); at++) {
        entries.push(`${rows[changes.rows[at] ?? 0]?.name} ${TIMELINE_KINDS[changes.kinds[at] ?? 0]} ${changes.storedBytes[at]}`);
      }
      return [commit, entries.sort()];
    }),
  );
}

/** The same from git and the full parser, commit by commit. */
function truth(folder: string, path: string): Record<string, string[]> {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });
  const metadata = (commit: string): ThetaMetadata | null => {
    try {
      return parseMetadata(git('cat-file', 'blob', `${commit}:${path}`), path);
    } catch {
      return null;
    }
  };
  const lines = git('rev-list', '--all', '--parents').toString().trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [commit = '', parent] = line.split(' ');
      const { added, removed, renamed, modified } = diffMetadata(parent === undefined ? null : metadata(parent), metadata(commit));
      return [
        commit,
        [
          ...added.map(({ name, bytes }) => `${name} added ${bytes}`),
          ...removed.map(({ name }) => `${name} removed 0`),
          ...renamed.flatMap(({ a, b }) => [`${a.name} removed 0`, `${b.name} renamed ${b.bytes}`]),
          ...modified.map(({ name, bytes, updateType }) => `${name} ${isUpdateKind(updateType) ? updateType : 'other'} ${bytes}`),
        ].sort(),
      ];
    }),
  );
}

function checkShape({ columns, rows, changes }: TimelineIndex): void {
  expect(changes.starts).toHaveLength(columns.length + 1);
  for (const [column, { parents }] of columns.entries()) {
    for (const parent of parents) expect(parent).toBeLessThan(column);
    const entries = changes.rows.slice(changes.starts[column], changes.starts[column + 1]);
    expect([...entries]).toEqual([...entries].sort((a, b) => a - b));
    for (const row of entries) expect(row).toBeLessThan(rows.length);
  }
  expect(changes.starts.at(-1)).toBe(changes.rows.length);
}

const THETA = (await repositoryNames()).filter((name) => !name.startsWith('g-'));

describe.each(THETA)('the timeline of %s', (name) => {
  let unpacked: UnpackedRepository;
  let paths: string[];
  beforeAll(async () => {
    unpacked = await unpackRepository(name);
    const all = execFileSync('git', ['-C', unpacked.path, 'log', '--all', '--format=', '--name-only']).toString().split('\n');
    paths = [...new Set(all)].filter((path) => /\.(pt|safetensors|msgpack|bin)$/.test(path));
  });
  afterAll(() => unpacked.dispose());

  it.each(['native', 'isomorphic'] as const)('is what git and the full parser say (%s), and the same again', async (backend) => {
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const expected = truth(unpacked.path, path);
      const repository = await openOne(unpacked.path, { backend });
      try {
        await rm(stateFolder(repository.git.place), { recursive: true, force: true });
        const first = await look(repository, path);
        checkShape(first);
        expect(told(first)).toEqual(expected);
        expect(await look(repository, path)).toEqual(first);
        const other = await openOne(unpacked.path, { backend });
        other.git.blobs = () => {
          throw new Error('everything is known');
        };
        expect(await look(other, path)).toEqual(first);
        other.dispose();
      } finally {
        repository.dispose();
      }
    }
  });
});

const entry = (value: number, update: Record<string, unknown> = {}) => ({
  tensor_metadata: { shape: '(2, 3)', dtype: 'float32', hash: Array.from({ length: 16 }, (_, index) => value + index) },
  lfs_metadata: { version: 'https://git-lfs.github.com/spec/v1', oid: value.toString(16).padStart(64, '0'), size: String(100 + value) },
  theta_metadata: { update_type: 'dense', last_commit: null, ...update },
});
const metadata = (entries: Record<string, unknown>) => JSON.stringify(entries, null, 4);

async function made() {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  const open = async () => {
    const repository = await openOne(test.path);
    onTestFinished(() => repository.dispose());
    return repository;
  };
  return { test, open };
}

describe('a timeline', () => {
  it('goes on with new commits, reading only what is new, and survives a damaged file of its own', async () => {
    const { test, open } = await made();
    await test.commit('one', { 'm.pt': metadata({ a: entry(1), b: entry(2) }) });
    const repository = await open();
    await look(repository, 'm.pt');
    await test.commit('two', { 'm.pt': metadata({ a: entry(3), b: entry(2), c: entry(4) }) });
    await test.commit('other file', { 'x.txt': 'x' });
    const other = await open();
    const read: string[] = [];
    const { blobs } = other.git;
    other.git.blobs = (oids, options) => {
      read.push(...oids);
      return blobs.call(other.git, oids, options);
    };
    const index = await look(other, 'm.pt');
    expect(told(index)).toEqual(truth(test.path, 'm.pt'));
    expect(read).toHaveLength(2);
    expect(index.columns.map(({ touched }) => touched)).toEqual([true, true, false]);
    const folder = join(stateFolder(other.git.place), 'timelines');
    const [file = ''] = execFileSync('ls', [folder]).toString().trim().split('\n');
    await writeFile(join(folder, file), 'theta timeline 1\nnothing');
    expect(await look(await open(), 'm.pt')).toEqual(index);
  });

  it('knows a group again under another name, and its story', async () => {
    const { test, open } = await made();
    const sparse = (value: number) => entry(value, { update_type: 'sparse', last_commit: 'a'.repeat(40) });
    const anew = (value: number, oid: string) => ({ ...entry(value), lfs_metadata: { ...entry(value).lfs_metadata, oid } });
    await test.commit('one', { 'm.pt': metadata({ a: entry(1), b: sparse(2), z: entry(9) }) });
    await test.commit('two', { 'm.pt': metadata({ 'new.a': entry(1), 'new.b': anew(2, 'f'.repeat(64)), other: entry(4) }) });
    await test.commit('three', { 'm.pt': metadata({ 'new.a': entry(3), 'new.b': anew(2, 'f'.repeat(64)), other: entry(4) }) });
    const index = await look(await open(), 'm.pt');
    expect(Object.values(told(index))).toEqual([
      ['a added 101', 'b added 102', 'z added 109'],
      ['a removed 0', 'b removed 0', 'new.a renamed 101', 'new.b renamed 102', 'other added 104', 'z removed 0'],
      ['new.a dense 103'],
    ]);
    expect(told(index)).toEqual(truth(test.path, 'm.pt'));
    const name = (row: number) => index.rows[row]?.name;
    expect(index.renames.map(({ column, from, to }) => [column, name(from), name(to)])).toEqual([
      [1, 'a', 'new.a'],
      [1, 'b', 'new.b'],
    ]);
    // From the file beside the git directory.
    expect((await look(await open(), 'm.pt')).renames).toEqual(index.renames);
    const story = groupHistory(index, 'new.a');
    expect([0, 1, 2].map((column) => story?.nameAt(column))).toEqual(['a', 'new.a', 'new.a']);
    expect(story?.contents[0]).toBe(story?.contents[1]);
    expect(story?.contents[1]).not.toBe(story?.contents[2]);
    expect([...(groupHistory(index, 'a')?.contents ?? [])].map((content) => content > 0)).toEqual([true, false, false]);
  });

  it('gives equal numbers to equal stored values, and follows the first parent of a merge', async () => {
    const { test, open } = await made();
    const root = await test.commit('root', { 'm.pt': metadata({ a: entry(1), tied: entry(1) }) });
    await test.git(['checkout', '-q', '-b', 'side']);
    await test.commit('side', { 'm.pt': metadata({ a: entry(5), tied: entry(1) }) });
    await test.git(['checkout', '-q', 'main']);
    await test.commit('main', { 'x.txt': 'x' });
    await test.git(['merge', '-q', '--no-ff', '-m', 'merge', 'side']);
    const index = await look(await open(), 'm.pt', { kind: 'head' });
    expect(index.columns.map(({ title }) => title)).toEqual(['root', 'side', 'main', 'merge']);
    expect(index.columns.map(({ parents }) => parents)).toEqual([[], [0], [0], [2, 1]]);
    expect([...index.changes.starts]).toEqual([0, 2, 3, 3, 4]);
    const [a, tied, side, merge] = index.changes.contents;
    expect(a).toBe(tied);
    expect(side).toBe(merge);
    expect(side).not.toBe(a);
    const rootOnly = await look(await open(), 'm.pt', { kind: 'commit', commit: root });
    expect(rootOnly.columns).toHaveLength(1);
  });

  it('goes round a version that cannot be read', async () => {
    const { test, open } = await made();
    const commits: CommitHash[] = [];
    commits.push(await test.commit('one', { 'm.pt': metadata({ a: entry(1), b: entry(2) }) }));
    commits.push(await test.commit('conflict', { 'm.pt': `<<<<<<< HEAD\n${metadata({ a: entry(1) })}` }));
    commits.push(await test.commit('mended', { 'm.pt': metadata({ a: entry(1), b: entry(7) }) }));
    await rm(join(test.path, 'm.pt'));
    commits.push(await test.commit('gone'));
    const index = await look(await open(), 'm.pt');
    expect(index.columns.map(({ error }) => error?.code ?? null)).toEqual([null, expect.stringMatching(/conflict|unsupported-format/), null, null]);
    expect(Object.values(told(index))).toEqual([['a added 101', 'b added 102'], [], ['b dense 107'], ['a removed 0', 'b removed 0']]);
    expect(index.columns.map(({ storage }) => storage === null)).toEqual([false, false, false, true]);
  });

  it('compares plain safetensors by their bytes, and follows a path from plain to git-theta', async () => {
    const { test, open } = await made();
    await test.commit('plain', { 'm.safetensors': safetensors({ a: [1, 2], b: [3] }) });
    await test.commit('b changed', { 'm.safetensors': safetensors({ a: [1, 2], b: [4] }) });
    await test.commit('c came, a went', { 'm.safetensors': safetensors({ b: [4], c: [5] }) });
    await test.commit('tracked', { 'm.safetensors': metadata({ b: entry(1), c: entry(2) }) });
    const index = await look(await open(), 'm.safetensors');
    expect(Object.values(told(index))).toEqual([['a added 8', 'b added 4'], ['b replaced 4'], ['a removed 0', 'c added 4'], ['b dense 101', 'c dense 102']]);
    expect(index.columns.map(({ storage }) => storage)).toEqual(['blob', 'blob', 'blob', 'theta']);
    expect(index.rows.find(({ name }) => name === 'b')).toMatchObject({ dtype: 'float32', shape: [2, 3], bytes: 24 });
  });

  it('says of an LFS object that is not here that it is missing, until it is', async () => {
    const { test, open } = await made();
    const file = safetensors({ a: [1] });
    const oid = createHash('sha256').update(file).digest('hex');
    await test.commit('pointer', { 'm.safetensors': `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${file.length}\n` });
    const missing = await look(await open(), 'm.safetensors');
    expect(missing.columns[0]).toMatchObject({ storage: 'lfs', error: { code: 'missing-object' } });
    await test.write(join('.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid), file);
    const here = await look(await open(), 'm.safetensors');
    expect(Object.values(told(here))).toEqual([['a added 4']]);
  });

  it('ends with a cancel', async () => {
    const { test, open } = await made();
    await test.commit('one', { 'm.pt': metadata({ a: entry(1) }) });
    await expect(look(await open(), 'm.pt', { kind: 'all' }, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});

function safetensors(tensors: Record<string, readonly number[]>): Buffer {
  return safetensorsBytes(Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name, { shape: [values.length], values }])));
}
