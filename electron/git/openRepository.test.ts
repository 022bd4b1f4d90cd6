import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findGit } from './native/findGit';
import { findNativeGit } from './native/gitVersion';
import { openRepository } from './openRepository';
import { callGit, makeRepository, type TestRepository, temporaryFolder } from './testing/testRepository';

describe('openRepository', () => {
  let test: TestRepository;
  let folder: string;
  beforeEach(async () => {
    test = await makeRepository();
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await test.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const backendOf = async (path: string) => {
    const git = await openRepository(path);
    await git.close();
    return git.backend;
  };

  async function fakeGit(script: string): Promise<string> {
    await writeFile(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'git'), 0o755);
    return folder;
  }

  it('takes git where there is one, and reads without it where there is none', async () => {
    expect(await backendOf(test.path)).toBe('native');
    vi.stubEnv('PATH', folder);
    expect(await backendOf(test.path)).toBe('isomorphic');
    await expect(openRepository(test.path, { backend: 'native' })).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining('Install git') });
  });

  it.each([
    ['is too old', 'echo "git version 2.17.1"'],
    ['does not run', 'exit 1'],
    ['is something else', 'echo "usage: xcode-select"'],
  ])('reads without git when it %s', async (_, script) => {
    vi.stubEnv('PATH', await fakeGit(script));
    expect(await backendOf(test.path)).toBe('isomorphic');
  });

  it('knows versions of all builds', async () => {
    const folderOfGit = await fakeGit('echo "git version 2.50.1 (Apple Git-155)"');
    expect(await findNativeGit(folderOfGit)).toEqual({ executable: join(folder, 'git'), version: '2.50.1' });
  });

  it('takes no git from the current folder or a relative place', async () => {
    await fakeGit('exit 0');
    expect(await findGit(['', '.', 'bin', '..'].join(delimiter))).toBeNull();
    expect(await findGit(['.', folder].join(delimiter))).toBe(join(folder, 'git'));
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other', 'git'), 'not executable');
    expect(await findGit([join(folder, 'other'), folder].join(delimiter))).toBe(join(folder, 'git'));
  });

  it('is not led astray by the variables that git sets for its hooks', async () => {
    const commit = await test.commit('one', { a: 'a' });
    const other = await makeRepository();
    try {
      for (const [name, value] of [
        ['GIT_DIR', join(other.path, '.git')],
        ['GIT_WORK_TREE', other.path],
        ['GIT_INDEX_FILE', join(folder, 'no-index')],
        ['GIT_OBJECT_DIRECTORY', join(folder, 'no-objects')],
        ['GIT_NAMESPACE', 'x'],
        ['GIT_TRACE', join(folder, 'trace')],
      ] as const) {
        vi.stubEnv(name, value);
      }
      for (const backend of ['native', 'isomorphic'] as const) {
        const git = await openRepository(test.path, { backend });
        expect(await git.head()).toMatchObject({ commit });
        expect((await git.status(['a'])).get('a')).toBe('unmodified');
        await git.close();
      }
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await other.dispose();
    }
  });

  it.skipIf(process.getuid?.() !== 0)('gives git’s advice when the folder belongs to someone else', async () => {
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
    await callGit('/', ['-c', 'core.quotePath=false', 'version']);
    await chownAll(test.path);
    await expect(openRepository(test.path, { backend: 'native' })).rejects.toMatchObject({
      code: 'permission',
      hint: `If you trust it, run: git config --global --add safe.directory ${test.path}`,
      detail: expect.stringContaining('dubious ownership'),
    });
    await writeFile(join(folder, 'config'), `[safe]\n\tdirectory = ${test.path}\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, 'config'));
    expect(await backendOf(test.path)).toBe('native');
  });

  it('gives way when the user allows bare repositories only by name', async () => {
    await symlink('HEAD', join(test.path, '.git', 'x'));
    await writeFile(join(folder, 'config'), '[safe]\n\tbareRepository = explicit\n');
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, 'config'));
    const bare = await makeRepository('--bare');
    try {
      await expect(openRepository(bare.path, { backend: 'native' })).rejects.toMatchObject({ code: 'permission', message: expect.stringContaining('bare') });
    } finally {
      await bare.dispose();
    }
  });

  it('stops when cancelled', async () => {
    await expect(openRepository(test.path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

async function chownAll(path: string): Promise<void> {
  const { execFile } = await import('node:child_process');
  await new Promise<void>((resolve, reject) => execFile('chown', ['-R', '12345', path], (error) => (error === null ? resolve() : reject(error))));
}
