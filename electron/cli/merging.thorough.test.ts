import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { encodeDenseObject } from '../encodings/testing/writeThetaObject';
import { callGit, makeRepository, TestRepository } from '../git/testing/testRepository';
import { parseMetadata } from '../theta/parseMetadata';
import { createInProcessPool } from '../workers/createInProcessPool';
import { mergeCommand } from './merge';
import { createSession } from './session';
import { type GitBridge, openGitBridge } from './testing/gitBridge';
import { addVectorObjects, mergedValues, mergeVector } from './testing/mergeVectors';
import { runTheta } from './testing/runTheta';

/** git-theta's merge vectors, and real merges by git with our driver. No filter is set up, so the work tree holds the metadata itself. */

const vector = async (name: string) => {
  const text = await mergeVector(name);
  return name === 'current' ? withAddedObject(text) : text;
};

/** The vectors lack one object: what we added where they added something else. This one stands for it. */
const ADDED = Float32Array.of(-2.5, 1e20);
const ADDED_OBJECT = encodeDenseObject('float32', [2], new Uint8Array(ADDED.buffer));
const ADDED_OID = createHash('sha256').update(ADDED_OBJECT).digest('hex');
const withAddedObject = (text: string) =>
  text.replace(
    /("k_add_both": \{.*?"oid": ")[0-9a-f]{64}(",\s+"size": ")\d+/s,
    (_all, before: string, between: string) => `${before}${ADDED_OID}${between}${ADDED_OBJECT.byteLength}`,
  );

const PATH = 'models/größe.pt';
const CONFLICTS = [
  { name: 'a_both', kind: 'both-changed' },
  { name: 'g_mod_us_del_them', kind: 'removed-by-them' },
  { name: 'k_add_both', kind: 'both-added' },
  { name: 'n_int', kind: 'both-changed' },
];

const record = v.object({
  path: v.string(),
  base: v.string(),
  ours: v.string(),
  theirs: v.string(),
  merged: v.string(),
  groups: v.array(v.object({ name: v.string(), kind: v.string() })),
  time: v.string(),
});

let bridge: GitBridge;
let repository: TestRepository;

beforeAll(async () => {
  bridge = await openGitBridge();
});
afterAll(() => bridge.close());
afterEach(() => repository.dispose());

const driver = () => ['-c', `merge.theta.driver=${bridge.command} merge-driver -- %O %A %B %P %L`];
const git = (...args: string[]) => repository.git(args);
/** Runs a merging command of git and says whether it went through. */
const merge = async (...args: string[]): Promise<boolean> =>
  repository.git([...driver(), ...args], { env: { ...repository.nextDate(), GIT_EDITOR: ':' } }).then(
    () => true,
    () => false,
  );
const groupsOf = (text: string) => parseMetadata(Buffer.from(text), 'file').entries;
const worktree = (path = PATH) => readFile(join(repository.path, path), 'utf8');

const addObjects = (folder: string) => addVectorObjects(folder, { [ADDED_OID]: ADDED_OBJECT });

/** The base on `main`, ours on top of it, and theirs on a branch. */
async function makeVectors(path = PATH): Promise<void> {
  repository = await makeRepository();
  await addObjects(repository.path);
  await repository.commit('base', { '.gitattributes': '*.pt filter=theta merge=theta diff=theta\n', [path]: await vector('ancestor') });
  await git('branch', 'theirs');
  await repository.commit('ours', { [path]: await vector('current') });
  await git('checkout', '-q', 'theirs');
  await repository.commit('theirs', { [path]: await vector('other') });
  await git('checkout', '-q', 'main');
}

async function records(gitDir = '.git') {
  const folder = join(repository.path, gitDir, 'theta-desktop/conflicts');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map(async (name) => ({ name, ...v.parse(record, JSON.parse(await readFile(join(folder, name), 'utf8'))) })));
}

/** `theta merge` in the repository, with git's filters as they are configured. */
async function thetaMerge(options: { strategy?: 'average' | 'ours' | 'theirs' | 'base'; group?: string; path?: string; json?: boolean; folder?: string } = {}) {
  const out: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: () => {}, interactive: false, streams: () => Promise.reject(new Error('none')) as never };
  const folder = options.folder ?? repository.path;
  const session = createSession({ terminal, folder, signal: new AbortController().signal, backend: 'auto', createPool: createInProcessPool });
  try {
    const code = await mergeCommand(session, options.path, {
      strategy: options.strategy ?? null,
      group: options.group ?? null,
      json: options.json === true,
      filter: null,
    });
    return { code, out: out.join('') };
  } finally {
    await session.close();
  }
}

describe("a merge of git-theta's vectors", () => {
  beforeEach(() => makeVectors());

  it('merges what one side changed, records the rest, and keeps ours for it', async () => {
    expect(await merge('merge', 'theirs')).toBe(false);
    const result = groupsOf(await worktree());
    const [ours, theirs] = [groupsOf(await vector('current')), groupsOf(await vector('other'))];
    expect([...result.keys()]).toEqual(['a_both', 'b_us', 'c_them', 'g_mod_us_del_them', 'h_same', 'i_add_them', 'j_add_us', 'k_add_both', 'n_int']);
    for (const [name, entry] of result) expect(entry, name).toEqual((['c_them', 'i_add_them'].includes(name) ? theirs : ours).get(name));
    expect(await worktree()).not.toContain('<<<<<<<');

    const [{ name, path, groups, base, ours: our, theirs: their, merged } = await Promise.reject(new Error('no record'))] = await records();
    expect(name).toBe(`${createHash('sha256').update(PATH).digest('hex').slice(0, 32)}.json`);
    expect({ path, groups }).toEqual({ path: PATH, groups: CONFLICTS });
    const blobOf = (revision: string) => git('rev-parse', revision);
    expect([base, our, their]).toEqual([await blobOf(`:1:${PATH}`), await blobOf(`:2:${PATH}`), await blobOf(`:3:${PATH}`)]);
    expect(await git('cat-file', 'blob', merged)).toBe(await worktree());
    const { err } = bridge.runs.at(-1) ?? { err: '' };
    expect(err).toContain('4 parameter groups need a decision');
    expect(err).toMatch(/a_both +changed on both sides/);
  });

  it('lists what is left, also when the record is gone or of another merge', async () => {
    await merge('merge', 'theirs');
    const listed = await thetaMerge({ json: true });
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.out)).toEqual([{ path: PATH, resolved: [], left: CONFLICTS, staged: false }]);
    await rm(join(repository.path, '.git/theta-desktop'), { recursive: true });
    expect((await thetaMerge({ json: true })).out).toBe(listed.out);
    expect((await thetaMerge()).out).toMatch(/größe\.pt: 4 parameter groups need a decision\n {2}a_both +changed on both sides\n/);
  });

  it.each([
    ['ours', 'a_both b_us c_them g_mod_us_del_them h_same i_add_them j_add_us k_add_both n_int', 'current'],
    ['theirs', 'a_both b_us c_them h_same i_add_them j_add_us k_add_both n_int', 'other'],
    ['base', 'a_both b_us c_them g_mod_us_del_them h_same i_add_them j_add_us n_int', 'ancestor'],
  ] as const)('takes %s for all, stages the result and writes the file', async (strategy, names, source) => {
    await merge('merge', 'theirs');
    // The vectors lack the object in which our version would say what its file is beside the groups.
    const note = '  What the file says beside its parameter groups is not known of our version, whose object is not here, so it was not merged.';
    expect(await thetaMerge({ strategy })).toEqual({ code: 0, out: `${PATH}: merged and staged\n${note} Get it with "theta fetch" and merge again.\n` });
    const result = groupsOf(await worktree());
    expect([...result.keys()].join(' ')).toBe(names);
    for (const name of ['a_both', 'n_int']) expect(result.get(name)).toEqual(groupsOf(await vector(source)).get(name));
    expect(await records()).toEqual([]);
    expect(await git('status', '--porcelain')).toBe('M  "models/gr\\303\\266\\303\\237e.pt"');
    await git('commit', '-q', '-m', 'merged');
    expect((await git('rev-parse', 'HEAD^2')).length).toBe(40);
    expect(await git('show', `HEAD:${PATH}`)).toBe(await worktree());
  });

  it('averages exactly: float64, rounded once; integers and removals stay', async () => {
    await merge('merge', 'theirs');
    const averaged = await thetaMerge({ strategy: 'average', json: true, path: PATH });
    expect(averaged.code).toBe(1);
    const left = CONFLICTS.filter(({ name }) => name.startsWith('g_') || name.startsWith('n_'));
    expect(JSON.parse(averaged.out)).toEqual([{ path: PATH, resolved: ['a_both', 'k_add_both'], left, staged: false }]);
    // Nothing is staged before the last group is decided, and what was decided stays.
    expect(await git('ls-files', '--unmerged')).toContain(PATH.slice(0, 6));
    expect((await thetaMerge()).out).toContain('2 parameter groups need a decision');
    expect(await thetaMerge({ strategy: 'theirs', group: 'n_*' })).toMatchObject({ code: 1 });
    expect(await thetaMerge({ strategy: 'ours', group: 'g_mod_us_del_them' })).toMatchObject({ code: 0 });

    const [ours, theirs] = [await mergedValues('take_us_where_both', 'a_both'), await mergedValues('take_them_where_both', 'a_both')];
    expect(ours).toHaveLength(16);
    const mean = (a: Iterable<number>, b: readonly number[]) => {
      const values = Float32Array.from(a, (value, index) => (value + (b[index] ?? 0)) / 2);
      return createHash('sha256').update(new Uint8Array(values.buffer)).digest('hex');
    };
    const merged = groupsOf(await worktree());
    expect(merged.get('a_both')).toMatchObject({ updateType: 'dense', lastCommit: null, dtype: 'float32', shape: [4, 4] });
    expect(merged.get('n_int')).toEqual(groupsOf(await vector('other')).get('n_int'));
    expect(merged.get('g_mod_us_del_them')).toEqual(groupsOf(await vector('current')).get('g_mod_us_del_them'));
    await git('commit', '-q', '-m', 'merged');
    const shown = await runTheta('-C', repository.path, 'show', '--json', '--digest', `HEAD:${PATH}`);
    expect(shown.out).toContain(mean(ours, theirs));
    expect(shown.out).toContain(mean(ADDED, await mergedValues('take_them_where_both', 'k_add_both')));
  });

  it('averages by itself where theta.merge says so', async () => {
    await git('config', 'theta.merge', 'average');
    expect(await merge('merge', 'theirs')).toBe(false);
    expect((await records())[0]?.groups).toEqual(CONFLICTS.filter(({ name }) => name.startsWith('g_') || name.startsWith('n_')));
    expect(groupsOf(await worktree()).get('a_both')?.lastCommit).toBeNull();
    expect(await thetaMerge({ strategy: 'theirs' })).toMatchObject({ code: 0 });
    expect(groupsOf(await worktree()).get('a_both')?.oid).not.toBe(groupsOf(await vector('other')).get('a_both')?.oid);
  });

  it('takes a side by itself where theta.merge says so', async () => {
    await git('config', 'theta.merge', 'theirs');
    expect(await merge('merge', 'theirs')).toBe(true);
    expect(await records()).toEqual([]);
    expect(groupsOf(await git('show', `HEAD:${PATH}`)).get('a_both')).toEqual(groupsOf(await vector('other')).get('a_both'));
    expect(groupsOf(await git('show', `HEAD:${PATH}`)).get('b_us')).toEqual(groupsOf(await vector('current')).get('b_us'));
  });

  it('says that theta.merge is no strategy, and leaves ours', async () => {
    await git('config', 'theta.merge', 'mean');
    expect(await merge('merge', 'theirs')).toBe(false);
    expect(bridge.runs.at(-1)?.err).toContain('The setting theta.merge is "mean", which is no way to merge.');
    expect(await worktree()).toBe(await vector('current'));
    expect((await thetaMerge()).out).toContain('4 parameter groups need a decision');
  });

  it('names a value that is missing, and leaves its group to the user', async () => {
    const oid = groupsOf(await vector('other')).get('a_both')?.oid ?? '';
    await rm(join(repository.path, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid));
    await merge('merge', 'theirs');
    const { code, out } = await thetaMerge({ strategy: 'average' });
    expect(code).toBe(1);
    expect(out).toContain('a_both cannot be averaged: ');
    expect(out).toContain('3 parameter groups need a decision');
  });

  it('refuses what it cannot do in words', async () => {
    await merge('merge', 'theirs');
    await expect(thetaMerge({ group: 'a*' })).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(thetaMerge({ group: 'zzz', strategy: 'ours' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'No parameter group in conflict is called zzz.',
    });
    await expect(thetaMerge({ path: 'other.pt', strategy: 'ours' })).rejects.toMatchObject({ code: 'not-found' });
    expect((await runTheta('-C', repository.path, 'merge', '--strategy', 'mean')).code).toBe(2);
  });

  it('takes a path from where it is called', async () => {
    await merge('merge', 'theirs');
    const folder = join(repository.path, 'models');
    expect(await thetaMerge({ folder, path: 'größe.pt', strategy: 'ours' })).toMatchObject({ code: 0 });
  });

  it('works in a cherry-pick, a rebase and a stash', async () => {
    expect(await merge('cherry-pick', 'theirs')).toBe(false);
    expect((await records())[0]?.groups).toEqual(CONFLICTS);
    await git('cherry-pick', '--abort');
    // The index has no conflict any more, whatever the record says.
    expect((await thetaMerge()).out).toBe('No tracked checkpoint is in conflict.\n');

    expect(await merge('rebase', 'theirs')).toBe(false);
    // Upside down: ours is what the commits are put on.
    expect((await records())[0]?.groups.find(({ name }) => name.startsWith('g_'))).toEqual({ name: 'g_mod_us_del_them', kind: 'removed-by-us' });
    expect(await thetaMerge({ strategy: 'theirs' })).toMatchObject({ code: 0 });
    expect(await merge('rebase', '--continue')).toBe(true);
    expect(groupsOf(await git('show', `HEAD:${PATH}`)).get('a_both')).toEqual(groupsOf(await vector('current')).get('a_both'));
    expect(groupsOf(await git('show', `HEAD:${PATH}`)).has('g_mod_us_del_them')).toBe(true);

    await git('reset', '--hard', '-q', 'theirs~1');
    await repository.write(PATH, await vector('current'));
    await git('stash', '-q');
    await git('reset', '--hard', '-q', 'theirs');
    expect(await merge('stash', 'pop')).toBe(false);
    expect((await records())[0]?.groups).toHaveLength(4);
    expect(await thetaMerge({ strategy: 'base' })).toMatchObject({ code: 0 });
  });

  it('keeps the merges of two work trees apart', async () => {
    const other = `${repository.path}-linked`;
    await git('worktree', 'add', '-q', other, 'theirs');
    try {
      await merge('merge', 'theirs');
      await expect(callGit(other, [...driver(), 'merge', 'main'])).rejects.toThrow();
      expect((await records())[0]?.groups).toEqual(CONFLICTS);
      const listed = await thetaMerge({ folder: other, json: true });
      expect(listed.out).toContain('"removed-by-us"');
      expect((await thetaMerge({ json: true })).out).toContain('"removed-by-them"');
      expect(await thetaMerge({ folder: other, strategy: 'ours' })).toMatchObject({ code: 0 });
      expect(await records()).toHaveLength(1);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

describe('other merges', () => {
  it('adds on both sides have no base', async () => {
    repository = await makeRepository();
    await addObjects(repository.path);
    await repository.commit('root', { '.gitattributes': '*.pt filter=theta merge=theta\n' });
    await git('branch', 'theirs');
    await repository.commit('ours', { 'm.pt': await vector('current') });
    await git('checkout', '-q', 'theirs');
    await repository.commit('theirs', { 'm.pt': await vector('other') });
    expect(await merge('merge', 'main')).toBe(false);
    expect(new Set((await thetaMerge({ json: true })).out.match(/"kind": "[^"]*"/g))).toEqual(new Set(['"kind": "both-added"']));
    expect(await thetaMerge({ strategy: 'theirs' })).toMatchObject({ code: 0 });
    expect([...groupsOf(await worktree('m.pt')).keys()]).toEqual(
      [...new Set([...groupsOf(await vector('current')).keys(), ...groupsOf(await vector('other')).keys()])].sort(),
    );
  });

  it('crosswise merges do not mistake one side for the base', async () => {
    repository = await makeRepository();
    await addObjects(repository.path);
    const versions = { base: await vector('ancestor'), x: await vector('current'), y: await vector('other') };
    await repository.commit('base', { '.gitattributes': '*.pt filter=theta merge=theta\n', 'm.pt': versions.base });
    await git('branch', 'y');
    const x = await repository.commit('x', { 'm.pt': versions.x });
    await git('checkout', '-q', 'y');
    const y = await repository.commit('y', { 'm.pt': versions.y });
    // Both merges decide by themselves, each for its own side.
    await merge('merge', 'main');
    expect(await thetaMerge({ strategy: 'ours' })).toMatchObject({ code: 0 });
    await git('commit', '-q', '-m', 'y with x');
    await git('checkout', '-q', 'main');
    await merge('merge', y);
    expect(await thetaMerge({ strategy: 'ours' })).toMatchObject({ code: 0 });
    await git('commit', '-q', '-m', 'x with y');
    expect((await git('merge-base', '--all', 'main', 'y')).split('\n').sort()).toEqual([x, y].sort());

    const before = bridge.runs.length;
    expect(await merge('merge', 'y')).toBe(false);
    // First the base of bases, whose markers are longer, then the merge itself.
    expect(bridge.runs.slice(before).map(({ args }) => args.at(-1))).toEqual(['9', '7']);
    // A base that had taken one side would have let the other one through without a word.
    expect((await records())[0]?.groups).toEqual(CONFLICTS.map(({ name, kind }) => ({ name, kind: name === 'k_add_both' ? 'both-added' : kind })));
    expect(await thetaMerge({ strategy: 'theirs' })).toMatchObject({ code: 0 });
  });

  it('a renamed file is merged under its new name', async () => {
    await makeVectors('m.pt');
    await git('checkout', '-q', 'theirs');
    await git('mv', 'm.pt', 'n.pt');
    await repository.commit('renamed');
    await git('checkout', '-q', 'main');
    expect(await merge('merge', '-X', 'find-renames=20%', 'theirs')).toBe(false);
    expect((await records())[0]).toMatchObject({ path: 'n.pt', groups: CONFLICTS });
  });

  it('a file that one side deleted is left to git, and says so', async () => {
    await makeVectors('m.pt');
    await git('checkout', '-q', 'theirs');
    await git('rm', '-q', 'm.pt');
    await repository.commit('gone');
    await git('checkout', '-q', 'main');
    expect(await merge('merge', 'theirs')).toBe(false);
    const { code, out } = await thetaMerge({ strategy: 'theirs' });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('m.pt: The file was deleted by them and changed on the other side') });
  });

  it.each([
    ['a checkpoint from before it was tracked', 'PK\u0003\u0004 not metadata'],
    ['markers of a text merge', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n'],
    ['an entry that cannot be understood', '{"w": {"lfs_metadata": 3}}'],
  ])('refuses %s in words and leaves ours', async (_what, content) => {
    await makeVectors('m.pt');
    await git('checkout', '-q', 'theirs');
    await repository.commit('odd', { 'm.pt': content });
    await git('checkout', '-q', 'main');
    expect(await merge('merge', 'theirs')).toBe(false);
    expect(bridge.runs.at(-1)).toMatchObject({ code: 1, err: expect.stringContaining('m.pt cannot be merged') });
    expect(await worktree('m.pt')).toBe(await vector('current'));
    expect(await records()).toEqual([]);
    const listed = await thetaMerge();
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/^m\.pt: /);
  });
});

describe('the merges of a repository of git-theta', () => {
  let dispose: () => Promise<void>;
  const [OURS, THEIRS, MERGED] = ['b253ed27', '07dfea7d', 'd2011f7a'];
  const [OURS2, THEIRS2, AVERAGED] = ['9f09fad6', '158ca9ee', 'b23a8a78'];
  const FILE = 'w.safetensors';

  beforeEach(async () => {
    const unpacked = await unpackRepository('b-st-merge');
    dispose = unpacked.dispose;
    repository = new TestRepository(unpacked.path);
    await rm(join(repository.path, '.git/hooks'), { recursive: true });
  });
  afterEach(() => dispose());

  it('gives byte for byte what its user chose group by group', async () => {
    await git('checkout', '-q', '-f', OURS);
    expect(await merge('merge', THEIRS)).toBe(false);
    expect((await records())[0]?.groups).toEqual([{ name: 'enc.w', kind: 'both-changed' }]);
    expect(await thetaMerge({ strategy: 'theirs' })).toMatchObject({ code: 0 });
    expect(await git('rev-parse', `:${FILE}`)).toBe(await git('rev-parse', `${MERGED}:${FILE}`));
  });

  it('averages sparse and dense versions to the values that its user computed with NumPy', async () => {
    const expected = v.object({
      commits: v.array(
        v.object({ sha: v.string(), files: v.record(v.string(), v.object({ params: v.record(v.string(), v.object({ sha256: v.string() })) })) }),
      ),
    });
    const { commits } = v.parse(expected, JSON.parse(await readFile(new URL('../../e2e/fixtures/repos/b-st-merge/expected.json', import.meta.url), 'utf8')));
    const mean = commits.find(({ sha }) => sha.startsWith(AVERAGED))?.files[FILE]?.params['enc.w']?.sha256;
    expect(mean).toHaveLength(64);
    await git('config', 'theta.merge', 'average');
    await git('checkout', '-q', '-f', OURS2);
    expect(await merge('merge', THEIRS2)).toBe(true);
    const shown = await runTheta('-C', repository.path, 'show', '--json', '--digest', `HEAD:${FILE}`);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain(mean);
    // What one side changed is not averaged: the sparse entry of ours stays as it is.
    expect(groupsOf(await git('show', `HEAD:${FILE}`)).get('enc.b')).toEqual(groupsOf(await git('show', `${OURS2}:${FILE}`)).get('enc.b'));
    expect(await git('fsck')).toBe('');
  });
});
