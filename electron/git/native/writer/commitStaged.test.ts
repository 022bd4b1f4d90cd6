import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ATTRIBUTES, openFixture, type WriterFixture } from './testing/writerFixture';

const request = (paths: readonly string[], message = 'Say what changed') => ({ paths, message, author: null });

/** Names and states of what a commit changed against its first parent. */
function changesOf(fixture: WriterFixture, commit: string): Promise<string> {
  return fixture.git('diff-tree', '--root', '--no-commit-id', '--name-status', '-r', '--no-renames', commit);
}

describe('committing', () => {
  it('commits what is staged, message and author as given', async () => {
    const fixture = await openFixture();
    await fixture.stage({ a: '1' });
    const message = '#12: größer\n\n# not a comment\n  indented\n';
    const commit = await fixture.writer.commit({ paths: ['a'], message, author: { name: 'Zoë "Z" O\'Neil', email: 'zoe@example.org' } });
    expect(commit).toBe(await fixture.git('rev-parse', 'main'));
    expect(await fixture.git('log', '-1', '--format=%B%an|%ae|%cn|%ce')).toBe(`${message}Zoë "Z" O'Neil|zoe@example.org|Ben|ben@example.org`);
    expect(await changesOf(fixture, commit)).toBe('A\ta');
    expect(await fixture.git('status', '--porcelain')).toBe('');
  });

  it('leaves other staged changes staged, and unstaged ones alone', async () => {
    const fixture = await openFixture();
    await fixture.stage({ keep: '1', drop: '2', 'dir/file': '3', own: '4' });
    await fixture.writer.commit(request(['keep', 'drop', 'dir/file', 'own']));
    await fixture.stage({ keep: '1b', own: '4b', 'new file ü': '5', ':(top)x': '6' });
    await fixture.git('rm', '--quiet', 'drop');
    await fixture.git('rm', '--quiet', '-r', 'dir');
    await fixture.stage({ dir: 'now a file' });
    await fixture.write('readme', 'unstaged\n');
    const index = await fixture.git('ls-files', '-s', '--debug');
    const commit = await fixture.writer.commit(request(['own', 'not staged']));
    expect(await changesOf(fixture, commit)).toBe('M\town');
    expect(await fixture.git('ls-files', '-s', '--debug')).toBe(index);
    expect(await fixture.git('status', '--porcelain', '-z')).toBe(
      ['A  :(top)x', 'A  dir', 'D  dir/file', 'D  drop', 'M  keep', 'A  new file ü', ' M readme', ''].join('\0'),
    );
    expect(await fixture.git('fsck', '--strict')).toBe('');
    expect(await readdir(join(fixture.test.path, '.git', 'theta-desktop'))).toEqual([]);
  });

  it('keeps the stat data of a staged checkpoint, so that no filter runs', async () => {
    const fixture = await openFixture();
    await fixture.write('model.pt', 'values');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', '{}') }]);
    await fixture.stage({ other: 'x' });
    await fixture.writer.commit(request(['model.pt']));
    expect(await fixture.git('status', '--porcelain')).toBe('A  other');
    await fixture.writer.commit(request(['other']));
    expect(await fixture.git('status', '--porcelain')).toBe('');
    expect(await fixture.filterRan()).toBe(false);
  });

  it('commits a removal and both sides of a rename', async () => {
    const fixture = await openFixture();
    await fixture.stage({ a: 'a long enough content to be found again\n', b: '2', c: '3' });
    await fixture.writer.commit(request(['a', 'b', 'c']));
    await fixture.git('mv', 'a', 'z');
    await fixture.git('rm', '--quiet', 'b', 'c');
    expect(await fixture.writer.status()).toContainEqual({ path: 'z', from: 'a', staged: 'renamed', work: 'unchanged' });
    expect(await changesOf(fixture, await fixture.writer.commit(request(['a', 'z', 'b'])))).toBe('D\ta\nD\tb\nA\tz');
    expect(await fixture.git('status', '--porcelain')).toBe('D  c');
  });

  it.each([[[]], [['other']]])('makes the first commit, with %j staged besides', async (others) => {
    const fixture = await openFixture({ empty: true });
    await fixture.stage({ '.gitattributes': ATTRIBUTES, ...Object.fromEntries(others.map((path) => [path, 'x'])) });
    const commit = await fixture.writer.commit(request(['.gitattributes']));
    expect(await fixture.git('ls-tree', '--name-only', commit)).toBe('.gitattributes');
    expect(await fixture.git('status', '--porcelain')).toBe(others.map((path) => `A  ${path}`).join('\n'));
  });

  it('commits in a linked work tree to its own branch, with others staged', async () => {
    const fixture = await openFixture({ linked: true });
    await fixture.stage({ a: '1', b: '2' });
    const commit = await fixture.writer.commit(request(['a']));
    expect(await fixture.git('rev-parse', 'side')).toBe(commit);
    expect(await fixture.git('rev-parse', 'main')).toBe(await fixture.git('rev-parse', 'side~1'));
    expect(await fixture.git('status', '--porcelain')).toBe('A  b');
  });

  it('commits on a detached HEAD', async () => {
    const fixture = await openFixture();
    await fixture.git('switch', '--quiet', '--detach');
    await fixture.stage({ a: '1', b: '2' });
    const commit = await fixture.writer.commit(request(['a']));
    expect(await fixture.git('rev-parse', 'HEAD')).toBe(commit);
    expect(await fixture.git('rev-parse', 'main')).toBe(await fixture.git('rev-parse', 'HEAD~1'));
  });

  it.each([[{ init: ['--object-format=sha256'] }]])('works in a SHA-256 repository', async (options) => {
    const fixture = await openFixture(options);
    await fixture.stage({ a: '1', b: '2' });
    const commit = await fixture.writer.commit(request(['a']));
    expect(commit).toHaveLength(64);
    expect(await changesOf(fixture, commit)).toBe('A\ta');
    expect(await fixture.git('status', '--porcelain')).toBe('A  b');
  });

  it('works with a split index', async () => {
    const fixture = await openFixture();
    await fixture.git('update-index', '--split-index');
    await fixture.stage({ a: '1', b: '2' });
    expect(await changesOf(fixture, await fixture.writer.commit(request(['a'])))).toBe('A\ta');
    expect(await fixture.git('status', '--porcelain')).toBe('A  b');
  });

  it('concludes a merge only as a whole', async () => {
    const fixture = await openFixture();
    await fixture.git('switch', '--quiet', '-c', 'other');
    await fixture.stage({ theirs: '1', 'theirs too': '2' });
    await fixture.writer.commit(request(['theirs', 'theirs too']));
    await fixture.git('switch', '--quiet', 'main');
    await fixture.test.git(['merge', '--quiet', '--no-ff', '--no-commit', 'other']);
    await expect(fixture.writer.commit(request(['theirs']))).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('theirs too') });
    const commit = await fixture.writer.commit(request(['theirs', 'theirs too']));
    expect(await fixture.git('rev-list', '--parents', '-1', commit)).toBe(
      `${commit} ${await fixture.git('rev-parse', 'main~1')} ${await fixture.git('rev-parse', 'other')}`,
    );
  });

  it('refuses while files are in conflict', async () => {
    const fixture = await openFixture();
    await fixture.git('switch', '--quiet', '-c', 'other');
    await fixture.stage({ readme: 'theirs\n' });
    await fixture.writer.commit(request(['readme']));
    await fixture.git('switch', '--quiet', 'main');
    await fixture.stage({ readme: 'ours\n' });
    await fixture.writer.commit(request(['readme']));
    await expect(fixture.git('merge', 'other')).rejects.toThrow();
    await fixture.stage({ a: '1' });
    await expect(fixture.writer.commit(request(['a']))).rejects.toMatchObject({ code: 'conflict', place: { file: 'readme' } });
    expect(await fixture.writer.status()).toContainEqual({ path: 'readme', staged: 'conflict', work: 'conflict' });
  });

  it('refuses an empty message, a strange author, and when nothing is staged for the paths', async () => {
    const fixture = await openFixture();
    await fixture.stage({ a: '1' });
    await expect(fixture.writer.commit(request(['a'], ' \n'))).rejects.toMatchObject({ code: 'invalid-request', message: expect.stringContaining('empty') });
    await expect(fixture.writer.commit({ ...request(['a']), author: { name: 'A <b>', email: 'x' } })).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(fixture.writer.commit(request(['readme']))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('nothing to commit'),
    });
    await expect(fixture.writer.commit(request([]))).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('says how to give a name when there is none', async () => {
    const fixture = await openFixture();
    for (const name of ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'EMAIL']) vi.stubEnv(name, undefined);
    await fixture.git('config', 'user.useConfigOnly', 'true');
    expect(await fixture.writer.identity()).toBe(null);
    await fixture.stage({ a: '1' });
    await expect(fixture.writer.commit(request(['a']))).rejects.toMatchObject({ code: 'invalid-request', hint: expect.stringContaining('user.email') });
    await fixture.git('config', 'user.name', 'Grace (née Murray)');
    await fixture.git('config', 'user.email', 'grace@example.org');
    expect(await fixture.writer.identity()).toEqual({ name: 'Grace (née Murray)', email: 'grace@example.org' });
    await fixture.writer.commit(request(['a']));
    expect(await fixture.git('log', '-1', '--format=%an %ae')).toBe('Grace (née Murray) grace@example.org');
  });

  it('says so when signing fails, and commits nothing', async () => {
    const fixture = await openFixture();
    const before = await fixture.git('rev-parse', 'HEAD');
    await fixture.git('config', 'commit.gpgSign', 'true');
    await fixture.git('config', 'gpg.program', 'false');
    await fixture.stage({ a: '1' });
    await expect(fixture.writer.commit(request(['a']))).rejects.toMatchObject({ code: 'invalid-request', message: expect.stringContaining('sign') });
    expect(await fixture.git('rev-parse', 'HEAD')).toBe(before);
    expect(await fixture.git('status', '--porcelain')).toBe('A  a');
  });
});

describe('hooks of a commit', () => {
  it.each(['pre-commit', 'prepare-commit-msg', 'commit-msg', 'reference-transaction'])('%s can refuse, and its words are kept', async (hook) => {
    const fixture = await openFixture();
    await fixture.stage({ a: '1', b: '2' });
    await fixture.hook(hook, 'echo "fatal: Unable to create \'x.lock\': Permission denied" >&2; exit 3');
    await expect(fixture.writer.commit(request(['a']))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(`The ${hook} hook`),
      detail: expect.stringContaining("Unable to create 'x.lock'"),
    });
    expect(await fixture.git('rev-list', '--count', 'HEAD')).toBe('1');
    expect(await fixture.git('status', '--porcelain')).toBe('A  a\nA  b');
  });

  it('run from core.hooksPath, see what is committed and pathspecs as ever', async () => {
    const fixture = await openFixture();
    const out = join(fixture.scratch, 'seen');
    await fixture.git('config', 'core.hooksPath', 'my hooks');
    const script = `git diff --cached --name-only -- '*.txt' > '${out}'; echo "$GIT_DIR|$GIT_LITERAL_PATHSPECS|$GIT_AUTHOR_NAME" >> '${out}'`;
    await fixture.hook('pre-commit', script, join(fixture.folder, 'my hooks'));
    await fixture.stage({ 'a.txt': '1', 'b.txt': '2', 'c.bin': '3' });
    await fixture.writer.commit(request(['a.txt', 'c.bin']));
    expect(await readFile(out, 'utf8')).toBe('a.txt\n||Ada Löwe\n');
  });

  it('may amend afterwards: the commit that stands is returned', async () => {
    const fixture = await openFixture();
    await fixture.hook('post-commit', 'test -n "$AGAIN" || AGAIN=1 git commit --quiet --amend -m "By the hook"');
    await fixture.stage({ a: '1' });
    const commit = await fixture.writer.commit(request(['a']));
    expect(commit).toBe(await fixture.git('rev-parse', 'HEAD'));
    expect(await fixture.git('log', '-1', '--format=%s')).toBe('By the hook');
  });

  it('may leave a program running', async () => {
    const fixture = await openFixture();
    await fixture.hook('post-commit', `sleep 600 & echo $! > '${join(fixture.scratch, 'pid')}'`);
    await fixture.stage({ a: '1' });
    const commit = await fixture.writer.commit(request(['a']));
    process.kill(Number(await readFile(join(fixture.scratch, 'pid'), 'utf8')));
    expect(commit).toBe(await fixture.git('rev-parse', 'HEAD'));
  });
});

describe('what is in the way of a commit', () => {
  it.each([[['a']], [['a', 'b']]])('a foreign index.lock is named and left, with %j staged', async (staged) => {
    const fixture = await openFixture();
    await fixture.stage(Object.fromEntries(staged.map((path) => [path, 'x'])));
    const lock = join(fixture.test.path, '.git', 'index.lock');
    await writeFile(lock, '');
    const old = new Date(Date.now() - 3 * 3_600_000 - 1000);
    await utimes(lock, old, old);
    const locked = { code: 'conflict', message: expect.stringContaining('for 3 hours'), place: { file: lock }, hint: expect.stringContaining('delete it') };
    await expect(fixture.writer.commit(request(['a']))).rejects.toMatchObject(locked);
    await expect(fixture.writer.stagePlain(['readme', 'a'])).rejects.toMatchObject(locked);
    await expect(fixture.writer.switchBranch('main')).rejects.toMatchObject(locked);
    expect(await readFile(lock, 'utf8')).toBe('');
  });
});
