import { readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInProcessPool } from '../../workers/createInProcessPool';
import type { WorkerPool } from '../../workers/workerPool';
import { provenBlobs } from './provenFile';
import { edited, floats, noise, safetensorsFile } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'model.safetensors';
const OLD = { first: floats(noise(1200, 1), [40, 30]), second: floats(noise(1200, 2), [40, 30]), third: floats(noise(500, 3)) };

let folder: TrackedFolder;
let hashed: string[];

/** A folder whose pool notes the groups of files that are hashed to compare them. */
class Noting extends TrackedFolder {
  override readonly pool: WorkerPool = noting(createInProcessPool());
}

function noting(pool: WorkerPool): WorkerPool {
  return {
    ...pool,
    run: (task, input, options) => {
      if (task === 'digest' && 'plan' in input && input.plan.kind === 'ref') hashed.push(input.plan.group);
      return pool.run(task, input, options);
    },
  };
}

beforeEach(async () => {
  const made = await TrackedFolder.make();
  folder = new Noting(made.test);
  hashed = [];
});
afterEach(() => folder.dispose());

const file = () => join(folder.path, PATH);
const known = () => folder.open(async ({ git }) => provenBlobs(git.place, PATH, await stat(file(), { bigint: true })));

/** Adds a file that nobody has written to for longer than the clocks of file systems may be wrong, and commits it. */
async function settle(content = safetensorsFile(OLD)): Promise<void> {
  await folder.write(PATH, content);
  await setTimeout(60);
  await folder.add(PATH);
  await folder.commit('settled');
  await folder.status();
  hashed = [];
}

async function scaling(): Promise<string> {
  const updateData = join(folder.path, '.git', 'update.safetensors');
  await writeFile(
    updateData,
    safetensorsFile({
      'second/ia3': floats(
        Array.from({ length: 30 }, () => 2),
        [1, 30],
      ),
    }),
  );
  return updateData;
}

const doubled = {
  ...OLD,
  second: floats(
    new Float32Array(OLD.second.bytes.slice().buffer).map((x) => x * 2),
    [40, 30],
  ),
};

describe('a file that was added and not written since', () => {
  it('is not read to know what of it is unchanged; only what an update gives is read again', async () => {
    await settle();
    expect(await known()).toContain(await folder.git('rev-parse', `HEAD:${PATH}`));
    const cleaned = await folder.add(PATH, { updateData: await scaling() });
    expect([...cleaned.declared]).toEqual(['second']);
    // Verified in the new file, and nothing else was hashed.
    expect(hashed).toEqual(['second']);
    expect(Buffer.compare(await folder.checkout('', PATH), safetensorsFile(doubled))).toBe(0);
    expect(await folder.test.bytes(['hash-object', '--no-filters', PATH])).toEqual(
      await folder.test.bytes(['hash-object', '--stdin'], { input: safetensorsFile(doubled) }),
    );
  });

  it('is read when the index does not say so too', async () => {
    await settle();
    await folder.git('rm', '-q', '--cached', PATH);
    expect(await known()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'has other bits, with the size and time that it had',
      async () => {
        const { atime, mtime } = await stat(file());
        await writeFile(file(), safetensorsFile({ ...OLD, third: edited(OLD.third, (view) => view.setFloat32(0, 7, true)) }));
        await utimes(file(), atime, mtime);
      },
    ],
    [
      'is another file of the same size and time',
      async () => {
        const { atime, mtime } = await stat(file());
        await writeFile(`${file()}.new`, safetensorsFile({ ...OLD, third: edited(OLD.third, (view) => view.setFloat32(0, 7, true)) }));
        await utimes(`${file()}.new`, atime, mtime);
        await rename(`${file()}.new`, file());
      },
    ],
  ])('but %s, is read', async (_, change) => {
    await settle();
    await change();
    expect(await known()).toEqual([]);
    await folder.add(PATH, { updateData: await scaling() });
    expect(hashed).not.toEqual([]);
  });

  it('and whose record is damaged, is read', async () => {
    await settle();
    const records = join(folder.path, '.git', 'theta-desktop', 'proven');
    for (const name of await readdir(records)) await writeFile(join(records, name), '{"file":1}');
    expect(await known()).toEqual([]);
    await folder.add(PATH, { updateData: await scaling() });
    expect(hashed).toContain('third');
  });
});

describe('what an update changed on top of a copy', () => {
  it('leaves every other bit, also of what was changed meanwhile and is no part of the update', async () => {
    await settle();
    const other = { ...OLD, third: edited(OLD.third, (view) => view.setFloat32(0, Number.NaN, true)) };
    await folder.write(PATH, safetensorsFile(other));
    await folder.add(PATH, { updateData: await scaling() });
    const wanted = safetensorsFile({ ...doubled, third: other.third });
    expect(Buffer.compare(await folder.checkout('', PATH), wanted)).toBe(0);
    expect(await folder.test.bytes(['hash-object', '--no-filters', PATH])).toEqual(await folder.test.bytes(['hash-object', '--stdin'], { input: wanted }));
  });

  it('can be followed by another update, for which nothing but that is read either', async () => {
    await settle();
    await folder.add(PATH, { updateData: await scaling() });
    // The index becomes younger than the file.
    await folder.status();
    await folder.commit('doubled');
    await folder.status();
    hashed = [];
    await folder.add(PATH, { updateData: await scaling() });
    expect(
      Buffer.compare(
        await folder.checkout('', PATH),
        safetensorsFile({
          ...doubled,
          second: floats(
            new Float32Array(OLD.second.bytes.slice().buffer).map((x) => x * 4),
            [40, 30],
          ),
        }),
      ),
    ).toBe(0);
  });
});
