import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRepository } from '../../openRepository';
import { callGit, makeRepository, temporaryFolder } from '../../testing/testRepository';
import { initRepository } from './initRepository';
import { openGitWriter } from './openGitWriter';
import { isolate, openFixture } from './testing/writerFixture';

const options = { filterCommand: { process: 'false', clean: 'false', smudge: 'false' } };

describe('opening a writer', () => {
  it('refuses a bare repository', async () => {
    isolate();
    const test = await makeRepository('--bare');
    onTestFinished(() => test.dispose());
    const git = await openRepository(test.path);
    await expect(openGitWriter(git, options)).rejects.toMatchObject({ code: 'unsupported-repository', message: expect.stringContaining('bare') });
  });

  it('needs git, and says so', async () => {
    const fixture = await openFixture();
    const git = await openRepository(fixture.folder, { backend: 'isomorphic' });
    const writer = await openGitWriter(git, options);
    expect(await writer.identity()).toEqual({ name: 'Ada Löwe', email: 'ada@example.org' });
    vi.stubEnv('PATH', '/nowhere');
    await expect(openGitWriter(git, options)).rejects.toMatchObject({ code: 'unsupported-repository', hint: expect.stringContaining('Install git') });
  });

  it('is not redirected by the environment of a hook', async () => {
    const fixture = await openFixture();
    const other = await openFixture();
    vi.stubEnv('GIT_DIR', join(other.folder, '.git'));
    vi.stubEnv('GIT_INDEX_FILE', join(other.folder, '.git', 'index'));
    vi.stubEnv('GIT_GLOB_PATHSPECS', '1');
    await fixture.stage({ a: '1' });
    const commit = await fixture.writer.commit({ paths: ['a'], message: 'here', author: null });
    expect(await fixture.git('rev-parse', 'HEAD')).toBe(commit);
    expect(await other.git('status', '--porcelain')).toBe('');
  });

  it('works where the work tree has no .git', async () => {
    isolate();
    const folder = await temporaryFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'tree'));
    await callGit(folder, ['init', '--quiet', 'store']);
    const gitDir = join(folder, 'store', '.git');
    await callGit(gitDir, ['--git-dir=.', 'config', 'core.worktree', join(folder, 'tree')]);
    const writer = await openGitWriter(await openRepository(gitDir), options);
    await writeFile(join(folder, 'tree', 'a'), '1');
    await writer.stagePlain(['a']);
    const commit = await writer.commit({ paths: ['a'], message: 'apart', author: null });
    expect((await callGit(gitDir, ['--git-dir=.', 'rev-parse', 'HEAD'])).toString().trim()).toBe(commit);
  });

  it('stores blobs as they are', async () => {
    const fixture = await openFixture();
    await fixture.git('config', 'core.autocrlf', 'true');
    const bytes = Buffer.from('a\r\n\0\xff', 'latin1');
    const oid = await fixture.writer.writeBlob(bytes);
    expect(await fixture.test.bytes(['cat-file', 'blob', oid])).toEqual(bytes);
    expect(await fixture.writer.indexEntries('nothing')).toEqual(new Map());
  });

  it('makes one change at a time', async () => {
    const fixture = await openFixture();
    const names = Array.from({ length: 12 }, (_, i) => `file ${i}`);
    for (const name of names) await fixture.write(name, name);
    await Promise.all([fixture.writer.discard(['never']).catch(() => {}), ...names.map((name) => fixture.writer.stagePlain([name]))]);
    expect((await fixture.git('diff', '--cached', '--name-only')).split('\n')).toHaveLength(12);
  });
});

describe('making a repository', () => {
  async function emptyFolder(): Promise<string> {
    isolate();
    const folder = await temporaryFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  it('names the first branch main, and keeps files that are there', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'model.pt'), 'values');
    await initRepository(folder);
    expect(await readFile(join(folder, '.git', 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
    expect((await callGit(folder, ['status', '--porcelain'])).toString()).toBe('?? model.pt\n');
    await expect(initRepository(folder)).rejects.toMatchObject({ code: 'exists' });
  });

  it('takes the first branch of the configuration', async () => {
    const folder = await emptyFolder();
    const config = join(folder, 'config');
    await writeFile(config, '[init]\n\tdefaultBranch = trunk\n');
    vi.stubEnv('GIT_CONFIG_GLOBAL', config);
    await initRepository(folder);
    expect(await readFile(join(folder, '.git', 'HEAD'), 'utf8')).toBe('ref: refs/heads/trunk\n');
  });

  it('says what is wrong with the place', async () => {
    const folder = await emptyFolder();
    await expect(initRepository(join(folder, 'none'))).rejects.toMatchObject({ code: 'not-found' });
    await writeFile(join(folder, 'file'), '');
    await expect(initRepository(join(folder, 'file'))).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
