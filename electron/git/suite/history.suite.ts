import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeSyntheticHistory } from '../../../e2e/fixtures/makeSyntheticHistory';
import type { CommitInfo } from '../../../shared/model/commit';
import { asHash, makeRepository, TestRepository, temporaryFolder } from '../testing/testRepository';
import { type Backend, collect, withRepository } from './suiteContext';

async function repository(...args: string[]): Promise<TestRepository> {
  const made = await makeRepository(...args);
  onTestFinished(() => made.dispose());
  return made;
}

/** Merges, an octopus, three roots, a branch whose clock is a year ahead, a deleted branch. */
async function tangled(): Promise<{ readonly test: TestRepository; readonly lost: string }> {
  const test = await repository();
  const root = await test.commitTree('root', []);
  const a = await test.commitTree('a', [root]);
  const ahead = await test.commitTree('a year ahead', [root], { time: 1_731_000_000 });
  const behind = await test.commitTree('child of the one ahead, by a slow clock', [ahead], { time: 1_600_000_000 });
  const merge = await test.commitTree('merge', [a, behind]);
  const otherRoot = await test.commitTree('second root', []);
  const thirdRoot = await test.commitTree('third root', []);
  const octopus = await test.commitTree('octopus', [merge, otherRoot, thirdRoot]);
  const lost = await test.commitTree('on a branch that was deleted', [octopus]);
  const tip = await test.commitTree('tip', [octopus]);
  await test.git(['update-ref', 'refs/heads/main', tip]);
  await test.git(['update-ref', 'refs/heads/old', behind]);
  await test.git(['update-ref', 'refs/remotes/origin/x', await test.commitTree('only on the remote', [a])]);
  await test.git(['tag', '-a', '-m', 't', 'tagged', await test.commitTree('only by a tag', [thirdRoot])]);
  await test.git(['update-ref', 'refs/notes/commits', await test.commitTree('a note', [])]);
  return { test, lost };
}

function order(commits: readonly CommitInfo[]): readonly string[] {
  return commits.map(({ hash }) => hash);
}

async function gitOrder(test: TestRepository, ...args: string[]): Promise<readonly string[]> {
  return (await test.git(['rev-list', ...args, '--branches', '--remotes', '--tags', 'HEAD'])).split('\n');
}

export function historySuite(backend: Backend): void {
  describe('walk', () => {
    it.each([
      ['as found', false, []],
      ['strictly', true, ['--date-order']],
    ] as const)('gives the commits of all refs in git’s order, %s', async (_, strict, args) => {
      const { test, lost } = await tangled();
      const commits = await withRepository(backend, test, (git) => collect(git.walk({ strict })));
      expect(order(commits)).toEqual(await gitOrder(test, ...args));
      expect(order(commits)).not.toContain(lost);
      const lines = await test.git(['log', '--branches', '--remotes', '--tags', 'HEAD', '--format=%H %P']);
      expect(new Set(commits.map(({ hash, parents }) => [hash, ...parents].join(' ')))).toEqual(new Set(lines.split('\n').map((line) => line.trim())));
    });

    it('gives no parent before all its children when strict', async () => {
      const { test } = await tangled();
      const commits = await withRepository(backend, test, (git) => collect(git.walk({ strict: true })));
      const at = new Map(commits.map(({ hash }, i) => [hash, i]));
      for (const { hash, parents } of commits) for (const parent of parents) expect(at.get(parent)).toBeGreaterThan(at.get(hash) ?? Number.NaN);
    });

    it('includes a detached HEAD', async () => {
      const { test, lost } = await tangled();
      await test.git(['checkout', '-q', '--detach', lost]);
      expect(order(await withRepository(backend, test, (git) => collect(git.walk({ strict: false }))))).toContain(lost);
    });

    it.each([true, false])('yields nothing in an empty repository (strict: %s)', async (strict) => {
      const test = await repository();
      expect(await withRepository(backend, test, (git) => collect(git.walk({ strict })))).toEqual([]);
    });

    it('walks the refs when HEAD is unborn', async () => {
      const test = await repository();
      const commit = await test.commit('one');
      await test.git(['symbolic-ref', 'HEAD', 'refs/heads/new']);
      expect(order(await withRepository(backend, test, (git) => collect(git.walk({ strict: false }))))).toEqual([commit]);
    });

    it('comes in batches, can be left early and started again', async () => {
      const test = new TestRepository(await temporaryFolder());
      onTestFinished(() => test.dispose());
      await makeSyntheticHistory(test.path, { commits: 1500, mergeEvery: 10 });
      await withRepository(backend, test, async (git) => {
        let first: readonly CommitInfo[] = [];
        for await (const batch of git.walk({ strict: false })) {
          first = batch;
          break;
        }
        expect(first.length).toBeGreaterThanOrEqual(200);
        expect(first.length).toBeLessThan(1000);
        const all = await collect(git.walk({ strict: true }));
        expect(order(all)).toEqual(await gitOrder(test, '--date-order'));
        expect(all).toHaveLength(1500);
      });
    });

    it('stops when cancelled, before and within', async () => {
      const test = new TestRepository(await temporaryFolder());
      onTestFinished(() => test.dispose());
      await makeSyntheticHistory(test.path, { commits: 1500, mergeEvery: 0 });
      await withRepository(backend, test, async (git) => {
        await expect(collect(git.walk({ strict: false, signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: 'cancelled' });
        const controller = new AbortController();
        const reading = (async () => {
          for await (const _ of git.walk({ strict: false, signal: controller.signal })) controller.abort();
        })();
        await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
      });
    });

    it('ends where a shallow clone ends', async () => {
      const test = await repository();
      for (const message of ['one', 'two', 'three']) await test.commit(message);
      const clone = new TestRepository(await temporaryFolder());
      onTestFinished(() => clone.dispose());
      await clone.git(['clone', '-q', '--depth', '2', `file://${test.path}`, '.']);
      await withRepository(backend, clone, async (git) => {
        expect(git.place.shallow).toBe(true);
        const commits = await collect(git.walk({ strict: true }));
        expect(commits.map(({ title, parents }) => [title, parents.length])).toEqual([
          ['three', 1],
          ['two', 0],
        ]);
        expect((await git.commit(await clone.hash('HEAD~1'))).parents).toEqual([]);
        await clone.git(['fetch', '-q', '--unshallow']);
        expect((await git.commit(await clone.hash('HEAD~1'))).parents).toHaveLength(1);
        expect(await collect(git.walk({ strict: true }))).toHaveLength(3);
      });
    });

    it('names what is missing when a parent is not there', async () => {
      const test = await repository();
      const tree = await test.git(['mktree'], { input: '' });
      const missing = '12'.repeat(20);
      const commit = await test.rawObject('commit', `tree ${tree}\nparent ${missing}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n`);
      await writeFile(join(test.path, '.git', 'refs', 'heads', 'main'), `${commit}\n`);
      await expect(withRepository(backend, test, (git) => collect(git.walk({ strict: false })))).rejects.toMatchObject({ code: 'missing-object' });
    });
  });

  describe('commit', () => {
    const people = 'author Ada <ada@example.org> 1700000000 +0530\ncommitter Ben <ben@example.org> 1700000060 -0330\n';
    const messages: readonly (readonly [name: string, headers: string, message: Buffer, body: string])[] = [
      ['title and body', '', Buffer.from('A title\n\nFirst line\n  indented\n\nLast\n\n\n'), 'First line\n  indented\n\nLast'],
      ['no message at all', '', Buffer.from(''), ''],
      ['blank lines first, a title of two lines', '', Buffer.from('\n\n  A title  \non two lines\n\n\nBody\n'), 'Body'],
      ['CR LF line ends', '', Buffer.from('A title\r\n\r\nBody\r\n'), 'Body'],
      ['no newline at the end', '', Buffer.from('A title'), ''],
      ['UTF-8', '', Buffer.from('Größe 模型 🔥\n\nmehr – ✓'), 'mehr – ✓'],
      ['Latin-1 that says so', 'encoding ISO-8859-1\n', Buffer.from('Gr\u00f6\u00dfe\n\n\u00e9\u0085', 'latin1'), 'é\u0085'],
      ['bytes that are no UTF-8', '', Buffer.from('Gr\u00f6\u00dfe\n\n\u00e9', 'latin1'), '\ufffd'],
      ['Shift JIS that says so', 'encoding Shift_JIS\n', Buffer.from([0x83, 0x82, 0x83, 0x66, 0x83, 0x8b, 0x0a]), ''],
      ['an unknown encoding', 'encoding martian\n', Buffer.from('Plain\n'), ''],
      ['a signature', 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n parent 1234\n tree 5678\n -----END PGP SIGNATURE-----\n', Buffer.from('Signed\n'), ''],
      ['control characters and options', '', Buffer.from('--upload-pack=x \u0001\u001b[31m\n\n-n\n'), '-n'],
    ];

    it.each(messages)('has the title and body of git: %s', async (_, headers, message, body) => {
      const test = await repository();
      const tree = await test.git(['mktree'], { input: '' });
      const hash = asHash(await test.rawObject('commit', Buffer.concat([Buffer.from(`tree ${tree}\n${people}${headers}\n`), message])));
      await test.git(['update-ref', 'refs/heads/main', hash]);
      const title = await test.git(['log', '-1', '--encoding=UTF-8', '--format=%s', hash]);
      const author = { name: 'Ada', email: 'ada@example.org', time: 1_700_000_000, offset: 330 };
      await withRepository(backend, test, async (git) => {
        expect(await git.commit(hash)).toEqual({
          hash,
          parents: [],
          author,
          committer: { name: 'Ben', email: 'ben@example.org', time: 1_700_000_060, offset: -210 },
          title: title.trimEnd(),
          body,
        });
        expect(await collect(git.walk({ strict: false }))).toEqual([{ hash, parents: [], author, title: title.trimEnd() }]);
      });
    });

    const signatures = [
      'Ada Löwe <ada@example.org> 1700000000 +0000',
      '<> 0 +0000',
      ' <a b> 1700000000 -0000',
      'No address 1700000000 +0100',
      'No date <x@y>',
      'Odd > name <x@y> 1700000000 +0100',
      'Two <a> <b> 1700000000 +0100',
      'Bad zone <x@y> 1700000000 +99999',
      'Constructor __proto__ <constructor> 4102444800 +1400',
    ];

    it.each(signatures)('reads the person as git does: %s', async (person) => {
      const test = await repository();
      const tree = await test.git(['mktree'], { input: '' });
      const hash = asHash(await test.rawObject('commit', `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nm\n`));
      await test.git(['update-ref', 'refs/heads/main', hash]);
      await withRepository(backend, test, async (git) => {
        const [walked] = await collect(git.walk({ strict: false }));
        const { author } = await git.commit(hash);
        expect(author).toEqual(walked?.author);
        const [name = '', email = '', time = ''] = (await test.git(['log', '-1', '--format=%an%x00%ae%x00%at', hash])).split('\0');
        expect([author.name, author.email, author.time]).toEqual([name.trim(), email.trim(), Number(time)]);
      });
    });

    it('fails for what is no commit or not there', async () => {
      const test = await repository();
      await test.commit('one', { a: 'a' });
      const tree = asHash(await test.git(['rev-parse', 'HEAD^{tree}']));
      await withRepository(backend, test, async (git) => {
        await expect(git.commit(tree)).rejects.toMatchObject({ code: 'invalid-request' });
        await expect(git.commit(asHash('ab'.repeat(20)))).rejects.toMatchObject({ code: 'missing-object', place: { oid: 'ab'.repeat(20) } });
        // @ts-expect-error what the compiler forbids may still come over the wire
        await expect(git.commit('--all')).rejects.toMatchObject({ code: 'invalid-request' });
      });
    });
  });
}
