import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommitHash } from '../../../shared/model/commit';
import { createBlobFiles } from '../blobFiles';
import { createCheckpointCache } from '../checkpoints/checkpointCache';
import { compareGroups } from '../checkpoints/compareGroups';
import { changesOfCommits } from '../history/changesOfCommits';
import { edited, floats, noise, safetensorsFile, type Value } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'model.safetensors';

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(() => folder.dispose());

const signal = new AbortController().signal;

async function tallies(commit: CommitHash) {
  return folder.open(async (repository) => {
    const context = { repository: repository.git, metadata: repository.metadata, storedAs: repository.storedAs };
    const [change] = await changesOfCommits(context, PATH, [commit], signal);
    return { unchanged: change?.unchanged, ...change?.tallies };
  });
}

const conv = floats(noise(16 * 9), [16, 1, 3, 3]);
const bias = floats(noise(16, 5));
const head = floats(noise(160, 7), [10, 16]);

describe('a group that keeps its value under another name', () => {
  it('keeps its object, and every version comes back', async () => {
    const files = [
      safetensorsFile({ 'onnx::Conv_32': conv, 'onnx::Conv_33': bias, 'head.weight': head }),
      safetensorsFile({ 'conv1.weight': conv, 'conv1.bias': bias, 'head.weight': head }),
    ];
    const first = await folder.put(PATH, files[0] ?? Buffer.of());
    const old = await folder.entry(first.commit, PATH, 'onnx::Conv_32');
    const { commit, cleaned } = await folder.put(PATH, files[1] ?? Buffer.of());
    expect(cleaned.groups.map(({ name, from, change, addedBytes }) => [name, change, from, addedBytes > 0])).toEqual([
      // It carries the facts about the file, in which the names stand in another order now.
      ['conv1.bias', 'renamed', 'onnx::Conv_33', true],
      ['conv1.weight', 'renamed', 'onnx::Conv_32', false],
      ['head.weight', 'unchanged', undefined, false],
    ]);
    expect(await folder.entry(commit, PATH, 'conv1.weight')).toEqual({ ...old, name: 'conv1.weight', keys: ['conv1.weight'], lastCommit: first.commit });
    expect(await tallies(commit)).toEqual({ unchanged: 1, renamed: { groups: 2, bytes: expect.any(Number) } });
    for (const [index, one] of [first.commit, commit].entries()) expect(await folder.checkout(one, PATH)).toEqual(files[index]);
    expect(await folder.status()).toBe('');
  });

  it('stores nothing when the facts about the file stay as they are', async () => {
    await folder.put(PATH, safetensorsFile({ 'a.bias': bias, 'b.weight': head }));
    const file = safetensorsFile({ 'a2.bias': bias, 'c.weight': head });
    const { commit, cleaned } = await folder.put(PATH, file);
    expect(cleaned.groups.map(({ change, addedBytes }) => [change, addedBytes])).toEqual([
      ['renamed', 0],
      ['renamed', 0],
    ]);
    expect(await tallies(commit)).toEqual({ unchanged: 0, renamed: { groups: 2, bytes: 0 } });
    expect(await folder.checkout(commit, PATH)).toEqual(file);
  });

  it('is stored whole when it was an update, and updates go on from there', async () => {
    const step = (value: Value, by: number) => edited(value, (view) => view.setFloat32(by * 8, by + 0.25, true));
    const wide = floats(noise(4096), [64, 64]);
    const values = [wide, step(wide, 1), step(step(wide, 1), 2)];
    const named = (name: string, value: Value | undefined) => safetensorsFile({ bias, ...(value === undefined ? {} : { [name]: value }) });
    const files = [named('old.weight', values[0]), named('old.weight', values[1]), named('new_name', values[1]), named('new_name', values[2])];
    const commits: CommitHash[] = [];
    const changes: unknown[] = [];
    for (const file of files) {
      const { commit, cleaned } = await folder.put(PATH, file);
      commits.push(commit);
      changes.push(cleaned.groups.map(({ name, change, from, updateType }) => [name, change, from, updateType]));
    }
    expect(changes.slice(1)).toEqual([
      [
        ['bias', 'unchanged', undefined, 'dense'],
        ['old.weight', 'modified', undefined, 'sparse'],
      ],
      [
        ['bias', 'unchanged', undefined, 'dense'],
        ['new_name', 'renamed', 'old.weight', 'dense'],
      ],
      [
        ['bias', 'unchanged', undefined, 'dense'],
        ['new_name', 'modified', undefined, 'sparse'],
      ],
    ]);
    const [, , third] = commits;
    if (third === undefined) throw new TypeError('no third commit');
    const [, before, after] = await Promise.all(commits.map((commit) => folder.entries(commit, PATH)));
    expect(after?.get('new_name')?.signature).toEqual(before?.get('old.weight')?.signature);
    expect(after?.get('new_name')?.oid).not.toBe(before?.get('old.weight')?.oid);
    expect(await tallies(third)).toMatchObject({ renamed: { groups: 1, bytes: after?.get('new_name')?.bytes } });
    for (const [index, commit] of commits.entries()) expect(await folder.checkout(commit, PATH)).toEqual(files[index]);
  });

  it('is a removal and an addition where nothing says which one it is', async () => {
    const zeros = floats(new Float32Array(8));
    const ones = floats(new Float32Array(8).fill(1));
    const halves = floats(new Float32Array(8).fill(-0.5));
    await folder.put(PATH, safetensorsFile({ alpha: zeros, beta: ones, delta: halves, 'm.0.norm.bias': zeros, 'm.1.norm.bias': zeros, w: head }));
    const { commit, cleaned } = await folder.put(
      PATH,
      safetensorsFile({ quite: zeros, other: ones, thing: halves, 'n.0.norm.bias': zeros, 'n.1.norm.bias': zeros, w: head }),
    );
    const changes = cleaned.groups.map(({ name, change, from }) => [name, change, from]);
    expect(changes.filter(([, change]) => change === 'renamed')).toEqual([
      ['n.0.norm.bias', 'renamed', 'm.0.norm.bias'],
      ['n.1.norm.bias', 'renamed', 'm.1.norm.bias'],
    ]);
    expect(await tallies(commit)).toMatchObject({ renamed: { groups: 2 }, added: { groups: 3 }, removed: { groups: 3 } });
  });

  it('is said before anything is committed, and again when it is staged already', async () => {
    await folder.put(PATH, safetensorsFile({ a: head, b: bias }));
    await folder.write(PATH, safetensorsFile({ renamed: head, b: bias }));
    const expected = expect.arrayContaining([expect.objectContaining({ name: 'renamed', change: 'renamed', from: 'a' })]);
    expect((await folder.add(PATH)).groups).toEqual(expected);
    expect((await folder.add(PATH)).groups).toEqual(expected);
  });

  it('has one name in the window, and the same value under it', async () => {
    const first = await folder.put(PATH, safetensorsFile({ 'onnx::Conv_32': conv, bias }));
    const second = await folder.put(PATH, safetensorsFile({ stem: conv, bias, more: head }));
    await folder.open(async (repository) => {
      const blobFolder = join(folder.path, '..', `${basename(folder.path)}-blobs`);
      const blobFiles = createBlobFiles(blobFolder);
      const cache = createCheckpointCache(blobFiles);
      try {
        const open = ({ commit }: { commit: CommitHash }) => cache.open(repository, { commit, path: PATH }, signal);
        const groups = await compareGroups(await open(first), await open(second), { pool: folder.pool, signal, onProgress: () => {} });
        expect(groups.map(({ change, from, keepsObject, group }) => [group.name, change, from, keepsObject])).toEqual([
          ['bias', 'modified', undefined, undefined],
          ['more', 'added', undefined, undefined],
          ['stem', 'renamed', 'onnx::Conv_32', true],
        ]);
      } finally {
        await rm(blobFolder, { recursive: true, force: true });
      }
    });
    const digest = createHash('sha256').update(conv.bytes).digest('hex');
    expect(second.cleaned.groups.find(({ name }) => name === 'stem')?.sha256).toBe(digest);
  });
});
