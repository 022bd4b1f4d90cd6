import { appendFile, chmod, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, TestRepository, temporaryFolder } from '../testing/testRepository';
import { type Backend, collect, withRepository } from './suiteContext';

async function repository(...args: string[]): Promise<TestRepository> {
  const made = await makeRepository(...args);
  onTestFinished(() => made.dispose());
  return made;
}

async function emptyFolder(): Promise<TestRepository> {
  const made = new TestRepository(await temporaryFolder());
  onTestFinished(() => made.dispose());
  return made;
}

export function placesSuite(backend: Backend): void {
  const placeOf = (path: string) => withRepository(backend, path, async (git) => git.place);

  describe('opening', () => {
    it('finds the repository from anywhere in it', async () => {
      const test = await repository();
      await test.commit('one', { 'a b/ü\nc/file.pt': 'x' });
      const gitDir = join(test.path, '.git');
      const expected = { workTree: test.path, gitDir, commonDir: gitDir, bare: false, shallow: false };
      for (const inside of ['', 'a b', 'a b/ü\nc', 'a b/ü\nc/file.pt', '.git', '.git/HEAD', '.git/refs/heads', '.git/objects']) {
        expect([inside, await placeOf(join(test.path, inside))]).toEqual([inside, expected]);
      }
    });

    it('reads a bare repository, whatever it is called', async () => {
      const test = await repository();
      const commit = await test.commit('one', { a: 'a' });
      const parent = await emptyFolder();
      for (const name of ['models.git', 'models', 'x y\nz']) {
        const path = join(parent.path, name);
        await parent.git(['clone', '-q', '--bare', test.path, name]);
        await withRepository(backend, join(path, 'refs'), async (git) => {
          expect(git.place).toEqual({ workTree: null, gitDir: path, commonDir: path, bare: true, shallow: false });
          expect(await git.head()).toEqual({ kind: 'branch', name: 'main', commit });
          expect(await collect(git.walk({ strict: true }))).toHaveLength(1);
          expect((await git.files(commit)).map((entry) => entry.path)).toEqual(['a']);
        });
      }
    });

    it('reads a linked work tree: its own HEAD and index, the branches of all', async () => {
      const test = await repository();
      await test.commit('one', { a: 'a', 'sub/b': 'b' });
      const linked = join((await emptyFolder()).path, 'linked tree');
      await test.git(['worktree', 'add', '-q', '-b', 'other', linked]);
      await test.git(['commit', '-q', '--allow-empty', '-m', 'two'], { folder: linked, env: test.nextDate() });
      await writeFile(join(linked, 'a'), 'changed');
      await test.git(['config', 'extensions.worktreeConfig', 'true']);
      await test.git(['config', '--worktree', 'theta.own', 'linked'], { folder: linked });
      const gitDir = join(test.path, '.git', 'worktrees', 'linked-tree');
      for (const path of [linked, join(linked, 'sub'), gitDir]) {
        await withRepository(backend, path, async (git) => {
          expect(git.place).toEqual({ workTree: linked, gitDir, commonDir: join(test.path, '.git'), bare: false, shallow: false });
          expect(await git.head()).toMatchObject({ kind: 'branch', name: 'other', commit: await test.hash('other') });
          expect((await git.refs()).map(({ name }) => name)).toEqual(['main', 'other']);
          expect(await git.resolve('HEAD~1')).toBe(await test.hash('main'));
          expect(Object.fromEntries(await git.status(['a', 'sub/b']))).toEqual({ a: 'modified', 'sub/b': 'unmodified' });
          expect(await git.config('theta.own')).toBe('linked');
        });
      }
    });

    it('reads a linked work tree of a bare repository', async () => {
      const test = await repository();
      const commit = await test.commit('one', { a: 'a' });
      const bare = await emptyFolder();
      await bare.git(['clone', '-q', '--bare', test.path, '.']);
      const linked = join((await emptyFolder()).path, 'tree');
      await bare.git(['worktree', 'add', '-q', '--detach', linked]);
      await withRepository(backend, linked, async (git) => {
        expect(git.place).toMatchObject({ workTree: linked, commonDir: bare.path, bare: false });
        expect(await git.head()).toEqual({ kind: 'detached', commit });
        expect(Object.fromEntries(await git.status(['a']))).toEqual({ a: 'unmodified' });
      });
    });

    it('reads a submodule from its folder and from its git directory', async () => {
      const inner = await repository();
      const commit = await inner.commit('inner', { a: 'a' });
      const test = await repository();
      await test.commit('one', { x: 'x' });
      await test.git(['submodule', '--quiet', 'add', inner.path, 'deps/sub']);
      await test.commit('with submodule');
      const workTree = join(test.path, 'deps', 'sub');
      const gitDir = join(test.path, '.git', 'modules', 'deps', 'sub');
      for (const path of [workTree, gitDir]) {
        await withRepository(backend, path, async (git) => {
          expect(git.place).toEqual({ workTree, gitDir, commonDir: gitDir, bare: false, shallow: false });
          expect(await git.head()).toMatchObject({ commit });
        });
      }
      await withRepository(backend, test, async (git) => {
        expect(await git.submodules()).toEqual(['deps/sub']);
        expect(await git.entry(await test.hash('HEAD'), 'deps/sub')).toEqual({ path: 'deps/sub', kind: 'submodule', oid: commit });
      });
    });

    it('reads a repository with a separate git directory and one behind a link', async () => {
      const parent = await emptyFolder();
      const gitDir = join(parent.path, 'elsewhere');
      await parent.git(['init', '-q', '--separate-git-dir', gitDir, 'tree']);
      expect(await placeOf(join(parent.path, 'tree'))).toMatchObject({ workTree: join(parent.path, 'tree'), gitDir });
      await symlink('tree', join(parent.path, 'link'));
      expect(await withRepository(backend, join(parent.path, 'link'), (git) => git.head())).toMatchObject({ kind: 'unborn' });
    });

    it('says when there is no repository', async () => {
      const folder = await emptyFolder();
      await mkdir(join(folder.path, 'fake', '.git'), { recursive: true });
      for (const path of [folder.path, join(folder.path, 'fake')]) {
        await expect(placeOf(path)).rejects.toMatchObject({
          code: 'not-found',
          message: expect.stringContaining('not in a git repository'),
          hint: expect.stringContaining('.git'),
        });
      }
      await expect(placeOf(join(folder.path, 'nope'))).rejects.toMatchObject({ code: 'not-found', place: { file: join(folder.path, 'nope') } });
      await writeFile(join(folder.path, 'fake', '.git2'), '');
      await rm(join(folder.path, 'fake', '.git'), { recursive: true });
      await writeFile(join(folder.path, 'fake', '.git'), 'gitdir: /nowhere/at/all\n');
      await expect(placeOf(join(folder.path, 'fake'))).rejects.toMatchObject({ code: 'not-found' });
    });
  });

  describe('repositories that isomorphic-git would read wrongly', () => {
    /** Native git reads them; the other back end says what it is and what helps. */
    async function expectRefusal(
      test: TestRepository | string,
      words: RegExp,
      check: (git: Parameters<Parameters<typeof withRepository>[2]>[0]) => Promise<unknown>,
    ): Promise<void> {
      if (backend === 'native') await withRepository(backend, test, check);
      else {
        await expect(withRepository(backend, test, check)).rejects.toMatchObject({
          code: 'unsupported-repository',
          message: expect.stringMatching(words),
          hint: expect.stringContaining('Install git'),
        });
      }
    }

    it('SHA-256', async () => {
      const test = await repository('--object-format=sha256');
      const oid = await test.git(['rev-parse', '--verify', 'HEAD']).catch(() => null);
      expect(oid).toBeNull();
      await test.write('a', 'a');
      await test.git(['add', 'a']);
      await test.git(['commit', '-q', '-m', 'one']);
      const commit = await test.git(['rev-parse', 'HEAD']);
      await expectRefusal(test, /SHA-256 \(extensions\.objectFormat\)/, async (git) => {
        expect(await git.head()).toMatchObject({ commit });
        expect(await collect(git.walk({ strict: true }))).toMatchObject([{ hash: commit }]);
        const entry = await git.entry(await git.resolve('main'), 'a');
        expect(Buffer.from(await git.blob(entry?.oid ?? '')).toString()).toBe('a');
        expect(Object.fromEntries(await git.status(['a']))).toEqual({ a: 'unmodified' });
      });
    });

    it('alternates', async () => {
      const test = await repository();
      const commit = await test.commit('one', { a: 'a' });
      const clone = await emptyFolder();
      await clone.git(['clone', '-q', '--shared', test.path, '.']);
      await expectRefusal(clone, /alternates/, async (git) => expect(await git.commit(commit)).toMatchObject({ title: 'one' }));
    });

    it('replace refs', async () => {
      const test = await repository();
      const one = await test.commit('one');
      const two = await test.commit('two');
      await test.git(['replace', two, await test.commitTree('another history', [one])]);
      await expectRefusal(test, /refs\/replace/, async (git) => expect(await git.commit(two)).toMatchObject({ title: 'another history' }));
    });

    it('partial clones, which never fetch', async () => {
      const test = await repository();
      await test.git(['config', 'uploadpack.allowFilter', 'true']);
      await test.commit('one', { 'dir/a': 'content of a' });
      const clone = await emptyFolder();
      await clone.git(['clone', '-q', '--no-checkout', '--filter=blob:none', `file://${test.path}`, '.']);
      const oid = await test.git(['rev-parse', 'HEAD:dir/a']);
      const before = await readFile(join(clone.path, '.git', 'HEAD'));
      await expectRefusal(clone, /partial clone/, async (git) => {
        const commit = await git.resolve('main');
        expect(await git.entry(commit, 'dir/a')).toEqual({ path: 'dir/a', kind: 'blob', oid });
        for (const read of [() => git.blob(oid), () => git.blobSize(oid), () => git.blobToFile(oid, join(clone.path, 'out'))]) {
          await expect(read()).rejects.toMatchObject({ code: 'missing-object', hint: expect.stringContaining('fetch') });
        }
      });
      expect(await readFile(join(clone.path, '.git', 'HEAD'))).toEqual(before);
      await rename(test.path, `${test.path}-gone`);
      onTestFinished(() => rm(`${test.path}-gone`, { recursive: true }));
      await expect(clone.git(['cat-file', '-e', oid])).rejects.toThrow();
    });

    it.each([
      ['[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n', /"reftable" \(extensions\.refStorage\)/],
      ['[core]\nrepositoryformatversion = 1\n[extensions]\nfutureThing = true\n', /extension "futurething"/],
      ['[core]\nrepositoryformatversion = 99\n', /repository format 99/],
    ])('%j', async (settings, words) => {
      const test = await repository();
      await test.commit('one');
      await appendFile(join(test.path, '.git', 'config'), settings);
      if (backend === 'isomorphic') await expectRefusal(test, words, async () => {});
      // Native git knows some of these or refuses them itself, by its version.
      else
        await withRepository(backend, test, (git) => git.head()).catch((error: unknown) =>
          expect(error).toMatchObject({ code: 'unsupported-repository', hint: expect.stringContaining('newer git') }),
        );
    });

    it('packs over 2 GiB', async () => {
      const test = await repository();
      const commit = await test.commit('one');
      const packs = join(test.path, '.git', 'objects', 'pack');
      await mkdir(packs, { recursive: true });
      // A file with a hole: it takes no space. git ignores a pack without an index.
      const path = join(packs, `pack-${'0'.repeat(40)}.pack`);
      await writeFile(path, 'PACK');
      await truncate(path, 2 ** 31);
      await expectRefusal(test, /pack file larger than 2 GiB/, async (git) => expect(await git.head()).toMatchObject({ commit }));
    });

    it('harmless extensions are no reason', async () => {
      const test = await repository();
      const commit = await test.commit('one');
      await appendFile(
        join(test.path, '.git', 'config'),
        '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha1\nnoop = true\nworktreeConfig = true\n',
      );
      expect(await withRepository(backend, test, (git) => git.head())).toMatchObject({ commit });
    });

    it('grafts are followed', async () => {
      const test = await repository();
      const one = await test.commit('one');
      await test.commit('two');
      const three = await test.commit('three');
      await mkdir(join(test.path, '.git', 'info'), { recursive: true });
      await writeFile(join(test.path, '.git', 'info', 'grafts'), `${three} ${one}\n`);
      await withRepository(backend, test, async (git) => {
        expect((await git.commit(three)).parents).toEqual([one]);
        expect((await collect(git.walk({ strict: true }))).map(({ title }) => title)).toEqual(['three', 'one']);
      });
    });
  });

  it.skipIf(process.getuid?.() === 0)('says when files cannot be read', async () => {
    const test = await repository();
    await test.commit('one');
    await chmod(join(test.path, '.git', 'objects'), 0);
    onTestFinished(() => chmod(join(test.path, '.git', 'objects'), 0o755));
    await expect(withRepository(backend, test, (git) => git.head())).rejects.toMatchObject({ name: 'CheckpointError' });
  });
}
