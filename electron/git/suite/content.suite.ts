import { chmod, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CommitHash } from '../../../shared/model/commit';
import type { TreeEntry } from '../gitRepository';
import { asHash, makeRepository, type TestRepository, temporaryFolder } from '../testing/testRepository';
import { type Backend, withRepository } from './suiteContext';

const NAMES = [
  'plain.txt',
  'with space.pt',
  'Größe/模型 🔥.safetensors',
  'folder/deeper/still/model.pt',
  '-dash',
  '--output=x',
  'folder/-n',
  'quote"back\\slash',
  "it's",
  'colon:name',
  'star*[x]?.txt',
  '#hash',
  '!bang',
  '@{u}',
  'HEAD',
  '__proto__',
  'constructor',
  'tab\tname',
  'line\nbreak',
  'folder\nbreak/x\ny',
  'trailing space ',
  '~tilde^caret',
];

const BIG = 6 * 2 ** 20;

interface Made {
  readonly test: TestRepository;
  readonly commits: readonly CommitHash[];
}

async function make(): Promise<Made> {
  const test = await makeRepository();
  const commits: CommitHash[] = [];
  for (const [i, name] of NAMES.entries()) commits.push(await test.commit(`add ${i}`, { [name]: `content of ${name}\n` }));
  const big = Buffer.alloc(BIG);
  for (let i = 0; i < BIG; i += 4) big.writeUInt32LE(Math.imul(i, 2654435761) >>> 0, i);
  await test.write('empty', '');
  await test.write('binary.bin', Buffer.from([0, 10, 13, 0, 255, 10]));
  await test.write('run.sh', '#!/bin/sh\n');
  await chmod(join(test.path, 'run.sh'), 0o755);
  await symlink('folder/deeper', join(test.path, 'link'));
  commits.push(await test.commit('more kinds', { 'big.bin': big }));
  await test.git(['rm', '-q', 'plain.txt']);
  commits.push(await test.commit('remove one'));
  const sub = await test.hash('HEAD~3');
  await test.git(['update-index', '--add', '--cacheinfo', `160000,${sub},vendor/sub module`]);
  await test.git(['commit', '-q', '-m', 'submodule'], { env: test.nextDate() });
  commits.push(await test.hash('HEAD'));
  return { test, commits };
}

/** Entries as `git ls-tree` lists them. */
async function listed(test: TestRepository, commit: string): Promise<readonly TreeEntry[]> {
  const kinds: Readonly<Record<string, TreeEntry['kind']>> = { '100644': 'blob', '100755': 'blob', '120000': 'symlink', '160000': 'submodule' };
  const output = await test.git(['ls-tree', '-r', '-z', commit]);
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
      return { path: line.slice(tab + 1), kind: kinds[mode] ?? 'tree', oid };
    });
}

export function contentSuite(backend: Backend): void {
  describe.each(['loose', 'packed'])('content, %s', (form) => {
    let made: Made;
    beforeAll(async () => {
      made = await make();
      if (form === 'packed') await made.test.git(['gc', '-q']);
    });
    afterAll(() => made?.test.dispose());

    it('lists the files of every commit', async () => {
      const { test, commits } = made;
      await withRepository(backend, test, async (git) => {
        for (const commit of commits) expect(await git.files(commit)).toEqual(await listed(test, commit));
        expect(await git.submodules()).toEqual(['vendor/sub module']);
        await expect(git.files(asHash('ab'.repeat(20)))).rejects.toMatchObject({ code: 'missing-object' });
      });
    });

    it('finds every path in every commit, in one go and one by one', async () => {
      const { test, commits } = made;
      const lists = await Promise.all(commits.map((commit) => listed(test, commit)));
      await withRepository(backend, test, async (git) => {
        for (const path of [...NAMES, 'run.sh', 'link', 'big.bin', 'empty', 'vendor/sub module']) {
          const expected = lists.map((list) => list.find((entry) => entry.path === path) ?? null);
          expect(await git.entries(commits, path)).toEqual(expected);
          // More at once than are asked one by one.
          const often = Array.from({ length: 5 }, () => commits).flat();
          expect(await git.entries(often, path)).toEqual(Array.from({ length: 5 }, () => expected).flat());
          expect(await git.entry(commits[24] ?? asHash(''), path)).toEqual(expected[24]);
        }
      });
    });

    it('finds folders, and nothing for what is no path of a tree', async () => {
      const { test, commits } = made;
      const commit = commits.at(-2) ?? asHash('');
      const nowhere = [
        '',
        '/',
        '.',
        '..',
        './run.sh',
        '../run.sh',
        '/run.sh',
        'folder/',
        'folder//deeper',
        'run.sh/x',
        'link/still',
        'nope',
        'folder/nope/x',
        'a\0b',
        'vendor/sub module/x',
      ];
      await withRepository(backend, test, async (git) => {
        expect(await git.entry(commit, 'folder/deeper')).toEqual({
          path: 'folder/deeper',
          kind: 'tree',
          oid: await test.git(['rev-parse', `${commit}:folder/deeper`]),
        });
        for (const path of nowhere) {
          expect([path, await git.entry(commit, path)]).toEqual([path, null]);
          expect(
            await git.entries(
              Array.from({ length: 100 }, () => commit),
              path,
            ),
          ).toEqual(Array.from({ length: 100 }, () => null));
        }
        await expect(git.entry(asHash('ab'.repeat(20)), 'run.sh')).rejects.toMatchObject({ code: 'missing-object' });
        const many = Array.from({ length: 100 }, () => asHash('ab'.repeat(20)));
        await expect(git.entries(many, 'run.sh')).rejects.toMatchObject({ code: 'missing-object' });
        await expect(git.entries(many, 'run.sh', AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
      });
    });

    it('reads blobs of all sizes', async () => {
      const { test, commits } = made;
      const files = (await listed(test, commits.at(-3) ?? '')).filter(({ kind }) => kind === 'blob' || kind === 'symlink');
      await withRepository(backend, test, async (git) => {
        await Promise.all(
          files.map(async ({ oid }) => {
            const expected = await test.bytes(['cat-file', 'blob', oid]);
            expect(expected.equals(await git.blob(oid))).toBe(true);
            expect(await git.blobSize(oid)).toBe(expected.length);
            for (const length of [0, 1, 1000, expected.length, expected.length + 1]) {
              expect(Buffer.from(await git.blobStart(oid, length)).equals(expected.subarray(0, length))).toBe(true);
            }
          }),
        );
      });
    });

    it('writes blobs to files, whole or not at all', async () => {
      const { test, commits } = made;
      const folder = await temporaryFolder();
      onTestFinished(() => rm(folder, { recursive: true }));
      const commit = commits.at(-3) ?? asHash('');
      await withRepository(backend, test, async (git) => {
        for (const name of ['empty', 'binary.bin', 'big.bin']) {
          const oid = (await git.entry(commit, name))?.oid ?? '';
          await git.blobToFile(oid, join(folder, name));
          expect((await readFile(join(folder, name))).equals(await test.bytes(['cat-file', 'blob', oid]))).toBe(true);
        }
        const oid = (await git.entry(commit, 'big.bin'))?.oid ?? '';
        await expect(git.blobToFile(oid, join(folder, 'cancelled'), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
        await expect(git.blobToFile('ab'.repeat(20), join(folder, 'missing'))).rejects.toMatchObject({ code: 'missing-object' });
        await expect(git.blobToFile(oid, join(folder, 'no folder', 'x'))).rejects.toMatchObject({ code: 'not-found' });
      });
      expect((await readdir(folder)).sort()).toEqual(['big.bin', 'binary.bin', 'empty']);
    });

    it('keeps to the limit, and goes on after a refusal', async () => {
      const { test, commits } = made;
      const commit = commits.at(-3) ?? asHash('');
      await withRepository(backend, test, async (git) => {
        const oid = (await git.entry(commit, 'big.bin'))?.oid ?? '';
        const small = (await git.entry(commit, 'run.sh'))?.oid ?? '';
        const answers = await Promise.allSettled([git.blob(oid, BIG - 1), git.blob(small, 10), git.blob(small, 9), git.blob(oid, BIG)]);
        expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.length : answer.reason.code))).toEqual([
          'too-large',
          10,
          'too-large',
          BIG,
        ]);
      });
    });

    it('gives many blobs in their order, each as it can be read, the large ones by size', async () => {
      const { test } = made;
      const ids = Object.fromEntries(
        await Promise.all(['run.sh', 'big.bin', 'empty', 'binary.bin'].map(async (name) => [name, await test.git(['rev-parse', `HEAD:${name}`])] as const)),
      );
      const tree = await test.git(['rev-parse', 'HEAD^{tree}']);
      const missing = 'ab'.repeat(20);
      const asked = [ids['run.sh'], missing, ids['big.bin'], ids.empty, tree, ids['binary.bin'], ids['run.sh']].map((oid) => oid ?? '');
      await withRepository(backend, test, async (git) => {
        const read: unknown[] = [];
        for await (const { oid, size, bytes, error } of git.blobs(asked, { limit: BIG - 1 }))
          read.push([oid, size, bytes === null ? null : bytes.length, error?.code ?? null]);
        expect(read).toEqual([
          [asked[0], 10, 10, null],
          [missing, null, null, 'missing-object'],
          [asked[2], BIG, null, null],
          [asked[3], 0, 0, null],
          [tree, null, null, 'invalid-request'],
          [asked[5], 6, 6, null],
          [asked[0], 10, 10, null],
        ]);
        for await (const { bytes } of git.blobs([asked[2] ?? ''], { limit: BIG }))
          expect(Buffer.from(bytes ?? []).equals(await test.bytes(['cat-file', 'blob', asked[2] ?? '']))).toBe(true);
        for await (const _ of git.blobs([], { limit: 1 })) throw new Error('nothing was asked for');
        const abort = new AbortController();
        const cancelled = async () => {
          for await (const _ of git.blobs(asked, { limit: BIG, signal: abort.signal })) abort.abort();
        };
        await expect(cancelled()).rejects.toMatchObject({ code: 'cancelled' });
      });
    });

    it('tells trees, commits and missing objects from blobs', async () => {
      const { test, commits } = made;
      const tree = await test.git(['rev-parse', 'HEAD^{tree}']);
      await withRepository(backend, test, async (git) => {
        for (const oid of [tree, commits[0] ?? '']) {
          await expect(git.blob(oid)).rejects.toMatchObject({ code: 'invalid-request' });
          await expect(git.blobSize(oid)).rejects.toMatchObject({ code: 'invalid-request' });
        }
        for (const oid of ['ab'.repeat(20), '0'.repeat(40)]) {
          await expect(git.blob(oid)).rejects.toMatchObject({ code: 'missing-object', place: { oid } });
          await expect(git.blobSize(oid)).rejects.toMatchObject({ code: 'missing-object' });
        }
        for (const oid of ['', 'HEAD', 'HEAD:run.sh', '--batch', `${tree}\n${tree}`, tree.slice(0, 10)]) {
          await expect(git.blob(oid)).rejects.toMatchObject({ code: 'invalid-request' });
          await expect(git.blobSize(oid)).rejects.toMatchObject({ code: 'invalid-request' });
        }
      });
    });
  });

  it('reads objects that come while it is open, also after they were packed', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    await test.commit('one', { a: 'a' });
    await withRepository(backend, test, async (git) => {
      expect((await git.entry(await test.hash('HEAD'), 'a'))?.kind).toBe('blob');
      await test.commit('two', { b: 'bb' });
      await test.git(['gc', '-q', '--prune=now']);
      const entry = await git.entry(await git.resolve('main'), 'b');
      expect(Buffer.from(await git.blob(entry?.oid ?? '')).toString()).toBe('bb');
    });
  });

  it('says which object is damaged, and reads the others at the same time', async () => {
    const test = await makeRepository();
    onTestFinished(() => test.dispose());
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, `content ${i}`]));
    const commit = await test.commit('one', files);
    const bad = await test.git(['rev-parse', 'HEAD:f7']);
    const path = join(test.path, '.git', 'objects', bad.slice(0, 2), bad.slice(2));
    await chmod(path, 0o644);
    await writeFile(path, 'this is not a zlib stream');
    await withRepository(backend, test, async (git) => {
      const listing = await git.files(commit);
      const answers = await Promise.allSettled(listing.map(({ oid }) => git.blob(oid)));
      expect(listing.map(({ path }, i) => [path, answers[i]?.status === 'fulfilled' ? 'read' : answers[i]?.reason.code])).toEqual(
        listing.map(({ path }) => [path, path === 'f7' ? 'corrupt-object' : 'read']),
      );
      const codes: (string | null)[] = [];
      for await (const { error } of git.blobs(
        listing.map(({ oid }) => oid),
        { limit: 100 },
      ))
        codes.push(error?.code ?? null);
      expect(codes).toEqual(listing.map(({ path }) => (path === 'f7' ? 'corrupt-object' : null)));
    });
  });
}
