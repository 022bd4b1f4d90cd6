import { chmod, link, lstat, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRepository } from '../openRepository';
import { callGit, makeRepository, temporaryFolder } from '../testing/testRepository';
import { HOOKS, hookScript } from './hookScript';
import { installHooks } from './installHooks';
import { uninstallHooks } from './uninstallHooks';

beforeEach(() => {
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  return () => vi.unstubAllEnvs();
});

/** A repository, and a program that writes down how it was called. */
async function setUp() {
  const test = await makeRepository();
  const tools = await temporaryFolder();
  onTestFinished(() => test.dispose());
  const log = join(tools, 'log');
  const path = join(tools, `the "program" $x`);
  await writeFile(path, `#!/bin/sh\n{ echo "theta: $*"; case "$2" in pre-push|post-rewrite) cat;; esac; } >> '${log}'\n[ ! -e '${tools}/fail' ]\n`, {
    mode: 0o755,
  });
  const program = `'${path}'`;
  const target = async (folder = test.path) => {
    const git = await openRepository(folder, { backend: 'native' });
    await git.close();
    const { place } = git;
    return { git: { executable: 'git', folder: place.workTree ?? place.gitDir, place: [`--git-dir=${place.gitDir}`] }, place, program };
  };
  const hooks = join(test.path, '.git', 'hooks');
  return {
    test,
    tools,
    target,
    hooks,
    write: async (name: string, content: string, mode = 0o755) => {
      await mkdir(hooks, { recursive: true });
      await writeFile(join(hooks, name), content);
      await chmod(join(hooks, name), mode);
    },
    logged: async () => {
      const text = await readFile(log, 'utf8').catch(() => '');
      await writeFile(log, '');
      return text.split('\n').filter((line) => line !== '');
    },
    /** What is in the folder of hooks, without git's samples. */
    async found(folder = hooks) {
      const names = (await readdir(folder)).filter((name) => !name.endsWith('.sample')).toSorted();
      return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])));
    },
  };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;
const NAMES = ['post-commit', 'post-merge', 'post-rewrite', 'pre-push'];

const other = (tools: string, name: string, more = '') => `#!/bin/sh\n{ echo "${name}: $*"; ${more} } >> '${tools}/log'\n`;

async function remoteOf({ test }: SetUp): Promise<string> {
  const remote = await temporaryFolder();
  await callGit(remote, ['init', '--quiet', '--bare', '.']);
  await test.git(['remote', 'add', 'origin', remote]);
  return remote;
}

describe('hooks', () => {
  it('call the program as git calls them', async () => {
    const set = await setUp();
    const { test, logged } = set;
    const report = await installHooks(await set.target());
    expect(report).toMatchObject({ kind: 'own', path: set.hooks, notes: [] });
    expect(report.hooks.map(({ name, state, former }) => [name, state, former])).toEqual(HOOKS.map(({ name }) => [name, 'written', []]));
    expect(Object.keys(await set.found())).toEqual(NAMES);
    const remote = await remoteOf(set);
    const first = await test.commit('one', { a: '1' });
    expect(await logged()).toEqual(['theta: hook post-commit']);
    await test.git(['push', '--quiet', 'origin', 'main']);
    expect(await logged()).toEqual([`theta: hook pre-push origin ${remote}`, `refs/heads/main ${first} refs/heads/main ${'0'.repeat(40)}`]);
    await test.git(['commit', '--quiet', '--amend', '-m', 'better']);
    const second = await test.hash('HEAD');
    expect(await logged()).toEqual(['theta: hook post-commit', 'theta: hook post-rewrite amend', `${first} ${second}`]);
    await test.git(['checkout', '--quiet', '-b', 'side', first]);
    await test.git(['merge', '--quiet', '--allow-unrelated-histories', '-X', 'theirs', 'main']);
    expect((await logged()).at(-1)).toBe('theta: hook post-merge 0');
  });

  it('refuse the push when the program fails, and tell when it is gone', async () => {
    const set = await setUp();
    await remoteOf(set);
    await installHooks(await set.target());
    await set.test.commit('one', { a: '1' });
    await writeFile(join(set.tools, 'fail'), '');
    await expect(set.test.git(['push', '--quiet', 'origin', 'main'])).rejects.toThrow('failed to push');
    await installHooks({ ...(await set.target()), program: `"${set.tools}/gone"` });
    await expect(set.test.git(['push', '--quiet', 'origin', 'main'])).rejects.toThrow('run "theta install --local" where it is now');
  });

  it('run what was there before, with the same arguments and input, and first', async () => {
    const set = await setUp();
    const remote = await remoteOf(set);
    await set.write('pre-push', other(set.tools, 'lfs', 'cat;'));
    await set.write('post-commit', other(set.tools, 'mine'));
    await set.write('post-rewrite', other(set.tools, 'off', 'cat;'), 0o644);
    await set.write('post-merge', '#!/bin/sh\nexit 3\n');
    const before = await set.found();
    const report = await installHooks(await set.target());
    expect(report.hooks.find(({ name }) => name === 'pre-push')).toEqual({ name: 'pre-push', state: 'written', former: ['pre-push.before-theta'] });
    const hash = await set.test.commit('one', { a: '1' });
    expect(await set.logged()).toEqual(['mine: ', 'theta: hook post-commit']);
    await set.test.git(['push', '--quiet', 'origin', 'main']);
    const line = `refs/heads/main ${hash} refs/heads/main ${'0'.repeat(40)}`;
    expect(await set.logged()).toEqual([`lfs: origin ${remote}`, line, `theta: hook pre-push origin ${remote}`, line]);
    // A hook without the right to run does not run now either.
    await set.test.git(['commit', '--quiet', '--amend', '-m', 'better']);
    expect((await set.logged()).filter((entry) => entry.startsWith('off'))).toEqual([]);
    await set.test.git(['checkout', '--quiet', '-b', 'side', hash]);
    await set.test.git(['merge', '--quiet', '--allow-unrelated-histories', 'main']);
    expect((await set.logged()).at(-1)).toBe('theta: hook post-merge 0');

    expect(await uninstallHooks(await set.target())).toEqual({ removed: [], restored: HOOKS.map(({ name }) => join(set.hooks, name)), notes: [] });
    expect(await set.found()).toEqual(before);
    expect((await stat(join(set.hooks, 'post-rewrite'))).mode & 0o777).toBe(0o644);
    expect((await stat(join(set.hooks, 'pre-push'))).mode & 0o111).toBe(0o111);
  });

  it('let a former pre-push hook refuse, also one that does not read its input', async () => {
    const set = await setUp();
    await remoteOf(set);
    await set.write('pre-push', `#!/bin/sh\necho no >&2\nexit 7\n`);
    await installHooks(await set.target());
    await set.test.commit('one', { a: '1' });
    await set.logged();
    await expect(set.test.git(['push', '--quiet', 'origin', 'main'])).rejects.toThrow('failed to push');
    expect(await set.logged()).toEqual([]);
  });

  it('change nothing a second time, and are gone without a trace', async () => {
    const set = await setUp();
    const before = await set.found().catch(() => ({}));
    await set.write('pre-push', other(set.tools, 'lfs', 'cat;'));
    await installHooks(await set.target());
    const once = await set.found();
    const report = await installHooks(await set.target());
    expect(report.hooks.map(({ state }) => state)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
    expect(await set.found()).toEqual(once);
    await uninstallHooks(await set.target());
    expect(await set.found()).toEqual({ ...before, 'pre-push': other(set.tools, 'lfs', 'cat;') });
    expect(await uninstallHooks(await set.target())).toEqual({ removed: [], restored: [], notes: [] });
  });

  it('keep every hook that others write over ours, and take one that comes again for the same', async () => {
    const set = await setUp();
    await set.write('post-commit', other(set.tools, 'lfs'));
    await installHooks(await set.target());
    // As git-theta does on each of its runs.
    for (let i = 0; i < 3; i++) {
      await set.write('post-commit', other(set.tools, 'git-theta'));
      await installHooks(await set.target());
    }
    await set.test.commit('one', { a: '1' });
    expect(await set.logged()).toEqual(['lfs: ', 'git-theta: ', 'theta: hook post-commit']);
    expect(Object.keys(await set.found())).toEqual([
      'post-commit',
      'post-commit.before-theta',
      'post-commit.before-theta-2',
      'post-merge',
      'post-rewrite',
      'pre-push',
    ]);
    const { restored, notes } = await uninstallHooks(await set.target());
    expect(restored).toEqual([join(set.hooks, 'post-commit')]);
    expect(notes).toEqual([`A former hook is kept as ${join(set.hooks, 'post-commit.before-theta')}; it does not run by itself.`]);
    expect(await set.found()).toEqual({ 'post-commit': other(set.tools, 'git-theta'), 'post-commit.before-theta': other(set.tools, 'lfs') });
  });

  it('leave a hook that another program has written over ours', async () => {
    const set = await setUp();
    await set.write('pre-push', 'old');
    await installHooks(await set.target());
    await set.write('pre-push', 'new');
    const { notes } = await uninstallHooks(await set.target());
    expect(await set.found()).toEqual({ 'pre-push': 'new', 'pre-push.before-theta': 'old' });
    expect(notes).toHaveLength(1);
  });

  it('go on after a halt at any moment', async () => {
    const set = await setUp();
    const mine = other(set.tools, 'mine');
    const path = join(set.hooks, 'post-commit');
    // Between the second name and the new hook.
    await set.write('post-commit', mine);
    await link(path, `${path}.before-theta`);
    await installHooks(await set.target());
    expect((await set.found())['post-commit.before-theta']).toBe(mine);
    expect((await set.found())['post-commit.before-theta-2']).toBeUndefined();
    // Between them where there are no hard links.
    await rename(`${path}.before-theta`, path);
    await rename(path, `${path}.before-theta`);
    await installHooks(await set.target());
    await set.test.commit('one', { a: '1' });
    expect(await set.logged()).toEqual(['mine: ', 'theta: hook post-commit']);
  });

  it('keep a link and what cannot be read', async () => {
    const set = await setUp();
    await mkdir(set.hooks, { recursive: true });
    await writeFile(join(set.tools, 'linked'), other(set.tools, 'linked'), { mode: 0o755 });
    await symlink(join(set.tools, 'linked'), join(set.hooks, 'post-commit'));
    await symlink('nowhere', join(set.hooks, 'post-merge'));
    await symlink('nowhere', join(set.hooks, 'post-merge.before-theta'));
    await installHooks(await set.target());
    await set.test.commit('one', { a: '1' });
    expect(await set.logged()).toEqual(['linked: ', 'theta: hook post-commit']);
    expect((await lstat(join(set.hooks, 'post-merge.before-theta-2'))).isSymbolicLink()).toBe(true);
    await uninstallHooks(await set.target());
    expect((await lstat(join(set.hooks, 'post-commit'))).isSymbolicLink()).toBe(true);
  });

  it('stand where all work trees share them, and in a bare repository', async () => {
    const set = await setUp();
    await set.test.commit('one', { a: '1' });
    const tree = join(await temporaryFolder(), 'tree');
    await set.test.git(['worktree', 'add', '--quiet', tree]);
    expect((await installHooks(await set.target(tree))).path).toBe(set.hooks);
    await set.test.git(['commit', '--quiet', '--allow-empty', '-m', 'x'], { folder: tree });
    expect(await set.logged()).toEqual(['theta: hook post-commit']);
    const bare = await makeRepository('--bare');
    onTestFinished(() => bare.dispose());
    expect((await installHooks(await set.target(bare.path))).path).toBe(join(bare.path, 'hooks'));
  });

  it('go where core.hooksPath says, when that is in the repository', async () => {
    const set = await setUp();
    await set.test.git(['config', 'core.hooksPath', '.husky/_']);
    expect(await installHooks(await set.target())).toMatchObject({ kind: 'own', path: join(set.test.path, '.husky', '_') });
    await set.test.git(['commit', '--quiet', '--allow-empty', '-m', 'x']);
    expect(await set.logged()).toEqual(['theta: hook post-commit']);
    await uninstallHooks(await set.target());
    expect(await set.found(join(set.test.path, '.husky', '_'))).toEqual({});
  });

  it.each(['shared', 'versioned'] as const)('do not touch a folder of hooks that is %s, and say what to add by hand', async (kind) => {
    const set = await setUp();
    const folder = kind === 'shared' ? join(set.tools, 'hooks') : join(set.test.path, '.githooks');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'pre-push'), '#!/bin/sh\n', { mode: 0o755 });
    await set.test.git(['config', 'core.hooksPath', kind === 'shared' ? folder : '.githooks']);
    if (kind === 'versioned') await set.test.git(['add', '.githooks']);
    const report = await installHooks(await set.target());
    expect(report).toMatchObject({ kind, path: folder });
    expect(report.hooks.every(({ state }) => state === 'by-hand')).toBe(true);
    expect(report.notes.join('\n')).toContain(`pre-push: ${(await set.target()).program} hook pre-push "$@"`);
    expect(await set.found(folder)).toEqual({ 'pre-push': '#!/bin/sh\n' });
    expect(Object.keys(await set.found().catch(() => ({})))).toEqual([]);
  });

  it('say why they cannot be written', async () => {
    const set = await setUp();
    await writeFile(join(set.tools, 'file'), '');
    await set.test.git(['config', 'core.hooksPath', join(set.test.path, '.git', 'config', 'hooks')]);
    await expect(installHooks(await set.target())).rejects.toMatchObject({ code: expect.stringMatching(/not-found|exists|permission/) });
  });

  it('are scripts for the plain POSIX shell', async () => {
    for (const hook of HOOKS) expect(hookScript(hook, '"x"')).toMatch(/^#!\/bin\/sh\n# Theta Desktop hook\n/);
  });
});
