import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openGitWriter } from '../../git/native/writer/openGitWriter';
import { makeRepository, type TestRepository } from '../../git/testing/testRepository';
import { openOne } from '../repositories/repositoryCache';
import { trackPaths } from './trackPaths';
import { type PatternsToTrack, trackPatterns, untrackPatterns } from './trackPatterns';
import { withUndo } from './withUndo';

beforeEach(() => {
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  return () => vi.unstubAllEnvs();
});

const LFS = 'filter=lfs diff=lfs merge=lfs -text';
const THETA = 'filter=theta diff=theta merge=theta -text';

/** A repository with these files committed, older than the index, so that git need not run the filter to compare them. */
async function repositoryWith(files: Readonly<Record<string, string>>): Promise<TestRepository> {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  const time = new Date(Date.now() - 100_000);
  for (const [path, content] of Object.entries(files)) {
    await test.write(path, content);
    await utimes(join(test.path, path), time, time);
  }
  await test.commit('files');
  return test;
}

async function opened(test: TestRepository) {
  const repository = await openOne(test.path);
  onTestFinished(() => repository.dispose());
  return { repository, writer: await openGitWriter(repository.git, { filterCommand: { process: 'false', clean: 'false', smudge: 'false' } }) };
}

async function track(test: TestRepository, patterns: readonly string[], more: Partial<PatternsToTrack> = {}) {
  return trackPatterns({ ...(await opened(test)), patterns, folder: '', convertLfs: false, ...more });
}

async function convert(test: TestRepository, patterns: readonly string[], folder = '') {
  return track(test, patterns, { convertLfs: true, folder });
}

/** What git itself says of some paths, in their order. */
async function filters(test: TestRepository, ...paths: readonly string[]): Promise<readonly string[]> {
  return (await test.git(['check-attr', 'filter', '--', ...paths])).split('\n').map((line) => line.replace(/^.*: filter: /, ''));
}

const text = (test: TestRepository, path: string) => readFile(join(test.path, path), 'utf8');
const staged = (test: TestRepository, path: string) => test.bytes(['cat-file', 'blob', `:${path}`]).then(String);

/** Attributes files that were changed are in the index as in the work tree. */
async function expectStaged(test: TestRepository, changed: readonly string[]): Promise<void> {
  for (const path of changed) expect(await staged(test, path)).toBe(await text(test, path));
  expect(await test.git(['diff', '--name-only'])).toBe('');
}

describe('trackPatterns', () => {
  it('writes a line for each pattern, stages the file, and does nothing the second time', async () => {
    const test = await repositoryWith({ '.gitattributes': '*.txt text\n', 'model.pt': 'x' });
    expect(await track(test, ['*.pt', 'models/*.bin'])).toEqual({ changed: ['.gitattributes'], notes: [], left: [] });
    expect(await text(test, '.gitattributes')).toBe(`*.txt text\n*.pt ${THETA}\nmodels/*.bin ${THETA}\n`);
    await expectStaged(test, ['.gitattributes']);
    expect(await track(test, ['*.pt', 'models/*.bin'])).toEqual({ changed: [], notes: [], left: [] });
  });

  it('stages what a command that was killed had written only', async () => {
    const test = await repositoryWith({ notes: '' });
    await writeFile(join(test.path, '.gitattributes'), `*.pt ${THETA}\n`);
    expect((await track(test, ['*.pt'])).changed).toEqual(['.gitattributes']);
    await expectStaged(test, ['.gitattributes']);
  });

  it('writes into the attributes file of a folder, also one whose name holds signs of patterns', async () => {
    const test = await repositoryWith({ 'a[b]/model.pt': 'x', 'a[b]/.gitattributes': `model.pt ${LFS}\n` });
    await expect(track(test, ['a[b]/model.pt'], { folder: 'a[b]/' })).rejects.toMatchObject({ code: 'conflict', place: { file: 'a[b]/model.pt' } });
    expect((await convert(test, ['a[b]/model.pt'], 'a[b]/')).changed).toEqual(['a[b]/.gitattributes']);
    expect(await filters(test, 'a[b]/model.pt')).toEqual(['theta']);
  });

  it('says which files of the pattern are not tracked, and why', async () => {
    const test = await repositoryWith({ 'vendor/.gitattributes': '# theirs\n*.pt -filter\n', 'vendor/a.pt': '', 'model.pt': '' });
    expect(await track(test, ['*.pt'])).toEqual({
      changed: ['.gitattributes'],
      notes: ['vendor/a.pt is not tracked, by line 2 of vendor/.gitattributes.'],
      left: [],
    });
  });

  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['in the same file', { '.gitattributes': `*.pt ${LFS}\n` }, '*.pt', 'line 1 of .gitattributes'],
    ['in a folder below', { 'sub/.gitattributes': `\n*.pt ${LFS}\n` }, '*.pt', 'line 2 of sub/.gitattributes'],
    ['for files that are not there yet', { '.gitattributes': `*.bin ${LFS}\n` }, '*.bin', 'line 1 of .gitattributes'],
  ])('refuses what Git LFS keeps, and names the line: %s', async (_, attributes, pattern, line) => {
    const test = await repositoryWith({ ...attributes, 'sub/model.pt': 'x' });
    const before = await test.git(['ls-files', '-s']);
    await expect(track(test, [pattern])).rejects.toMatchObject({
      code: 'conflict',
      message: `Git LFS keeps files of “${pattern}”, by ${line}.`,
      hint: expect.stringContaining('--convert-lfs'),
    });
    expect(await test.git(['ls-files', '-s'])).toBe(before);
    expect(await test.git(['status', '--porcelain'])).toBe('');
  });

  it('does not send the user to --convert-lfs where it could not help', async () => {
    const test = await repositoryWith({ 'model.pt': 'x' });
    await test.write('.git/info/attributes', `*.pt ${LFS}\n`);
    await expect(track(test, ['*.pt'])).rejects.toMatchObject({
      message: expect.stringContaining(`line 1 of ${join(test.path, '.git/info/attributes')}`),
      hint: expect.stringContaining('by hand'),
    });
  });

  it('leaves everything as it was when it fails', async () => {
    const test = await repositoryWith({ 'sub/.gitattributes': `*.pt ${LFS}\n`, '.gitattributes': 'a b\n', 'sub/model.pt': 'x' });
    await writeFile(join(test.path, '.git/index.lock'), '');
    await expect(convert(test, ['*.pt'])).rejects.toMatchObject({ code: 'conflict' });
    expect(await text(test, '.gitattributes')).toBe('a b\n');
    expect(await text(test, 'sub/.gitattributes')).toBe(`*.pt ${LFS}\n`);
  });
});

describe('trackPatterns, taking over from Git LFS', () => {
  interface Case {
    readonly attributes: Readonly<Record<string, string>>;
    readonly pattern: string;
    readonly folder?: string;
    readonly expected: Readonly<Record<string, string>>;
    /** Filters of sub/model.pt, sub/other.pt, sub/new.pt, top.pt, data.bin afterwards. */
    readonly filters: readonly string[];
  }

  it.each<[string, Case]>([
    [
      'the line itself is converted, where it is for no other files',
      {
        attributes: { '.gitattributes': `# ours\n*.pt ${LFS}\n*.bin ${LFS}\n` },
        pattern: '*.pt',
        expected: { '.gitattributes': `# ours\n*.pt ${THETA}\n*.bin ${LFS}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'lfs'],
      },
    ],
    [
      'a line that is for more files stays, and one below takes these out',
      {
        attributes: { '.gitattributes': `*.pt ${LFS}\n` },
        pattern: 'sub/*.pt',
        expected: { '.gitattributes': `*.pt ${LFS}\nsub/*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'lfs', 'unspecified'],
      },
    ],
    [
      'the line of a folder further down',
      {
        attributes: { 'sub/.gitattributes': `*.pt ${LFS}\n` },
        pattern: '*.pt',
        expected: { '.gitattributes': `*.pt ${THETA}\n`, 'sub/.gitattributes': `*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'unspecified'],
      },
    ],
    [
      'the same when the root tracks the pattern already',
      {
        attributes: { '.gitattributes': `*.pt ${THETA}\n`, 'sub/.gitattributes': `*.pt ${LFS}\n` },
        pattern: '*.pt',
        expected: { '.gitattributes': `*.pt ${THETA}\n`, 'sub/.gitattributes': `*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'unspecified'],
      },
    ],
    [
      'a narrower line further down, and a narrower one below ours',
      {
        attributes: { '.gitattributes': `*.pt ${THETA}\ntop.pt ${LFS}\n`, 'sub/.gitattributes': `/model.pt ${LFS}\n` },
        pattern: '*.pt',
        expected: { '.gitattributes': `*.pt ${THETA}\ntop.pt ${THETA}\n`, 'sub/.gitattributes': `/model.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'unspecified'],
      },
    ],
    [
      'a wider line further down keeps its other files',
      {
        attributes: { 'sub/.gitattributes': `* ${LFS}\n` },
        pattern: '*.pt',
        expected: { '.gitattributes': `*.pt ${THETA}\n`, 'sub/.gitattributes': `* ${LFS}\n*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'unspecified'],
      },
    ],
    [
      'a single file below a wider line further down',
      {
        attributes: { 'sub/.gitattributes': `*.pt ${LFS}\n` },
        pattern: 'sub/model.pt',
        expected: { 'sub/.gitattributes': `*.pt ${LFS}\n/model.pt ${THETA}\n` },
        filters: ['theta', 'lfs', 'lfs', 'unspecified', 'unspecified'],
      },
    ],
    [
      'a pattern that cannot be said in the folder further down: its files one by one',
      {
        attributes: { 'sub/.gitattributes': `* ${LFS}\n` },
        pattern: 's*/m*.pt',
        expected: { '.gitattributes': `s*/m*.pt ${THETA}\n`, 'sub/.gitattributes': `* ${LFS}\n/model.pt ${THETA}\n` },
        filters: ['theta', 'lfs', 'lfs', 'unspecified', 'unspecified'],
      },
    ],
    [
      'a pattern for all folders',
      {
        attributes: { 'sub/.gitattributes': `* ${LFS}\n` },
        pattern: '**/*.pt',
        expected: { '.gitattributes': `**/*.pt ${THETA}\n`, 'sub/.gitattributes': `* ${LFS}\n**/*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'unspecified'],
      },
    ],
    [
      'patterns that overlap, ours standing first',
      {
        attributes: { 'sub/.gitattributes': `m*.pt ${THETA}\n*l.pt ${LFS}\n` },
        pattern: 'm*.pt',
        expected: { '.gitattributes': `m*.pt ${THETA}\n`, 'sub/.gitattributes': `m*.pt ${THETA}\n*l.pt ${LFS}\n/model.pt ${THETA}\n` },
        filters: ['theta', 'unspecified', 'unspecified', 'unspecified', 'unspecified'],
      },
    ],
    [
      'a macro',
      {
        attributes: { '.gitattributes': `[attr]large ${LFS}\n`, 'sub/.gitattributes': '*.pt large\n' },
        pattern: '*.pt',
        expected: { '.gitattributes': `[attr]large ${LFS}\n*.pt ${THETA}\n`, 'sub/.gitattributes': `*.pt large\n*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'theta', 'unspecified'],
      },
    ],
    [
      'from a folder, leaving the files above it',
      {
        attributes: { '.gitattributes': `*.pt ${LFS}\n` },
        pattern: '*.pt',
        folder: 'sub/',
        expected: { '.gitattributes': `*.pt ${LFS}\n`, 'sub/.gitattributes': `*.pt ${THETA}\n` },
        filters: ['theta', 'theta', 'theta', 'lfs', 'unspecified'],
      },
    ],
  ])('%s', async (_, { attributes, pattern, folder = '', expected, filters: after }) => {
    const test = await repositoryWith({ ...attributes, 'sub/model.pt': 'a', 'sub/other.pt': 'b', 'top.pt': 'c', 'data.bin': 'd' });
    const { changed, notes, left } = await convert(test, [pattern], folder);
    for (const [path, content] of Object.entries(expected)) expect([path, await text(test, path)]).toEqual([path, content]);
    expect(await filters(test, 'sub/model.pt', 'sub/other.pt', 'sub/new.pt', 'top.pt', 'data.bin')).toEqual(after);
    expect(new Set(changed)).toEqual(new Set(Object.keys(expected).filter((path) => expected[path] !== attributes[path])));
    expect(notes).toEqual([`${pattern} was kept by Git LFS until now; versions from the next add on are kept group by group.`]);
    expect(left).toEqual([]);
    await expectStaged(test, changed);
    expect(await convert(test, [pattern], folder)).toEqual({ changed: [], notes: [], left: [] });
  });

  it('says which files stay with Git LFS, for a line that is not ours to edit', async () => {
    const test = await repositoryWith({ '.gitattributes': `*.pt ${LFS}\n`, 'sub/model.pt': 'a', 'top.pt': 'b' });
    const info = join(test.path, '.git/info/attributes');
    await test.write('.git/info/attributes', `# mine\nsub/* ${LFS}\n`);
    const { changed, notes, left } = await convert(test, ['*.pt']);
    expect(changed).toEqual(['.gitattributes']);
    expect(notes).toEqual(['A part of *.pt was kept by Git LFS until now; versions from the next add on are kept group by group.']);
    expect(left).toEqual([expect.stringMatching(/^sub\/model\.pt stays with Git LFS, by line 2 of .*change the line by hand/)]);
    expect(left[0]).toContain(info);
    expect(await filters(test, 'sub/model.pt', 'top.pt')).toEqual(['lfs', 'theta']);
    expect(await readFile(info, 'utf8')).toBe(`# mine\nsub/* ${LFS}\n`);
    await test.write('.git/info/attributes', `*.bin ${LFS}\n`);
    expect((await convert(test, ['*.bin'])).left).toEqual([
      expect.stringMatching(/^What “\*\.bin” is for and is not there yet stays with Git LFS, by line 1 of /),
    ]);
  });

  it('names a few of many files that stay', async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`m${i}.pt`, String(i)]));
    const test = await repositoryWith(files);
    await test.write('.git/info/attributes', `*.pt ${LFS}\n`);
    const { notes, left } = await convert(test, ['*.pt']);
    expect(notes).toEqual([]);
    expect(left).toEqual([expect.stringMatching(/^m0\.pt, m1\.pt, m2\.pt and 2 more files stay with Git LFS, by line 1 of /)]);
  });

  it('stages lines further down that a command which was killed had converted only', async () => {
    const test = await repositoryWith({ '.gitattributes': `*.pt ${THETA}\n`, 'sub/.gitattributes': `*.pt ${LFS}\n`, 'sub/model.pt': 'x' });
    await writeFile(join(test.path, 'sub/.gitattributes'), `*.pt ${THETA}\n`);
    expect((await convert(test, ['*.pt'])).changed).toEqual(['sub/.gitattributes']);
    await expectStaged(test, ['sub/.gitattributes']);
  });
});

describe('trackPaths', () => {
  async function trackOne(test: TestRepository, path: string, convertLfs: boolean) {
    const target = await opened(test);
    return withUndo((undo) => trackPaths({ ...target, paths: [path], convertLfs, undo }));
  }

  it('takes a file over from Git LFS wherever its line stands, and no other file of its name', async () => {
    const test = await repositoryWith({
      'sub/.gitattributes': `*.pt ${LFS}\n`,
      'deep/.gitattributes': `*.pt ${LFS}\n`,
      'sub/model.pt': 'a',
      'deep/model.pt': 'b',
    });
    await expect(trackOne(test, 'sub/model.pt', false)).rejects.toMatchObject({ code: 'conflict' });
    expect((await trackOne(test, 'sub/model.pt', true)).changed).toEqual(['sub/.gitattributes']);
    expect(await filters(test, 'sub/model.pt', 'deep/model.pt', 'sub/b.pt')).toEqual(['theta', 'lfs', 'lfs']);
    await test.write('model.pt', 'c');
    await trackOne(test, 'model.pt', true);
    expect(await filters(test, 'model.pt', 'deep/model.pt')).toEqual(['theta', 'lfs']);
  });

  it('names the line because of which a file cannot be tracked, and takes everything back', async () => {
    const test = await repositoryWith({ 'sub/.gitattributes': '*.pt -filter\n', 'sub/model.pt': 'a', 'b.bin': 'b' });
    await expect(trackOne(test, 'sub/model.pt', true)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('line 1 of sub/.gitattributes'),
    });
    await test.write('.git/info/attributes', `*.bin ${LFS}\n`);
    await expect(trackOne(test, 'b.bin', true)).rejects.toMatchObject({
      message: expect.stringContaining(`line 1 of ${join(test.path, '.git/info/attributes')}`),
    });
    await expect(text(test, '.gitattributes')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('untrackPatterns', () => {
  it('takes the lines out, stages the file, and does nothing the second time', async () => {
    const test = await repositoryWith({ '.gitattributes': `*.pt ${THETA}\n*.txt text\n/b.bin ${THETA} lockable\n` });
    const untrack = async () => untrackPatterns({ ...(await opened(test)), patterns: ['*.pt', '/b.bin'], folder: '' });
    expect(await untrack()).toEqual(['.gitattributes']);
    expect(await text(test, '.gitattributes')).toBe('*.txt text\n/b.bin lockable\n');
    await expectStaged(test, ['.gitattributes']);
    expect(await untrack()).toEqual([]);
  });
});
