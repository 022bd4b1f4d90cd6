import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { lfsObjectPath } from '../../git/lfs/lfsFolders';
import { storeObject, storeObjectIf } from './storeObject';
import { takeBackObjects } from './takeBackObjects';
import { sha256 } from './testing/storeSetup';

let root: string;
let objects: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'theta-object-'));
  objects = join(root, 'lfs', 'objects');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, i) => (i * 31 + (i >> 8)) % 256);
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : [];

describe('an object', () => {
  it.each([
    ['nothing', [0]],
    ['small parts', [1, 100, 7]],
    ['large and small parts', [300_000, 5, 200_000, 70_000, 3_000_000, 1]],
  ])('of %s stands under its SHA-256', async (_, sizes) => {
    const parts = sizes.map(bytes);
    const whole = Buffer.concat(parts);
    // The sink's bytes may be changed once it has answered.
    const stored = await storeObject(objects, async (sink) => {
      for (const part of parts) {
        const reused = part.slice();
        await sink(reused);
        reused.fill(0);
      }
    });
    const path = join(objects, sha256(whole).slice(0, 2), sha256(whole).slice(2, 4), sha256(whole));
    expect(stored).toEqual({ oid: sha256(whole), bytes: whole.byteLength, mark: { before: null, after: statSync(path, { bigint: true }).mtimeNs } });
    expect(Buffer.compare(readFileSync(path), whole)).toBe(0);
    expect(filesIn(join(root, 'lfs'))).toEqual([stored.oid]);
  });

  it('is only measured without a folder', async () => {
    const stored = await storeObject(null, async (sink) => void (await sink(bytes(1000))));
    expect(stored).toEqual({ oid: sha256(bytes(1000)), bytes: 1000, mark: null });
    expect(existsSync(join(root, 'lfs'))).toBe(false);
  });

  it('that is there already stays, a damaged one is replaced', async () => {
    const put = () => storeObject(objects, async (sink) => void (await sink(bytes(500_000))));
    const { oid } = await put();
    const path = lfsObjectPath(objects, oid);
    const before = statSync(path, { bigint: true });
    await put();
    expect(statSync(path, { bigint: true }).ino).toBe(before.ino);
    for (const damaged of ['truncated', bytes(500_000).fill(1, 77, 78)]) {
      writeFileSync(path, damaged);
      expect((await put()).mark?.before).toBeNull();
      expect(sha256(readFileSync(path))).toBe(oid);
    }
    expect(filesIn(join(root, 'lfs'))).toEqual([oid]);
  });

  it('that is not wanted leaves nothing', async () => {
    expect(
      await storeObjectIf(
        objects,
        async (sink) => void (await sink(bytes(400_000))),
        (size) => size < 1000,
      ),
    ).toBeNull();
    expect(filesIn(root)).toEqual([]);
  });

  it('may be stored twice at the same time', async () => {
    const put = () => storeObject(objects, async (sink) => void (await sink(bytes(900_000))));
    const all = await Promise.all([put(), put(), put()]);
    expect(filesIn(join(root, 'lfs'))).toEqual([all[0]?.oid]);
    expect(all.filter(({ mark }) => mark?.before === null)).toHaveLength(1);
  });

  describe('is taken back', () => {
    const put = () => storeObject(objects, async (sink) => void (await sink(bytes(300_000))));

    it('by the one that put it there', async () => {
      const first = await put();
      await takeBackObjects(objects, [first]);
      expect(filesIn(join(root, 'lfs'))).toEqual([]);
      // Another of the same content is not the same object.
      const second = await put();
      await takeBackObjects(objects, [first]);
      expect(filesIn(join(root, 'lfs'))).toEqual([second.oid]);
    });

    it('by the one that stored it several times', async () => {
      const all = await Promise.all([put(), put(), put()]);
      all.push(await put(), await put());
      await takeBackObjects(objects, all.toReversed());
      expect(filesIn(join(root, 'lfs'))).toEqual([]);
    });

    it('not while somebody else has stored it too, before or after', async () => {
      const mine = [await put()];
      const theirs = await put();
      mine.push(await put());
      await takeBackObjects(objects, mine);
      await takeBackObjects(objects, [theirs]);
      expect(filesIn(join(root, 'lfs'))).toEqual([theirs.oid]);
    });

    it('while another stores it, who has it in the end', async () => {
      for (let round = 0; round < 20; round++) {
        const first = await put();
        const [second] = await Promise.all([put(), takeBackObjects(objects, [first])]);
        expect(filesIn(join(root, 'lfs'))).toEqual([second.oid]);
        rmSync(lfsObjectPath(objects, second.oid));
      }
    });
  });
});

describe('a failure leaves no object and no temporary file', () => {
  it('of what is written', async () => {
    const fill = async (sink: (part: Uint8Array) => Promise<void> | void) => {
      await sink(bytes(600_000));
      expect(filesIn(join(root, 'lfs', 'tmp'))).toHaveLength(1);
      throw new Error('the value cannot be read');
    };
    await expect(storeObject(objects, fill)).rejects.toThrow('the value cannot be read');
    expect(filesIn(root)).toEqual([]);
  });

  it('of the folder', async (context) => {
    mkdirSync(join(root, 'lfs', 'tmp'), { recursive: true });
    mkdirSync(objects);
    chmodSync(objects, 0o500);
    if (process.getuid?.() === 0) context.skip('root may write everywhere');
    await expect(storeObject(objects, async (sink) => void (await sink(bytes(10))))).rejects.toMatchObject({ code: 'permission' });
    expect(filesIn(root)).toEqual([]);
  });

  it('of the place, which is a file', async () => {
    const { oid } = await storeObject(null, async (sink) => void (await sink(bytes(10))));
    mkdirSync(objects, { recursive: true });
    writeFileSync(join(objects, oid.slice(0, 2)), 'in the way');
    await expect(storeObject(objects, async (sink) => void (await sink(bytes(10))))).rejects.toMatchObject({ place: { file: lfsObjectPath(objects, oid) } });
    expect(filesIn(root)).toEqual([oid.slice(0, 2)]);
  });
});

function system(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

describe('on a disk of its own', () => {
  let disk: string;
  let mounted = false;

  afterEach(() => {
    if (mounted) system('umount', disk);
    mounted = false;
  });

  /** A disk of 1 MiB, where the system lets us have one (Linux, as root); the test is skipped elsewhere. */
  function mountDisk(context: TestContext, options: string): void {
    disk = join(root, 'disk');
    mkdirSync(disk);
    try {
      system('mount', '-t', 'tmpfs', '-o', `size=1024k,${options}`, 'tmpfs', disk);
      mounted = true;
    } catch {
      context.skip('no disk can be mounted here');
    }
  }

  it('that becomes full, nothing stays', async (context) => {
    mountDisk(context, 'rw');
    const folder = join(disk, 'lfs', 'objects');
    const fill = async (sink: (part: Uint8Array) => Promise<void> | void) => {
      for (let i = 0; i < 8; i++) await sink(bytes(300_000));
    };
    await expect(storeObject(folder, fill)).rejects.toMatchObject({ code: 'no-space', message: expect.stringContaining(join(disk, 'lfs')) });
    expect(filesIn(disk)).toEqual([]);
    const stored = await storeObject(folder, async (sink) => void (await sink(bytes(300_000))));
    expect(filesIn(disk)).toEqual([stored.oid]);
  });

  it('that is read-only, it is said', async (context) => {
    mountDisk(context, 'ro');
    const refused = storeObject(join(disk, 'lfs', 'objects'), async (sink) => void (await sink(bytes(10))));
    await expect(refused).rejects.toMatchObject({ code: 'permission', message: expect.stringContaining(disk) });
  });
});
