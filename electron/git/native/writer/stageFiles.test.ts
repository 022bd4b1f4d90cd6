import { chmod, mkdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callGit } from '../../testing/testRepository';
import { ATTRIBUTES, openFixture, type WriterFixture } from './testing/writerFixture';

const METADATA = '{\n    "w": {}\n}';

/** git's own view of the index entry, and that it is clean without a filter. */
async function expectStaged(fixture: WriterFixture, path: string, content = METADATA): Promise<void> {
  expect(await fixture.git('cat-file', 'blob', `:${path}`)).toBe(content);
  await fixture.filterRan();
  const records = (await fixture.git('status', '--porcelain', '-z', '--untracked-files=all')).split('\0').filter((record) => record.endsWith(path));
  expect(records).toEqual([`A  ${path}`]);
  expect(await fixture.filterRan()).toBe(false);
}

describe('staging prepared files', () => {
  it.each(['model.pt', 'sub folder/deep/model.pt', 'größe ü 模型.pt', '-p.pt', ':(glob)*.pt', 'it\'s $HOME `x` %f "q".pt', 'a\\b.pt', 'line\nbreak.pt'])(
    'records %j so that git sees it unchanged without a filter',
    async (path) => {
      const fixture = await openFixture();
      await fixture.write(path, 'values');
      await fixture.writer.stage([{ path, content: await fixture.prepare('prepared file', METADATA) }]);
      await expectStaged(fixture, path);
      expect([...(await fixture.writer.indexEntries(path))]).toEqual([[0, await fixture.git('rev-parse', `:${path}`)]]);
      expect(await fixture.git('fsck', '--strict')).toBe('');
    },
  );

  it.each([
    ['a SHA-256 repository', { init: ['--object-format=sha256'] }],
    ['a linked work tree', { linked: true }],
  ])('works in %s', async (_, options) => {
    const fixture = await openFixture(options);
    await fixture.write('model.pt', 'values');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    await expectStaged(fixture, 'model.pt');
  });

  it.each(['2', '3', '4'])('works with an index of version %s', async (version) => {
    const fixture = await openFixture();
    await fixture.stage({ 'aa/one': '1', 'aa/two': '2', zz: '3' });
    await fixture.git('update-index', '--index-version', version);
    await fixture.write('aa/model.pt', 'values');
    // An extended entry makes version 3 from 2.
    if (version === '3') await fixture.git('update-index', '--skip-worktree', 'aa/one');
    await fixture.writer.stage([{ path: 'aa/model.pt', content: await fixture.prepare('p', METADATA) }]);
    await expectStaged(fixture, 'aa/model.pt');
    expect(await fixture.git('ls-files')).toBe('.gitattributes\naa/model.pt\naa/one\naa/two\nreadme\nzz');
  });

  it('works with a split index, where the filter runs once more', async () => {
    const fixture = await openFixture();
    await fixture.git('update-index', '--split-index');
    await fixture.write('model.pt', 'values');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    expect(await fixture.git('cat-file', 'blob', ':model.pt')).toBe(METADATA);
  });

  it('stages many files at once, and keeps the checksum and everything else of the index', async () => {
    const fixture = await openFixture();
    await fixture.stage({ other: 'x' });
    const files = [];
    for (let i = 0; i < 40; i++) {
      await fixture.write(`m${i}.pt`, `values ${i}`);
      files.push({ path: `m${i}.pt`, content: await fixture.prepare(`p${i}`, `{"${i}": {}}`) });
    }
    await fixture.writer.stage(files);
    for (let i = 0; i < 40; i += 13) await expectStaged(fixture, `m${i}.pt`, `{"${i}": {}}`);
    // git fsck verifies the checksum of the index.
    expect(await fixture.git('fsck')).toBe('');
  });

  it('records the stat data that git itself records', async () => {
    const fixture = await openFixture();
    const full = await fixture.write('model.pt', 'values of some length');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    const ours = await fixture.git('ls-files', '--debug', 'model.pt');
    await fixture.git('rm', '--cached', '--quiet', 'model.pt');
    await fixture.test.git(['-c', `filter.theta.clean=cat '${join(fixture.scratch, 'p')}'`, 'add', 'model.pt']);
    expect(ours).toBe(await fixture.git('ls-files', '--debug', 'model.pt'));
    expect(ours).toContain(`size: ${(await stat(full)).size}`);
  });

  it('notices a later change of the same size', async () => {
    const fixture = await openFixture();
    const full = await fixture.write('model.pt', 'values');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    await writeFile(full, 'VALUES');
    await expect(fixture.git('status', '--porcelain')).rejects.toThrow(/hung up|clean filter 'theta' failed/);
    expect(await fixture.filterRan()).toBe(true);
  });

  it('lets git look for itself when the file is not the one that was read', async () => {
    const fixture = await openFixture();
    const full = await fixture.write('model.pt', 'values');
    const seen = await stat(full, { bigint: true });
    await writeFile(full, 'VALUES');
    const past = new Date(Number(seen.mtimeMs));
    await utimes(full, past, past);
    const content = await fixture.prepare('p', METADATA);
    await fixture.writer.stage([{ path: 'model.pt', content, seen }]);
    await expect(fixture.git('status', '--porcelain')).rejects.toThrow(/hung up|clean filter 'theta' failed/);
    await fixture.writer.stage([{ path: 'model.pt', content, seen: await stat(full, { bigint: true }) }]);
    await expectStaged(fixture, 'model.pt');
  });

  it('does not read the file: one of 8 GiB is staged like any other', async () => {
    const fixture = await openFixture();
    const full = await fixture.write('model.pt', '');
    await truncate(full, 2 ** 33 + 1);
    await utimes(full, new Date(1e12), new Date(1e12));
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    await expectStaged(fixture, 'model.pt');
  });

  it('stores the prepared bytes whatever core.autocrlf says', async () => {
    const fixture = await openFixture();
    await fixture.git('config', 'core.autocrlf', 'true');
    await fixture.git('config', 'core.safecrlf', 'true');
    await fixture.write('model.pt', 'a\r\nb\r\n');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', 'x\r\ny\n') }]);
    await expectStaged(fixture, 'model.pt', 'x\r\ny');
  });

  it('keeps the executable bit, and leaves it alone where core.fileMode is off', async () => {
    const fixture = await openFixture();
    const full = await fixture.write('model.pt', 'values');
    await chmod(full, 0o755);
    const file = { path: 'model.pt', content: await fixture.prepare('p', METADATA) };
    await fixture.writer.stage([file]);
    expect(await fixture.git('ls-files', '-s', 'model.pt')).toMatch(/^100755 /);
    await fixture.git('config', 'core.fileMode', 'false');
    await chmod(full, 0o644);
    await fixture.writer.stage([file]);
    expect(await fixture.git('ls-files', '-s', 'model.pt')).toMatch(/^100755 /);
  });

  it('refuses another spelling where capitals make no difference', async () => {
    const fixture = await openFixture();
    await fixture.git('config', 'core.ignorecase', 'yes');
    const content = await fixture.prepare('p', METADATA);
    await fixture.write('Model.pt', 'values');
    await fixture.writer.stage([{ path: 'Model.pt', content }]);
    await expectStaged(fixture, 'Model.pt');
    await fixture.write('model.pt', 'values');
    await expect(fixture.writer.stage([{ path: 'model.pt', content }])).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('Model.pt'),
    });
  });

  it('settles a conflict', async () => {
    const fixture = await openFixture();
    await fixture.write('model.pt', 'values');
    const oid = await fixture.writer.writeBlob(Buffer.from('{}'));
    const lines = [1, 2, 3].map((stage) => `100644 ${oid} ${stage}\tmodel.pt\n`).join('');
    await callGit(fixture.folder, ['update-index', '--index-info'], { input: lines });
    expect([...(await fixture.writer.indexEntries('model.pt')).keys()]).toEqual([1, 2, 3]);
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    await expectStaged(fixture, 'model.pt');
  });

  it('takes a file where the index has a folder', async () => {
    const fixture = await openFixture();
    await fixture.stage({ 'model.pt/part': 'x' });
    await rm(join(fixture.folder, 'model.pt'), { recursive: true });
    await fixture.write('model.pt', 'values');
    await fixture.writer.stage([{ path: 'model.pt', content: await fixture.prepare('p', METADATA) }]);
    await expectStaged(fixture, 'model.pt');
  });

  it('refuses ignored files and names the rule', async () => {
    const fixture = await openFixture();
    await fixture.write('.gitignore', '# big files\nout/*.pt\n!out/kept.pt\n');
    const content = await fixture.prepare('p', METADATA);
    await fixture.write('out/model.pt', 'values');
    await expect(fixture.writer.stage([{ path: 'out/model.pt', content }])).rejects.toMatchObject({
      code: 'invalid-request',
      place: { file: 'out/model.pt' },
      hint: expect.stringContaining('Line 2 of .gitignore says "out/*.pt"'),
    });
    await fixture.write('out/kept.pt', 'values');
    await fixture.writer.stage([{ path: 'out/kept.pt', content }]);
    await expectStaged(fixture, 'out/kept.pt');
    // What is tracked already is not ignored.
    await fixture.git('update-index', '--add', '--cacheinfo', `100644,${await fixture.git('rev-parse', ':out/kept.pt')},out/model.pt`);
    await fixture.writer.stage([{ path: 'out/model.pt', content }]);
    await expectStaged(fixture, 'out/model.pt');
  });

  it('refuses what is not a tracked regular file of this repository, and changes nothing', async () => {
    const fixture = await openFixture();
    const content = await fixture.prepare('p', METADATA);
    await fixture.write('plain.bin', 'x');
    await fixture.write('real/model.pt', 'x');
    await symlink('real', join(fixture.folder, 'link'));
    await symlink('real/model.pt', join(fixture.folder, 'link.pt'));
    await mkdir(join(fixture.folder, 'folder.pt'));
    await callGit(fixture.folder, ['init', '--quiet', 'nested']);
    await fixture.write('nested/model.pt', 'x');
    const refused = (path: string) => fixture.writer.stage([{ path, content }]);
    await expect(refused('plain.bin')).rejects.toMatchObject({ code: 'internal', place: { file: 'plain.bin' } });
    for (const path of ['link/model.pt', 'link.pt', 'folder.pt', 'nested/model.pt', '../x.pt', '/x.pt', '']) {
      await expect(refused(path)).rejects.toMatchObject({ code: 'invalid-request' });
    }
    await expect(refused('missing.pt')).rejects.toMatchObject({ code: 'not-found' });
    expect(await fixture.git('diff', '--cached', '--name-only')).toBe('');
  });
});

describe('staging files as they are', () => {
  it('adds, changes and deletes', async () => {
    const fixture = await openFixture();
    await fixture.stage({ ':(top)odd': '1', '-x': '2', readme: 'changed\n' });
    await rm(join(fixture.folder, '.gitattributes'));
    await fixture.writer.stagePlain(['.gitattributes']);
    expect(await fixture.git('diff', '--cached', '--name-status')).toBe('A\t-x\nD\t.gitattributes\nA\t:(top)odd\nM\treadme');
  });

  it('says which file is not there', async () => {
    const fixture = await openFixture();
    await expect(fixture.writer.stagePlain(['nothing here'])).rejects.toMatchObject({ code: 'not-found', place: { file: 'nothing here' } });
  });

  it('takes files out of the index again, with and without a commit', async () => {
    const fixture = await openFixture();
    await fixture.stage({ readme: 'changed\n', new: 'n' });
    await fixture.writer.unstage(['readme', 'new', 'never']);
    expect(await fixture.git('status', '--porcelain')).toBe(' M readme\n?? new');
    const unborn = await openFixture({ empty: true });
    await unborn.stage({ '.gitattributes': ATTRIBUTES, new: 'n' });
    await unborn.writer.unstage(['new']);
    expect(await unborn.git('ls-files')).toBe('.gitattributes');
  });
});
