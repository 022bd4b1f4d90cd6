import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/testRepository';
import { parseStatus } from './readStatus';
import { reversingFilter } from './testing/reversingFilter';
import { openFixture } from './testing/writerFixture';

async function openFiltered() {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const filter = await reversingFilter(folder);
  return { fixture: await openFixture({ filter: filter.command }), log: filter.log };
}

const big = `${'0123456789'.repeat(30_000)}!`;

describe('our filter without having been installed', () => {
  it('runs for staging, status, discarding and switching', async () => {
    const { fixture, log } = await openFiltered();
    await fixture.stage({ 'model 1.pt': big });
    expect(await fixture.test.git(['cat-file', 'blob', ':model 1.pt'])).toBe([...big].reverse().join(''));
    await fixture.writer.commit({ paths: ['model 1.pt'], message: 'model', author: null });

    await fixture.write('model 1.pt', 'changed');
    expect(await fixture.writer.status()).toEqual([{ path: 'model 1.pt', staged: 'unchanged', work: 'modified' }]);
    await fixture.writer.discard(['model 1.pt']);
    expect(await readFile(join(fixture.folder, 'model 1.pt'), 'utf8')).toBe(big);
    expect(await readFile(log, 'utf8')).toContain('command=smudge\npathname=model 1.pt\n');

    await fixture.writer.createBranch('first', await fixture.test.hash('HEAD~1'));
    await fixture.writer.switchBranch('first');
    expect(await fixture.has('model 1.pt')).toBe(false);
    await fixture.writer.switchBranch('main');
    expect(await readFile(join(fixture.folder, 'model 1.pt'), 'utf8')).toBe(big);
    expect(await fixture.writer.status()).toEqual([]);
  });

  it('runs once for a file that was only touched', async () => {
    const { fixture, log } = await openFiltered();
    await fixture.stage({ 'model.pt': big });
    await fixture.writer.commit({ paths: ['model.pt'], message: 'model', author: null });
    await utimes(join(fixture.folder, 'model.pt'), new Date(1.6e12), new Date(1.6e12));
    await writeFile(log, '');
    expect(await fixture.writer.status()).toEqual([]);
    expect(await fixture.writer.status()).toEqual([]);
    expect((await readFile(log, 'utf8')).match(/command=clean/g)).toHaveLength(1);
  });
});

describe('discarding', () => {
  it('restores what HEAD has, in index and work tree, and only the named files', async () => {
    const fixture = await openFixture();
    const names = ['a', ':(top)b', '-c', 'd*', 'dx', 'größe'];
    await fixture.stage(Object.fromEntries(names.map((name) => [name, 'old'])));
    await fixture.writer.commit({ paths: names, message: 'files', author: null });
    for (const name of names) await fixture.write(name, 'new content');
    await fixture.writer.stagePlain(['a', 'dx']);
    await rm(join(fixture.folder, '-c'));
    await fixture.writer.discard(['a', ':(top)b', '-c', 'd*', 'größe']);
    expect(await fixture.git('status', '--porcelain')).toBe('M  dx');
    for (const name of names) expect(await readFile(join(fixture.folder, name), 'utf8')).toBe(name === 'dx' ? 'new content' : 'old');
  });

  it('only unstages new files, and refuses untracked ones before it changes anything', async () => {
    const fixture = await openFixture();
    await fixture.stage({ ':(top)new': 'mine', readme: 'changed\n' });
    await fixture.write('untracked', 'x');
    await expect(fixture.writer.discard(['readme', ':(top)new', 'untracked'])).rejects.toMatchObject({ code: 'invalid-request', place: { file: 'untracked' } });
    expect(await fixture.git('status', '--porcelain')).toBe('A  :(top)new\nM  readme\n?? untracked');
    await fixture.writer.discard(['readme', ':(top)new']);
    expect(await fixture.git('status', '--porcelain')).toBe('?? :(top)new\n?? untracked');
    expect(await readFile(join(fixture.folder, ':(top)new'), 'utf8')).toBe('mine');
  });

  it('settles a conflict as HEAD has it, and works on an unborn branch', async () => {
    const fixture = await openFixture();
    await fixture.git('switch', '--quiet', '-c', 'other');
    await fixture.test.commit('theirs', { readme: 'theirs\n' });
    await fixture.git('switch', '--quiet', 'main');
    await fixture.test.commit('ours', { readme: 'ours\n' });
    await expect(fixture.git('merge', 'other')).rejects.toThrow();
    await fixture.writer.discard(['readme']);
    expect(await readFile(join(fixture.folder, 'readme'), 'utf8')).toBe('ours\n');
    expect([...(await fixture.writer.indexEntries('readme')).keys()]).toEqual([0]);
    const unborn = await openFixture({ empty: true });
    await unborn.stage({ a: '1' });
    await unborn.writer.discard(['a']);
    expect(await unborn.git('status', '--porcelain')).toBe('?? a');
  });

  it('is done when only the post-checkout hook fails', async () => {
    const fixture = await openFixture();
    await fixture.hook('post-checkout', 'exit 1');
    await fixture.write('readme', 'changed\n');
    await fixture.writer.discard(['readme']);
    expect(await readFile(join(fixture.folder, 'readme'), 'utf8')).toBe('first\n');
  });
});

describe('status', () => {
  it('tells every state, with odd names', async () => {
    const fixture = await openFixture();
    const text = 'a line that is long enough to be found again\n'.repeat(5);
    await fixture.stage({ 'to be renamed': text, gone: '1', 'gone from work': '2', both: '3', kept: '4' });
    await fixture.writer.commit({ paths: ['to be renamed', 'gone', 'gone from work', 'both', 'kept'], message: 'files', author: null });
    await fixture.git('mv', 'to be renamed', 'ren\named');
    await fixture.git('rm', '--quiet', 'gone');
    await fixture.git('rm', '--quiet', '--cached', 'kept');
    await rm(join(fixture.folder, 'gone from work'));
    await fixture.stage({ both: '3b', 'ne w': 'n' });
    await fixture.write('both', '3cc');
    await fixture.write('dir/untr"acked ü', 'u');
    await fixture.write('intended', 'i');
    await fixture.git('add', '-N', 'intended');
    const entries = await fixture.writer.status();
    expect([...entries].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'both', staged: 'modified', work: 'modified' },
      { path: 'dir/untr"acked ü', staged: 'unchanged', work: 'untracked' },
      { path: 'gone', staged: 'deleted', work: 'unchanged' },
      { path: 'gone from work', staged: 'unchanged', work: 'deleted' },
      { path: 'intended', staged: 'unchanged', work: 'untracked' },
      { path: 'kept', staged: 'deleted', work: 'untracked' },
      { path: 'ne w', staged: 'added', work: 'unchanged' },
      { path: 'ren\named', from: 'to be renamed', staged: 'renamed', work: 'unchanged' },
    ]);
  });

  it('passes over records that it does not know', () => {
    expect(parseStatus(['# branch.oid (initial)', '! ignored', '? x', ''])).toEqual([{ path: 'x', staged: 'unchanged', work: 'untracked' }]);
  });
});
