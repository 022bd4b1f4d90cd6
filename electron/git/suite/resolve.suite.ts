import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, type TestRepository } from '../testing/testRepository';
import { type Backend, withRepository } from './suiteContext';

/** A merge on main, tags of every kind, a remote with a HEAD, and names made to confuse. */
async function makeConfusing(): Promise<TestRepository> {
  const test = await makeRepository();
  await test.commit('one', { 'a.txt': 'a' });
  await test.git(['tag', '-a', '-m', 'x', 'v1']);
  await test.git(['tag', '-a', '-m', 'x', 'v1-again', 'v1']);
  await test.git(['switch', '-q', '-c', 'side']);
  await test.commit('side', { 'b.txt': 'b' });
  await test.git(['switch', '-q', 'main']);
  await test.commit('two', { 'c.txt': 'c' });
  await test.git(['merge', '-q', '--no-ff', '-m', 'merge', 'side'], { env: test.nextDate() });
  await test.commit('three', { 'd.txt': 'd' });
  await test.git(['update-ref', 'refs/remotes/origin/main', 'HEAD~1']);
  await test.git(['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main']);
  await test.git(['tag', 'both', 'v1']);
  await test.git(['branch', 'both', 'HEAD']);
  await test.git(['branch', 'fix/ünï', 'HEAD~1']);
  await test.git(['update-ref', 'refs/heads/-dash', 'HEAD~1']);
  await test.git(['update-ref', 'refs/heads/abcd', 'HEAD~1']);
  await test.git(['tag', 'blob', 'HEAD:a.txt']);
  return test;
}

export function resolveSuite(backend: Backend): void {
  describe('resolve', () => {
    let test: TestRepository;
    beforeAll(async () => {
      test = await makeConfusing();
    });
    afterAll(() => test?.dispose());

    const revisions = [
      'HEAD',
      '@',
      'main',
      'heads/main',
      'refs/heads/main',
      'origin/main',
      'origin',
      'remotes/origin/main',
      'v1',
      'tags/v1',
      'v1-again',
      'both',
      'heads/both',
      'fix/ünï',
      'abcd',
      'HEAD~',
      'HEAD~0',
      'HEAD~2',
      'HEAD^',
      'HEAD^0',
      'HEAD^^2',
      'HEAD~1^2~1',
      'HEAD^^^',
      'v1^{commit}',
      'v1-again^{}',
      'v1^0',
      '@~1',
      'origin^2',
      'side~1^{commit}~0',
    ];

    it.each(['loose', 'packed'])('finds what git finds, %s', async (form) => {
      if (form === 'packed') await test.git(['gc', '-q']);
      const hash = await test.hash('HEAD~1');
      const all = [
        ...revisions,
        hash,
        hash.slice(0, 7),
        hash.slice(0, 12).toUpperCase(),
        hash.slice(0, 39),
        `${hash.slice(0, 8)}^2`,
        `v1-3-g${hash.slice(0, 8)}`,
      ];
      const tag = await test.git(['rev-parse', 'v1-again']);
      all.push(tag, tag.slice(0, 10));
      await withRepository(backend, test, async (git) => {
        for (const revision of all) expect([revision, await git.resolve(revision)]).toEqual([revision, await test.hash(revision)]);
        expect(await git.resolve('-dash')).toBe(hash);
      });
    });

    const nothing = [
      '',
      'nope',
      'HEAD~99',
      'HEAD^3',
      'HEAD^9~2',
      'v1^2',
      '--all',
      '-n1',
      '--',
      ' ',
      'blob',
      'blob~1',
      '/etc/passwd',
      '../HEAD',
      'HEAD\n',
      'HEAD\0',
      'ffffffffff',
      'abc',
    ];

    it.each(nothing)('finds nothing for %j', async (revision) => {
      await withRepository(backend, test, async (git) => {
        await expect(git.resolve(revision)).rejects.toMatchObject({
          code: backend === 'isomorphic' && revision === '../HEAD' ? 'unsupported-repository' : 'not-found',
        });
        // The next question is answered as if nothing had happened.
        expect(await git.resolve('main')).toBe(await test.hash('main'));
      });
    });

    it('takes a prefix of a commit and a blob for neither the blob', async () => {
      const blob = await test.git(['rev-parse', 'HEAD:a.txt']);
      await withRepository(backend, test, async (git) => {
        await expect(git.resolve(blob.slice(0, 10))).rejects.toMatchObject({ code: 'not-found' });
        await expect(git.resolve(blob)).rejects.toMatchObject({ code: 'not-found' });
      });
    });

    it('refuses a prefix that several commits have', async () => {
      const test = await makeRepository();
      onTestFinished(() => test.dispose());
      // git writes no prefix shorter than four digits; two commits that share four are soon found.
      const seen = new Map<string, string>();
      let prefix: string | null = null;
      for (let i = 0; prefix === null && i < 3000; i += 300) {
        const input = Array.from({ length: 300 }, (_, k) => `commit refs/heads/b${i + k}\ncommitter A <a> ${1_700_000_000 + i + k} +0000\ndata 1\nx\n`).join(
          '',
        );
        await test.git(['fast-import', '--quiet', '--force'], { input });
        for (const hash of (await test.git(['for-each-ref', '--format=%(objectname)'])).split('\n')) {
          const other = seen.get(hash.slice(0, 4));
          if (other !== undefined && other !== hash) prefix = hash.slice(0, 4);
          seen.set(hash.slice(0, 4), hash);
        }
      }
      expect(prefix).not.toBeNull();
      await withRepository(backend, test, async (git) => {
        await expect(git.resolve(prefix ?? '')).rejects.toMatchObject({ code: 'invalid-request', message: expect.stringContaining('More than one') });
      });
    });

    const refused = [
      'HEAD@{0}',
      'main@{upstream}',
      '@{-1}',
      ':/one',
      'HEAD^{/one}',
      'main..side',
      '^main',
      'HEAD:a.txt',
      'HEAD^{tree}',
      'HEAD^-',
      'HEAD^@',
      'HEAD^!',
    ];

    it.each(refused)('%s: git answers or finds nothing, isomorphic-git says that git is needed', async (revision) => {
      await withRepository(backend, test, async (git) => {
        const expected = await test.hash(revision).catch(() => null);
        if (backend === 'isomorphic') {
          await expect(git.resolve(revision)).rejects.toMatchObject({ code: 'unsupported-repository', hint: expect.stringContaining('install git') });
        } else if (expected === null) await expect(git.resolve(revision)).rejects.toMatchObject({ code: 'not-found' });
        else expect(await git.resolve(revision)).toBe(expected);
      });
    });
  });
}
