import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeRepository, type TestRepository } from '../git/testing/testRepository';
import { userHome } from '../git/testing/userHome';
import { floats, safetensorsFile } from '../services/tracker/testing/safetensorsFile';
import { runTheta } from './testing/runTheta';

// What git would start is tried in the test of checkProgram; here the program need not be built.
vi.mock('../git/install/checkProgram', () => ({ checkProgram: async () => {} }));

const LFS = 'filter=lfs diff=lfs merge=lfs -text';
const THETA = 'filter=theta diff=theta merge=theta -text';
const model = safetensorsFile({ weight: floats(new Float32Array([1, 2, 3])) });

let test: TestRepository;
beforeEach(async () => {
  await userHome();
  test = await makeRepository();
  onTestFinished(() => test.dispose());
  await test.git(['config', 'user.name', 'Ada']);
  await test.git(['config', 'user.email', 'ada@example.org']);
});

const theta = (...args: string[]) => runTheta('-C', test.path, ...args);
const attributes = (folder = '') => readFile(join(test.path, folder, '.gitattributes'), 'utf8');

/** Commits files that are older than the index, so that git need not run a filter to compare them. */
async function commitOld(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const time = new Date(Date.now() - 100_000);
  for (const [path, content] of Object.entries(files)) {
    await test.write(path, content);
    await utimes(join(test.path, path), time, time);
  }
  await test.commit('files');
}

describe('theta status', () => {
  it('says that no checkpoint differs', async () => {
    await commitOld({ 'notes.txt': 'a' });
    await test.write('notes.txt', 'b');
    expect(await theta('status')).toEqual({ code: 0, out: 'No checkpoint differs from HEAD.\n', err: '' });
  });

  it('warns of an untracked checkpoint, by its content too, and of one that is staged as a plain blob', async () => {
    await commitOld({ '.gitattributes': `kept.safetensors ${LFS}\n*.txt text\n` });
    await test.write('new model.safetensors', model);
    await test.write('notes.txt', 'x');
    const one = await theta('status');
    expect(one).toMatchObject({ code: 0, err: '' });
    expect(one.out).toMatch(/^untracked +new model\.safetensors +safetensors +\d+ B +not tracked$/m);
    expect(one.out).toContain('One checkpoint is not tracked: "git add" stores the whole file in git, for every version anew.');
    expect(one.out).toContain('Track it first: theta track "new model.safetensors"\n');
    expect(one.out).not.toContain('notes.txt');

    await test.write('weights', model);
    await test.write('kept.safetensors', model);
    await test.git(['add', 'new model.safetensors']);
    const more = await theta('status');
    expect(more.out).toMatch(/^added +staged +new model\.safetensors +safetensors +\d+ B +staged as a plain blob$/m);
    expect(more.out).toMatch(/^untracked +weights +safetensors +\d+ B +not tracked$/m);
    expect(more.out).toMatch(/^untracked +kept\.safetensors +safetensors +\d+ B +kept by Git LFS$/m);
    expect(more.out).toContain('2 checkpoints are not tracked');
    const json = await theta('status', '--json');
    const document: { changes: { path: string }[] } = JSON.parse(json.out);
    expect(document).toMatchObject({ other_staged: 0, obstacle: null });
    expect(document.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'kept.safetensors', kind: 'untracked', staged: false, format: 'safetensors', bytes: model.length, filter: 'lfs' },
      { path: 'new model.safetensors', kind: 'added', staged: true, format: 'safetensors', bytes: model.length, filter: 'none' },
      { path: 'weights', kind: 'untracked', staged: false, format: 'safetensors', bytes: model.length, filter: 'none' },
    ]);
  });

  it('does not warn of a tracked one, and says what stands in the way of a commit', async () => {
    await commitOld({ '.gitattributes': `*.safetensors ${THETA}\n` });
    await test.write('model.safetensors', model);
    await writeFile(join(test.path, '.git', 'MERGE_HEAD'), `${await test.hash('HEAD')}\n`);
    const { code, out, err } = await theta('status');
    expect(code).toBe(0);
    expect(out).toMatch(/^untracked +model\.safetensors +safetensors +\d+ B *$/m);
    expect(out).not.toContain('not tracked');
    expect(err).toContain('A merge is under way');
  });
});

describe('theta track', () => {
  it('sets git up, writes and stages the line; then it is tracked already, and listed', async () => {
    expect(await theta('track')).toEqual({ code: 0, out: 'Nothing is tracked in .gitattributes.\n', err: '' });
    const tracked = await theta('track', '*.safetensors', '*.pt');
    expect(tracked).toMatchObject({ code: 0, err: '' });
    expect(tracked.out).toMatch(/^Tracked, and staged: \.gitattributes\ngit in this repository now runs Theta Desktop for tracked files/);
    expect(await test.git(['config', '--local', 'filter.theta.process'])).toContain('filter-process');
    expect(await test.git(['show', ':.gitattributes'])).toBe(`*.safetensors ${THETA}\n*.pt ${THETA}`);
    expect(await theta('track', '*.pt')).toEqual({ code: 0, out: 'These patterns are tracked already.\n', err: '' });
    expect(JSON.parse((await theta('track', '--json', '*.pt')).out)).toEqual({ changed: [], notes: [], left_with_lfs: [] });
  });

  it('lists what is tracked in the folder, with the lines, and writes nothing', async () => {
    const text = `# notes\n*.pt ${THETA}\n"with space.pt" filter=theta\n*.txt text\n`;
    await test.write('.gitattributes', text);
    await test.write('sub/notes', '');
    expect((await theta('track')).out).toBe('line  pattern\n   2  *.pt\n   3  with space.pt\n');
    expect(JSON.parse((await theta('track', '--json')).out)).toEqual([
      { pattern: '*.pt', line: 2 },
      { pattern: 'with space.pt', line: 3 },
    ]);
    expect((await runTheta('-C', join(test.path, 'sub'), 'track')).out).toBe('Nothing is tracked in sub/.gitattributes.\n');
    expect(await attributes()).toBe(text);
    expect(await test.git(['ls-files'])).toBe('');
  });

  it('writes into the attributes file of the folder that it works in', async () => {
    await mkdir(join(test.path, 'sub'));
    expect((await runTheta('-C', join(test.path, 'sub'), 'track', './x/*.pt')).out).toContain('Tracked, and staged: sub/.gitattributes\n');
    expect(await attributes('sub')).toBe(`x/*.pt ${THETA}\n`);
  });

  it('refuses what Git LFS keeps, with the line and what to say', async () => {
    await commitOld({ 'sub/.gitattributes': `*.pt ${LFS}\n`, 'sub/model.pt': 'x' });
    const { code, out, err } = await theta('track', '*.pt');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('Git LFS keeps files of “*.pt”, by line 1 of sub/.gitattributes.');
    expect(err).toContain('theta track --convert-lfs');
    await expect(attributes()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes over from Git LFS, in folders further down too, and says so once it is true', async () => {
    await commitOld({ '.gitattributes': `*.pt ${THETA}\n`, 'sub/.gitattributes': `*.pt ${LFS}\n`, 'sub/model.pt': 'x' });
    const { code, out, err } = await theta('track', '--convert-lfs', '*.pt');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Tracked, and staged: sub/.gitattributes\n');
    expect(out).toContain('*.pt was kept by Git LFS until now; versions from the next add on are kept group by group.');
    expect(await test.git(['check-attr', 'filter', 'sub/model.pt'])).toBe('sub/model.pt: filter: theta');
  });

  it('says which files stay with Git LFS, and does not end as if all went over', async () => {
    await commitOld({ '.gitattributes': `*.pt ${LFS}\n`, 'model.pt': 'x', 'sub/model.pt': 'x' });
    await test.write('.git/info/attributes', `sub/* ${LFS}\n`);
    const { code, out, err } = await theta('track', '--convert-lfs', '*.pt');
    expect(code).toBe(1);
    expect(out).toContain('A part of *.pt was kept by Git LFS until now');
    expect(err).toContain(`theta: sub/model.pt stays with Git LFS, by line 1 of ${join(test.path, '.git', 'info', 'attributes')}.`);
    const json = await theta('track', '--convert-lfs', '--json', '*.pt');
    expect(JSON.parse(json.out)).toEqual({ changed: [], notes: [], left_with_lfs: [expect.stringContaining('sub/model.pt stays with Git LFS')] });
  });
});

describe('theta untrack', () => {
  it('takes patterns out, stages that, and refuses those that are not there', async () => {
    await commitOld({ '.gitattributes': `*.pt ${THETA}\n*.bin ${THETA} lockable\n*.txt text\n`, 'sub/.gitattributes': `*.pt ${THETA}\n` });
    const { code, out, err } = await theta('untrack', '*.pt', '*.bin');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^No longer tracked, and staged: \.gitattributes\nVersions that are committed stay readable\./);
    expect(await attributes()).toBe('*.bin lockable\n*.txt text\n');
    expect(await test.git(['diff', '--name-only'])).toBe('');
    expect(await attributes('sub')).toBe(`*.pt ${THETA}\n`);
    expect(await theta('untrack', '*.pt')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('No line of .gitattributes tracks *.pt.') });
    expect(JSON.parse((await runTheta('-C', join(test.path, 'sub'), 'untrack', '--json', '*.pt')).out)).toEqual({ changed: ['sub/.gitattributes'] });
    expect((await theta('untrack')).code).toBe(2);
  });
});

describe('theta add', () => {
  it('refuses a file that is not tracked, and one that Git LFS keeps, and says what to do', async () => {
    await commitOld({ '.gitattributes': `kept.safetensors ${LFS}\n` });
    await test.write('kept.safetensors', model);
    await test.write('plain.safetensors', model);
    expect(await theta('add', 'plain.safetensors')).toMatchObject({ code: 1, err: expect.stringContaining('Track it first: theta track "plain.safetensors"') });
    const kept = await theta('add', 'kept.safetensors');
    expect(kept).toMatchObject({ code: 1, err: expect.stringContaining('Convert it first: theta track --convert-lfs "kept.safetensors"') });
    expect(await test.git(['ls-files'])).toBe('.gitattributes');
  });
});
