import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edited, floats, noise, safetensorsFile } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'model.safetensors';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345\n`;
const CONFLICT = '<<<<<<< ours\n{\n=======\n{}\n>>>>>>> theirs\n';

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(async () => {
  // Whatever happened, nothing is left of what came through the pipe.
  const spool = join(folder.path, '.git', 'theta-desktop', 'spool');
  expect(await readdir(spool).catch(() => [])).toEqual([]);
  await folder.dispose();
});

const weight = floats(noise(4096), [64, 64]);
const changed = edited(weight, (view) => view.setFloat32(400, 1.5, true));
const FIRST = safetensorsFile({ bias: floats([1, 2, 3]), weight });
const SECOND = safetensorsFile({ bias: floats([1, 2, 3]), weight: changed });

describe('what is no checkpoint to the filter', () => {
  it('an empty file stays empty, both ways', async () => {
    for (const verb of ['clean', 'smudge'] as const) expect(await folder.filter(verb, Buffer.alloc(0), { path: PATH })).toEqual(Buffer.alloc(0));
  });

  it('metadata that is cleaned stays as it is: git does so while it merges', async () => {
    const { commit } = await folder.put(PATH, FIRST);
    const metadata = Buffer.from(await folder.metadata(commit, PATH));
    expect(await folder.filter('clean', metadata, { path: PATH })).toEqual(metadata);
  });

  it.each([
    ['a pointer of Git LFS', Buffer.from(POINTER)],
    ['a checkpoint as a plain blob', FIRST],
    ['text', Buffer.from('{"a": 1}\n')],
    ['bytes', Buffer.from([0, 255, 1, 254])],
  ])('%s that was committed before the path was tracked is checked out as it is', async (_what, content) => {
    expect(await folder.filter('smudge', content, { path: PATH })).toEqual(content);
  });

  it('a pointer of Git LFS in the work tree is not taken for a checkpoint, and said by its name', async () => {
    await expect(folder.filter('clean', Buffer.from(POINTER), { path: PATH })).rejects.toMatchObject({
      code: 'missing-object',
      message: expect.stringMatching(/LFS/),
      place: { file: PATH },
    });
  });

  it('a version of Git LFS is checked out from its object, and stays that version until the file differs', async () => {
    const oid = createHash('sha256').update(FIRST).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${FIRST.byteLength}\n`;
    await folder.test.commit('by git-lfs', { [PATH]: pointer });
    // Without the object the pointer is all there is, and cleaning it is no change.
    expect((await folder.filter('smudge', Buffer.from(pointer), { path: PATH })).toString()).toBe(pointer);
    expect((await folder.filter('clean', Buffer.from(pointer), { path: PATH })).toString()).toBe(pointer);
    const object = join(folder.path, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    await mkdir(dirname(object), { recursive: true });
    await writeFile(object, FIRST);
    expect(await folder.filter('smudge', Buffer.from(pointer), { path: PATH })).toEqual(FIRST);
    expect((await folder.filter('clean', FIRST, { path: PATH })).toString()).toBe(pointer);
    expect((await folder.filter('clean', SECOND, { path: PATH })).toString()).toContain('"lfs_metadata"');
  });

  it('text is refused, and said', async () => {
    await expect(folder.filter('clean', Buffer.from('hello\n'), { path: PATH })).rejects.toMatchObject({ code: 'unsupported-format', place: { file: PATH } });
  });

  it.each(['clean', 'smudge'] as const)('conflict markers are neither stored nor checked out: %s', async (verb) => {
    const { commit } = await folder.put(PATH, FIRST);
    const metadata = await folder.metadata(commit, PATH);
    const texts = [metadata.replace('    "bias"', `${CONFLICT}    "bias"`), `<<<<<<< ours\n${metadata}=======\n{}\n>>>>>>> theirs\n`];
    for (const text of texts) {
      await expect(folder.filter(verb, Buffer.from(text), { path: PATH })).rejects.toMatchObject({ code: 'conflict', place: { file: PATH } });
    }
  });

  it('the metadata of an empty checkpoint is one only where the path is tracked', async () => {
    const empty = safetensorsFile({});
    const { commit } = await folder.put(PATH, empty);
    expect(await folder.metadata(commit, PATH)).toBe('{}');
    const out = await folder.checkout(commit, PATH);
    expect(out.subarray(0, 8).readBigUInt64LE()).toBeGreaterThan(0n);
    await folder.test.write('.gitattributes', '');
    expect(await folder.filter('smudge', Buffer.from('{}'), { path: PATH })).toEqual(Buffer.from('{}'));
  });
});

describe('damaged objects', () => {
  let oid = '';
  let base = '';
  beforeEach(async () => {
    base = (await folder.put(PATH, FIRST)).commit;
    await folder.put(PATH, SECOND);
    const entry = await folder.entry('HEAD', PATH, 'weight');
    expect(entry.updateType).toBe('sparse');
    oid = entry.oid;
  });

  const DAMAGES: readonly (readonly [string, string, (file: string) => Promise<void>])[] = [
    ['missing', 'missing-object', (file) => rm(file)],
    ['truncated', 'corrupt-object', (file) => truncate(file, 100)],
    ['empty', 'corrupt-object', (file) => truncate(file, 0)],
    ['flipped by one bit', 'corrupt-object', flip],
    ['longer', 'corrupt-object', (file) => writeFile(file, '.', { flag: 'a' })],
  ];

  it.each(DAMAGES)('%s: the checkout fails with group and object named; the object stays; other versions come back', async (_what, code, damage) => {
    await damage(folder.objectPath(oid));
    const there = await readFile(folder.objectPath(oid)).catch(() => null);
    await expect(folder.checkout('HEAD', PATH)).rejects.toMatchObject({ code, place: { group: 'weight', oid } });
    expect(await readFile(folder.objectPath(oid)).catch(() => null)).toEqual(there);
    expect(await folder.checkout(base, PATH)).toEqual(FIRST);
  });

  it.each(DAMAGES)('%s: the base of an update: named with its own object', async (_what, code, damage) => {
    const { oid: dense } = await folder.entry(base, PATH, 'weight');
    await damage(folder.objectPath(dense));
    await expect(folder.checkout('HEAD', PATH)).rejects.toMatchObject({ code, place: { group: 'weight', oid: dense } });
  });

  it.each(DAMAGES)('%s: adding the file again stores what is whole', async (_what, _code, damage) => {
    await damage(folder.objectPath(oid));
    await rm(join(folder.path, '.git', 'theta-desktop'), { recursive: true });
    await folder.add(PATH);
    expect(await folder.checkout('', PATH)).toEqual(SECOND);
  });

  it.each(DAMAGES)('%s: a full copy that is added again is whole again', async (_what, _code, damage) => {
    await folder.git('reset', '-q', '--soft', base);
    await folder.git('read-tree', base);
    await folder.write(PATH, FIRST);
    const { oid: dense } = await folder.entry(base, PATH, 'weight');
    await damage(folder.objectPath(dense));
    await rm(join(folder.path, '.git', 'theta-desktop'), { recursive: true });
    await folder.add(PATH);
    expect(await folder.checkout('', PATH)).toEqual(FIRST);
    // The very object is back, and with it what else builds on it.
    expect(await folder.checkout(base, PATH)).toEqual(FIRST);
  });

  it.each(DAMAGES)('%s: a new value is stored whole where the previous one cannot be read', async (_what, _code, damage) => {
    await damage(folder.objectPath(oid));
    await rm(join(folder.path, '.git', 'theta-desktop'), { recursive: true });
    const third = safetensorsFile({ bias: floats([1, 2, 3]), weight: edited(changed, (view) => view.setFloat32(800, 2.5, true)) });
    const { commit, cleaned } = await folder.put(PATH, third);
    expect(await folder.checkout(commit, PATH)).toEqual(third);
    const group = cleaned.groups.find(({ name }) => name === 'weight');
    expect(group?.updateType).toBe('dense');
  });

  it.each(DAMAGES)('%s: the object that carries what is known of the file: said, not guessed', async (_what, code, damage) => {
    const carrier = await folder.entry('HEAD', PATH, 'bias');
    await damage(folder.objectPath(carrier.oid));
    await expect(folder.checkout('HEAD', PATH)).rejects.toMatchObject({ code, place: { group: 'bias', oid: carrier.oid } });
  });
});

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  const before = createHash('sha256').update(bytes).digest('hex');
  const at = bytes.byteLength >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  expect(createHash('sha256').update(bytes).digest('hex')).not.toBe(before);
  await writeFile(file, bytes);
}
