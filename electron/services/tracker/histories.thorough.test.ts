import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callGit } from '../../git/testing/testRepository';
import { edited, floats, noise, safetensorsFile, type Value } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'model.safetensors';

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(() => folder.dispose());

/** Version n of a model: each changes one element of `weight`, which is a sparse update. */
function version(number: number, more: Readonly<Record<string, Value>> = {}): Buffer {
  let weight = floats(noise(4096), [64, 64]);
  for (let n = 1; n <= number; n++) weight = edited(weight, (view) => view.setFloat32(n * 40, n + 0.5, true));
  return safetensorsFile({ bias: floats([1, 2, 3]), weight, ...more });
}

async function typesAt(revision: string, path = PATH): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries([...(await folder.entries(revision, path)).values()].map(({ name, updateType }) => [name, updateType]));
}

/** Versions 0 to n - 1, one commit each. */
async function versions(count: number): Promise<readonly string[]> {
  const commits: string[] = [];
  for (let number = 0; number < count; number++) commits.push((await folder.put(PATH, version(number))).commit);
  expect(await typesAt('HEAD')).toEqual({ bias: 'dense', weight: count === 1 ? 'dense' : 'sparse' });
  return commits;
}

describe('groups that come and go', () => {
  it('a new group in an incremental add, a removed one, and one that comes back', async () => {
    await versions(2);
    const extra = { extra: floats(noise(700, 9)) };
    const files = [version(2, extra), version(3), version(4, extra)];
    const commits: string[] = [];
    for (const file of files) commits.push((await folder.put(PATH, file)).commit);
    expect(await typesAt(commits[0] ?? '')).toEqual({ bias: 'dense', extra: 'dense', weight: 'sparse' });
    expect(await typesAt(commits[1] ?? '')).toEqual({ bias: 'dense', weight: 'sparse' });
    for (const [index, commit] of commits.entries()) expect(await folder.checkout(commit, PATH)).toEqual(files[index]);
  });

  it.each(['sparse', 'low-rank', 'ia3'] as const)('a new group when %s was asked for', async (choice) => {
    await versions(1);
    const file = version(1, { extra: floats(noise(700, 9)), scalar: floats([4], []) });
    const { commit, cleaned } = await folder.put(PATH, file, { choice });
    expect(await folder.checkout(commit, PATH)).toEqual(file);
    expect(cleaned.groups.find(({ name }) => name === 'extra')).toMatchObject({ change: 'added', updateType: 'dense' });
  });

  it('no group at all, and then some again', async () => {
    await versions(1);
    const empty = safetensorsFile({});
    const none = await folder.put(PATH, empty);
    expect(await folder.metadata(none.commit, PATH)).toBe('{}');
    const back = await folder.put(PATH, version(1));
    expect(await folder.checkout(back.commit, PATH)).toEqual(version(1));
  });

  it('a group that becomes a dictionary of groups, and the reverse', async () => {
    const one = safetensorsFile({ a: floats([1, 2]) });
    const other = safetensorsFile({ 'a/b': floats([1, 2]), 'a.c': floats([3]) });
    const commits = [];
    for (const file of [one, other, one]) commits.push((await folder.put(PATH, file)).commit);
    for (const [index, commit] of commits.entries()) expect(await folder.checkout(commit, PATH)).toEqual([one, other, one][index]);
  });
});

describe('renamed and moved', () => {
  it('a file with incremental entries is read and continued under every name that it had', async () => {
    await versions(3);
    const names = ['renamed.safetensors', 'in a/folder/-ünïcode 模型.safetensors', '-leading dash.safetensors'];
    let last = PATH;
    let number = 3;
    for (const name of names) {
      const file = await folder.checkout('HEAD', last);
      await folder.git('rm', '-q', '--cached', '--', last);
      await rm(join(folder.path, last));
      await folder.write(name, file);
      // A move is a new file as far as git is concerned: nothing of HEAD is at its path.
      await folder.add(name);
      const moved = await folder.commit(`move to ${name}`);
      expect(await folder.checkout(moved, name)).toEqual(file);
      const next = await folder.put(name, version(number));
      expect(await folder.checkout(next.commit, name)).toEqual(version(number++));
      last = name;
    }
  });

  it('a rename that git makes, without the filter', async () => {
    await versions(3);
    // As `git mv` does it: the entries stay as they are.
    const blob = await folder.git('rev-parse', `HEAD:${PATH}`);
    await folder.git('rm', '-q', '--cached', PATH);
    await folder.git('update-index', '--add', '--cacheinfo', `100644,${blob},-moved to/ä b.safetensors`);
    const moved = await folder.commit('rename');
    expect(await folder.checkout(moved, '-moved to/ä b.safetensors')).toEqual(version(2));
    const { commit } = await folder.put('-moved to/ä b.safetensors', version(3));
    expect(await typesAt(commit, '-moved to/ä b.safetensors')).toEqual({ bias: 'dense', weight: 'sparse' });
    expect(await folder.checkout(commit, '-moved to/ä b.safetensors')).toEqual(version(3));
    expect(await folder.checkout(`${moved}~1`, PATH)).toEqual(version(2));
  });
});

describe('rewritten history', () => {
  it('an amended commit, and the amended one forgotten', async () => {
    const [, , last = ''] = await versions(3);
    await folder.write(PATH, version(5));
    await folder.add(PATH);
    const amended = await folder.commit('amended', '--amend');
    await folder.collectGarbage();
    await expect(folder.git('cat-file', '-e', last)).rejects.toThrow();
    expect(await folder.checkout(amended, PATH)).toEqual(version(5));
    const next = await folder.put(PATH, version(6));
    expect(await folder.checkout(next.commit, PATH)).toEqual(version(6));
  });

  it('a squash, collected, and without the cache of digests; and what comes after it', async () => {
    const [first = ''] = await versions(5);
    const tree = await folder.git('rev-parse', 'HEAD^{tree}');
    const squashed = await folder.git('commit-tree', tree, '-p', `${first}~1`, '-m', 'squashed');
    await folder.git('reset', '-q', '--soft', squashed);
    await folder.collectGarbage();
    await rm(join(folder.path, '.git', 'theta-desktop'), { recursive: true });
    await expect(folder.git('cat-file', '-e', first)).rejects.toThrow();
    expect(await folder.checkout(squashed, PATH)).toEqual(version(4));
    // The file is added again: its entries stay as they are.
    expect((await folder.add(PATH)).unchanged).toBe(true);
    const next = await folder.put(PATH, version(5));
    expect(await folder.checkout(next.commit, PATH)).toEqual(version(5));
    expect(await folder.checkout(`${next.commit}~1`, PATH)).toEqual(version(4));
  });

  it('a rebase onto a branch that changed the file, with the old commits forgotten', async () => {
    const [first = ''] = await versions(3);
    const trees = await Promise.all(['HEAD~1', 'HEAD'].map((revision) => folder.git('rev-parse', `${revision}^{tree}`)));
    await folder.git('reset', '-q', '--soft', first);
    await folder.write(PATH, version(0, { extra: floats([9]) }));
    await folder.add(PATH);
    let tip: string = await folder.commit('theirs');
    for (const tree of trees) tip = await folder.git('commit-tree', tree, '-p', tip, '-m', 'picked');
    await folder.git('reset', '-q', '--soft', tip);
    await folder.collectGarbage();
    expect(await folder.checkout(tip, PATH)).toEqual(version(2));
    expect(await folder.checkout(`${tip}~1`, PATH)).toEqual(version(1));
    expect(await folder.checkout(`${tip}~2`, PATH)).toEqual(version(0, { extra: floats([9]) }));
  });

  it('a shallow clone with the objects', async () => {
    await versions(5);
    const clone = join(folder.path, '..', `${folder.path.split('/').at(-1)}-shallow`);
    try {
      await callGit(folder.path, ['clone', '-q', '--depth', '1', '--no-checkout', `file://${folder.path}`, clone]);
      await callGit(clone, ['config', 'lfs.storage', join(folder.path, '.git', 'lfs')]);
      expect(await folder.checkout('HEAD', PATH, clone)).toEqual(version(4));
    } finally {
      await rm(clone, { recursive: true, force: true });
    }
  });

  it('a linked worktree', async () => {
    await versions(3);
    const tree = join(folder.path, '..', `${folder.path.split('/').at(-1)}-tree`);
    try {
      await folder.git('worktree', 'add', '-q', '--no-checkout', '--detach', tree, 'HEAD~1');
      expect(await folder.checkout('HEAD', PATH, tree)).toEqual(version(1));
    } finally {
      await rm(tree, { recursive: true, force: true });
    }
  });
});

describe('the index', () => {
  it('two adds before one commit: the update is one from HEAD', async () => {
    const [first = ''] = await versions(1);
    for (const number of [1, 2, 3]) {
      await folder.write(PATH, version(number));
      await folder.add(PATH);
      expect(await folder.checkout('', PATH)).toEqual(version(number));
    }
    const commit = await folder.commit('third');
    expect(await folder.entry(commit, PATH, 'weight')).toMatchObject({ updateType: 'sparse', lastCommit: first });
    expect(await folder.checkout(commit, PATH)).toEqual(version(3));
  });

  it('an add that takes the last one back leaves nothing staged', async () => {
    await versions(2);
    await folder.write(PATH, version(2));
    await folder.add(PATH);
    await folder.write(PATH, version(1));
    expect((await folder.add(PATH)).unchanged).toBe(true);
    expect(await folder.git('diff', '--cached', '--name-only')).toBe('');
  });

  it('an add, a commit of something else, and the same add again', async () => {
    await versions(1);
    await folder.write(PATH, version(1));
    await folder.add(PATH);
    await folder.test.write('notes.gitattributes', '');
    await folder.git('commit', '-q', '--allow-empty', '-m', 'between', '--only');
    await folder.add(PATH);
    const commit = await folder.commit('model');
    expect(await folder.checkout(commit, PATH)).toEqual(version(1));
  });

  it('before the first commit', async () => {
    await folder.git('update-ref', '-d', 'HEAD');
    for (const number of [0, 1]) {
      await folder.write(PATH, version(number));
      await folder.add(PATH);
      expect(await typesAt('')).toEqual({ bias: 'dense', weight: 'dense' });
      expect(await folder.checkout('', PATH)).toEqual(version(number));
    }
    expect((await folder.entry('', PATH, 'weight')).lastCommit).toBeNull();
    const commit = await folder.commit('root');
    expect(await folder.checkout(commit, PATH)).toEqual(version(1));
    expect(await folder.status()).toBe('');
  });
});
