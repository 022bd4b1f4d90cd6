import { appendFile, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edited, floats, noise, safetensorsFile } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'sub/model.safetensors';
const CHECKPOINTS = new URL('../../../e2e/fixtures/checkpoints/', import.meta.url);

// Larger than what is written at a time, so that the file comes in several parts.
const [a, b, c] = [1, 2, 3].map((seed) => floats(noise(900_000, seed), [900, 1000]));
if (a === undefined || b === undefined || c === undefined) throw new Error('three values');
const tail = floats([1, 2, 3]);
const FIRST = safetensorsFile({ a, b, c, tail });
const LAST_CHANGED = safetensorsFile({ a, b, c: edited(c, (view) => view.setFloat32(400, 1.5, true)), tail });

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(async () => {
  const state = join(folder.path, '.git', 'theta-desktop');
  expect(await readdir(join(state, 'spool')).catch(() => [])).toEqual([]);
  await folder.dispose();
});

/** In parts, with time between them in which everything that can be done is done. */
async function* slowly(content: Uint8Array, end: () => void | Promise<void> = () => {}): AsyncGenerator<Uint8Array> {
  const size = 1_000_000;
  for (let at = 0; at < content.byteLength; at += size) {
    yield content.subarray(at, at + size);
    await delay(40);
  }
  await end();
}

/** What the engine stores for a file on disk. */
async function expected(content: Uint8Array, path = PATH): Promise<string> {
  await folder.write(path, content);
  return (await folder.add(path)).metadata;
}

describe('a file that is cleaned while it comes in', () => {
  it('becomes what it becomes from the disk: first, changed, and unchanged', async () => {
    await folder.write(PATH, FIRST);
    const first = (await folder.filter('clean', slowly(FIRST), { path: PATH })).toString();
    expect(first).toBe(await expected(FIRST));
    await folder.commit('first');
    await folder.write(PATH, LAST_CHANGED);
    const second = (await folder.filter('clean', slowly(LAST_CHANGED), { path: PATH })).toString();
    expect(second).toBe(await expected(LAST_CHANGED));
    expect(JSON.parse(second)).toMatchObject({ c: { theta_metadata: { update_type: 'sparse' } } });
    // Buffers of this size take the comparison of objects a minute.
    expect((await folder.checkout('', PATH)).equals(LAST_CHANGED)).toBe(true);
    await folder.commit('second');
    expect((await folder.filter('clean', slowly(LAST_CHANGED), { path: PATH })).toString()).toBe(second);
  });

  it('is what came, not what stands in the work tree', async () => {
    const same = await expected(FIRST);
    await folder.commit('first');
    // Of the same size, longer, shorter, gone.
    await folder.write(PATH, LAST_CHANGED);
    expect((await folder.filter('clean', slowly(FIRST), { path: PATH })).toString()).toBe(same);
    await appendFile(join(folder.path, PATH), 'more');
    expect((await folder.filter('clean', slowly(FIRST), { path: PATH })).toString()).toBe(same);
    await truncate(join(folder.path, PATH), 5_000_000);
    expect((await folder.filter('clean', slowly(FIRST), { path: PATH })).toString()).toBe(same);
    await rm(join(folder.path, PATH));
    expect((await folder.filter('clean', slowly(FIRST), { path: PATH })).toString()).toBe(same);
  });

  it.each([
    ['within a tensor', 6_000_000],
    ['within the header', 20],
  ])('is refused when it was cut off %s, as from the disk', async (_, bytes) => {
    await folder.write(PATH, FIRST);
    const cut = FIRST.subarray(0, bytes);
    await expect(folder.filter('clean', slowly(cut), { path: PATH })).rejects.toMatchObject({ code: 'truncated', place: { file: PATH } });
    await folder.write(PATH, cut);
    await expect(folder.filter('clean', slowly(cut), { path: PATH })).rejects.toMatchObject({ code: 'truncated', place: { file: PATH } });
  });

  it('fails with what ended it, after whatever was begun has ended', async () => {
    await folder.write(PATH, FIRST);
    const stopped = () => {
      throw new Error('git was stopped');
    };
    await expect(folder.filter('clean', slowly(FIRST.subarray(0, 8_000_000), stopped), { path: PATH })).rejects.toThrow(/git was stopped/);
    await expect(folder.filter('clean', slowly(new Uint8Array(0), stopped), { path: PATH })).rejects.toThrow(/git was stopped/);
    // And the next one is not the worse for it.
    expect((await folder.filter('clean', slowly(FIRST), { path: PATH })).toString()).toBe(await expected(FIRST));
  });

  it.each(['pytorch', 'safetensors'])('in every format: %s', async (kind) => {
    for (const name of (await readdir(new URL(`${kind}/`, CHECKPOINTS))).slice(0, 5)) {
      const content = await readFile(new URL(`${kind}/${name}`, CHECKPOINTS));
      const outcome = async (result: Promise<string | Buffer>) =>
        result.then(
          (text) => text.toString(),
          (error: unknown) => String(error),
        );
      await folder.write(name, content);
      const streamed = await outcome(folder.filter('clean', slowly(content), { path: name }));
      expect(streamed).toBe(await outcome(expected(content, name)));
    }
  });
});
