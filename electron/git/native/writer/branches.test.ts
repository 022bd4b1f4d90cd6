import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asHash, temporaryFolder } from '../../testing/testRepository';
import { switchRefusal } from './switchBranch';
import { reversingFilter } from './testing/reversingFilter';
import { ATTRIBUTES, openFixture, type WriterFixture } from './testing/writerFixture';

async function head(fixture: WriterFixture) {
  return asHash(await fixture.git('rev-parse', 'HEAD'));
}

describe('branches and tags', () => {
  it.each(['new', 'a/b', 'größe', "it's", '@x', 'x@y', 'main2'])('creates the branch %j without checking it out', async (name) => {
    const fixture = await openFixture();
    const commit = await head(fixture);
    await fixture.writer.createBranch(name, commit);
    expect(await fixture.git('rev-parse', `refs/heads/${name}`)).toBe(commit);
    expect(await fixture.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });

  it.each(['', 'a b', '-x', 'a..b', 'x.lock', '/a', 'a/', 'HEAD', '@{-1}', 'a~1', 'a\0b', 'a:b', '.a', '@{u}'])('refuses the name %j', async (name) => {
    const fixture = await openFixture();
    const commit = await head(fixture);
    await expect(fixture.writer.createBranch(name, commit)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(fixture.writer.createTag(name, commit, null)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(fixture.writer.switchBranch(name)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('says when a name is taken', async () => {
    const fixture = await openFixture();
    const commit = await head(fixture);
    await expect(fixture.writer.createBranch('main', commit)).rejects.toMatchObject({ code: 'exists' });
    await expect(fixture.writer.createBranch('main/x', commit)).rejects.toMatchObject({ code: 'exists', message: expect.stringContaining('"main"') });
    await fixture.writer.createTag('v1', commit, null);
    await expect(fixture.writer.createTag('v1', commit, 'again')).rejects.toMatchObject({ code: 'exists' });
    await expect(fixture.writer.createBranch('x', asHash('1'.repeat(40)))).rejects.toMatchObject({ code: 'missing-object' });
  });

  it('creates lightweight and annotated tags', async () => {
    const fixture = await openFixture();
    const commit = await head(fixture);
    await fixture.git('config', 'tag.gpgSign', 'true');
    await fixture.git('config', 'gpg.program', 'false');
    await fixture.writer.createTag('light', commit, null);
    expect(await fixture.git('rev-parse', 'refs/tags/light')).toBe(commit);
    await expect(fixture.writer.createTag('signed', commit, 'text')).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('sign'),
    });
    await fixture.git('config', 'tag.gpgSign', 'false');
    await fixture.writer.createTag('v1', commit, '# one\n\ntwo');
    expect(await fixture.git('for-each-ref', '--format=%(objecttype) %(*objectname) %(contents)', 'refs/tags/v1')).toBe(`tag ${commit} # one\n\ntwo\n`);
    await expect(fixture.writer.createTag('v2', commit, ' ')).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('removes a branch only where it stands', async () => {
    const fixture = await openFixture();
    const first = await head(fixture);
    await fixture.writer.createBranch('gone', first);
    await fixture.writer.deleteBranch('gone', first);
    await expect(fixture.git('rev-parse', '--verify', 'refs/heads/gone')).rejects.toThrow();
    await expect(fixture.writer.deleteBranch('main', first)).rejects.toMatchObject({ code: 'conflict' });
    await fixture.writer.createBranch('moved', first);
    const second = await fixture.test.commit('two', { a: '1' });
    await fixture.git('branch', '-f', 'moved', second);
    await expect(fixture.writer.deleteBranch('moved', first)).rejects.toMatchObject({ code: 'conflict' });
    expect(await fixture.git('rev-parse', 'moved')).toBe(second);
  });

  it('detaches HEAD without touching what is staged', async () => {
    const fixture = await openFixture();
    await fixture.stage({ a: '1' });
    await fixture.writer.detach(await head(fixture));
    await expect(fixture.git('symbolic-ref', 'HEAD')).rejects.toThrow();
    expect(await fixture.git('status', '--porcelain')).toBe('A  a');
  });
});

describe('switching branches', () => {
  async function twoBranches(options = {}): Promise<WriterFixture> {
    const fixture = await openFixture(options);
    await fixture.git('switch', '--quiet', '-c', 'other');
    await fixture.stage({ readme: 'other\n', 'new ü.txt': 'theirs\n' });
    await fixture.writer.commit({ paths: ['readme', 'new ü.txt'], message: 'other', author: null });
    await fixture.git('switch', '--quiet', 'main');
    return fixture;
  }

  it('checks the files out, keeps unrelated changes', async () => {
    const fixture = await twoBranches();
    await fixture.stage({ mine: 'x' });
    await fixture.writer.switchBranch('other');
    expect(await fixture.git('symbolic-ref', 'HEAD')).toBe('refs/heads/other');
    expect(await readFile(join(fixture.folder, 'readme'), 'utf8')).toBe('other\n');
    expect(await fixture.git('status', '--porcelain')).toBe('A  mine');
  });

  it.each([
    ['a changed file', 'readme', false],
    ['an untracked file', 'new ü.txt', false],
    ['an ignored file', 'new ü.txt', true],
  ])('refuses when it would lose %s', async (_, path, ignored) => {
    const fixture = await twoBranches();
    if (ignored) await writeFile(join(fixture.test.path, '.git', 'info', 'exclude'), '*.txt\n');
    await fixture.write(path, 'precious');
    await expect(fixture.writer.switchBranch('other')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(path),
      place: { file: path },
    });
    expect(await readFile(join(fixture.folder, path), 'utf8')).toBe('precious');
    expect(await fixture.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });

  it('is done when only the post-checkout hook fails', async () => {
    const fixture = await twoBranches();
    await fixture.hook('post-checkout', 'echo no git-lfs here >&2; exit 2');
    await fixture.writer.switchBranch('other');
    expect(await fixture.git('symbolic-ref', 'HEAD')).toBe('refs/heads/other');
  });

  it('refuses a branch of another work tree, and during a merge', async () => {
    const fixture = await twoBranches();
    await fixture.git('worktree', 'add', '--quiet', join(fixture.scratch, 'wt'), 'other');
    await expect(fixture.writer.switchBranch('other')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(join(fixture.scratch, 'wt')),
    });
    await fixture.git('branch', 'third');
    await fixture.test.git(['merge', '--quiet', '--no-ff', '--no-commit', 'other']);
    await expect(fixture.writer.switchBranch('third')).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('merging') });
  });

  it('puts everything back when the smudge filter fails on the way', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { command } = await reversingFilter(folder);
    // Refuses one file, as for an object that is not on this machine.
    const fixture = await openFixture({ filter: `REFUSED=z.pt ${command}` });
    await fixture.stage({ 'a.pt': 'aaa', 'gone/x': '1', deep: 'file' });
    await fixture.writer.commit({ paths: ['a.pt', 'gone/x', 'deep'], message: 'model', author: null });
    await fixture.git('switch', '--quiet', '-c', 'other');
    await fixture.git('rm', '--quiet', 'gone/x', 'deep');
    await fixture.stage({ 'a.pt': 'bbb', 'deep/er/new': 'n', readme: 'theirs\n', 'z.pt': 'zzz' });
    const paths = ['a.pt', 'gone/x', 'deep', 'deep/er/new', 'readme', 'z.pt'];
    await fixture.writer.commit({ paths, message: 'other', author: null });
    await fixture.writer.switchBranch('main');
    await fixture.stage({ mine: 'staged', '.gitattributes': `${ATTRIBUTES}# mine\n` });
    await fixture.write('.gitattributes', `${ATTRIBUTES}# mine, twice\n`);
    await fixture.write('untracked', 'u');
    await expect(fixture.writer.switchBranch('other')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('filter'),
      hint: expect.stringContaining('as they were before'),
    });
    expect(await fixture.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(await readFile(join(fixture.folder, 'a.pt'), 'utf8')).toBe('aaa');
    expect(await readFile(join(fixture.folder, '.gitattributes'), 'utf8')).toContain('mine, twice');
    expect((await fixture.writer.status()).map(({ path, staged, work }) => `${path} ${staged} ${work}`).sort()).toEqual([
      '.gitattributes modified modified',
      'mine added unchanged',
      'untracked unchanged untracked',
    ]);
  });

  it('reads every list that git gives', () => {
    const stderr = [
      'error: Your local changes to the following files would be overwritten by checkout:',
      '\ta b',
      '\tc',
      'Please commit your changes or stash them before you switch branches.',
      'error: The following untracked working tree files would be removed by checkout:',
      '\td',
      'Please move or remove them before you switch branches.',
      'error: Updating the following directories would lose untracked files in them:',
      '\te',
      '',
      'Aborting',
    ].join('\n');
    expect(switchRefusal(stderr, 'x')?.message).toContain('a b, c, d, e.');
    expect(switchRefusal('fatal: something else', 'x')).toBe(null);
  });
});
