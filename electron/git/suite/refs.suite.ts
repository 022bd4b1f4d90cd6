import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, type TestRepository } from '../testing/testRepository';
import { type Backend, withRepository } from './suiteContext';

async function repository(...args: string[]): Promise<TestRepository> {
  const made = await makeRepository(...args);
  onTestFinished(() => made.dispose());
  return made;
}

export function refsSuite(backend: Backend): void {
  describe('HEAD', () => {
    it('is on a branch', async () => {
      const test = await repository();
      const commit = await test.commit('one');
      await test.git(['switch', '-q', '-c', 'feature/über']);
      expect(await withRepository(backend, test, (git) => git.head())).toEqual({ kind: 'branch', name: 'feature/über', commit });
    });

    it('is detached', async () => {
      const test = await repository();
      const commit = await test.commit('one');
      await test.commit('two');
      await test.git(['checkout', '-q', '--detach', commit]);
      expect(await withRepository(backend, test, (git) => git.head())).toEqual({ kind: 'detached', commit });
    });

    it.each([[[]], [['--bare']]])('is unborn with init %j', async (args) => {
      const test = await repository(...args);
      await withRepository(backend, test, async (git) => {
        expect(await git.head()).toEqual({ kind: 'unborn', name: 'main' });
        expect(await git.refs()).toEqual([]);
        expect(await git.submodules()).toEqual([]);
        expect(git.place.bare).toBe(args.length > 0);
      });
    });

    it('says when the commit it names is missing', async () => {
      const test = await repository();
      const commit = await test.commit('one');
      await rm(join(test.path, '.git', 'objects', commit.slice(0, 2), commit.slice(2)));
      await expect(withRepository(backend, test, (git) => git.head())).rejects.toMatchObject({
        code: 'missing-object',
        message: expect.stringContaining(commit),
      });
    });
  });

  describe('refs', () => {
    /** Branches, remote branches, and every kind of tag. */
    async function manyRefs() {
      const test = await repository();
      const one = await test.commit('one', { 'a.txt': 'a' });
      const two = await test.commit('two');
      await test.git(['branch', 'zeta', one]);
      await test.git(['branch', 'Alpha/b', one]);
      await test.git(['update-ref', 'refs/remotes/origin/main', one]);
      await test.git(['update-ref', 'refs/remotes/origin/feature/x', two]);
      await test.git(['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main']);
      await test.git(['symbolic-ref', 'refs/heads/alias', 'refs/heads/zeta']);
      await test.git(['tag', 'light', one]);
      await test.git(['tag', '-a', '-m', 'a', 'annotated', two]);
      await test.git(['tag', '-a', '-m', 'b', 'nested', 'annotated']);
      await test.git(['tag', '-a', '-m', 'c', 'nested-twice', 'nested']);
      await test.git(['tag', 'on-blob', `${one}:a.txt`]);
      await test.git(['tag', '-a', '-m', 'd', 'annotated-tree', `${one}^{tree}`]);
      await test.git(['update-ref', 'refs/notes/commits', one]);
      await test.git(['update-ref', 'refs/stash', two]);
      const expected = [
        { kind: 'branch', name: 'Alpha/b', commit: one },
        { kind: 'branch', name: 'alias', commit: one },
        { kind: 'branch', name: 'main', commit: two },
        { kind: 'branch', name: 'zeta', commit: one },
        { kind: 'remote-branch', name: 'origin/feature/x', commit: two },
        { kind: 'remote-branch', name: 'origin/main', commit: one },
        { kind: 'tag', name: 'annotated', commit: two },
        { kind: 'tag', name: 'light', commit: one },
        { kind: 'tag', name: 'nested', commit: two },
        { kind: 'tag', name: 'nested-twice', commit: two },
      ];
      return { test, one, two, expected };
    }

    it.each(['loose', 'packed'])('lists %s branches, remote branches and peeled tags', async (form) => {
      const { test, expected } = await manyRefs();
      if (form === 'packed') await test.git(['gc', '-q']);
      expect(await withRepository(backend, test, (git) => git.refs())).toEqual(expected);
    });

    it('prefers loose refs to packed ones and forgets deleted ones', async () => {
      const { test, two, expected } = await manyRefs();
      await test.git(['pack-refs', '--all']);
      await test.git(['branch', '-f', 'zeta', two]);
      await test.git(['branch', '-D', 'Alpha/b']);
      const changed = expected.filter(({ name }) => name !== 'Alpha/b').map((ref) => (['zeta', 'alias'].includes(ref.name) ? { ...ref, commit: two } : ref));
      expect(await withRepository(backend, test, (git) => git.refs())).toEqual(changed);
    });

    it('sees what changes while it is open', async () => {
      const { test, one } = await manyRefs();
      await withRepository(backend, test, async (git) => {
        await git.refs();
        const three = await test.commit('three');
        await test.git(['tag', 'later', one]);
        expect(await git.head()).toMatchObject({ commit: three });
        expect(await git.refs()).toContainEqual({ kind: 'tag', name: 'later', commit: one });
      });
    });

    it('leaves out broken refs and shows the others', async () => {
      const { test, expected } = await manyRefs();
      const refs = join(test.path, '.git', 'refs', 'heads');
      await writeFile(join(refs, 'to-nothing'), `${'1'.repeat(40)}\n`);
      await writeFile(join(refs, 'garbage'), 'not a hash\n');
      await writeFile(join(refs, 'dangling'), 'ref: refs/heads/nowhere\n');
      expect(await withRepository(backend, test, (git) => git.refs())).toEqual(expected);
    });
  });

  it('lists remotes without credentials', async () => {
    const test = await repository();
    const urls: readonly (readonly [string, string, string])[] = [
      ['origin', 'https://user:secret@example.org/models.git', 'https://example.org/models.git'],
      ['token', 'https://ghp_token@example.org:8443/m?access_token=x', 'https://example.org:8443/m'],
      ['ssh', 'ssh://git:pw@host:22/~me/m.git', 'ssh://host:22/~me/m.git'],
      ['scp', 'git@example.org:team/m.git', 'example.org:team/m.git'],
      ['dot.ted', '/srv/models/a@b:c', '/srv/models/a@b:c'],
    ];
    for (const [name, url] of urls) await test.git(['remote', 'add', name, url]);
    await test.git(['config', '--add', 'remote.origin.url', 'https://second.example.org/']);
    expect(await withRepository(backend, test, (git) => git.remotes())).toEqual(urls.map(([name, , url]) => ({ name, url })));
  });

  it('reads settings from the repository', async () => {
    const test = await repository();
    await test.git(['config', 'theta.Some-Key', 'one two # three']);
    await test.git(['config', 'filter.a b"c.Clean', 'x\ty']);
    await test.git(['config', '--add', 'theta.multi', 'first']);
    await test.git(['config', '--add', 'theta.multi', 'last']);
    await test.write('extra', '[theta]\n\tincluded = yes\n\tswitch\n\tmulti = included\n');
    await test.git(['config', 'include.path', '../extra']);
    await test.write('.git/config.tail', '[theta]\n\ttail = "a;b" ; comment\n\tlong = one \\\n two\n');
    await test.git(['config', 'includeIf.gitdir:**/.git.path', 'config.tail']);
    await withRepository(backend, test, async (git) => {
      const keys = ['theta.some-key', 'THETA.SOME-KEY', 'filter.a b"c.clean', 'theta.multi', 'theta.included', 'theta.tail', 'theta.long', 'core.bare'];
      for (const key of keys) expect([key, await git.config(key)]).toEqual([key, await test.git(['config', '--get', '--includes', key])]);
      expect(await git.config('theta.switch')).toBe('true');
      for (const key of ['theta.nope', 'nope', '', '--list', '-l', 'filter.A b"c.clean', '.', 'a..b\n'])
        expect([key, await git.config(key)]).toEqual([key, null]);
    });
  });
}
