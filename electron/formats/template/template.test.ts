import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tensorBytes } from '../../../shared/model/shape';
import { memorySource } from '../../bytes/memorySource';
import { readZip } from '../../encodings/zip/readZip';
import { readZipEntry } from '../../encodings/zip/readZipEntry';
import type { FileGroup, FileLayout } from '../format';
import { openCheckpointFile } from '../openCheckpointFile';
import { materialise } from '../testing/materialise';
import { groupBytes } from '../testing/readBack';
import { deriveTemplate } from './deriveTemplate';
import { equalTemplates } from './equalTemplates';
import type { FileTemplate } from './fileTemplate';
import { layoutFromTemplate } from './layoutFromTemplate';
import { packTemplate } from './packTemplate';
import { FIXTURE_FILES, type OpenedFixture, openFixture, templateOf } from './testing/fixtureTemplate';
import { unpackTemplate } from './unpackTemplate';
import { verifyTemplate } from './verifyTemplate';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function layoutOf(template: FileTemplate, groups: readonly FileGroup[]): FileLayout {
  const layout = layoutFromTemplate(template, groups);
  if (layout === null) throw new Error('The groups do not fit.');
  return layout;
}

const contentsOf = ({ groups }: OpenedFixture) => Promise.all(groups.map(groupBytes));
const placesOf = ({ groups }: FileTemplate) => Object.fromEntries(groups.map(({ keys, place }) => [keys.join('/'), place.kind]));
const computedOf = ({ segments }: FileTemplate, kind: string) => segments.filter((segment) => segment.kind === kind).length;

describe('a file comes back byte for byte', () => {
  it.each(FIXTURE_FILES)('%s', async (name) => {
    const fixture = await openFixture(name);
    const kept = await packTemplate(await templateOf(fixture));
    const template = unpackTemplate(JSON.parse(JSON.stringify(kept?.packed)));
    const layout = layoutOf(template, fixture.groups);
    const contents = await contentsOf(fixture);
    expect(sha256(materialise(layout, contents))).toBe(sha256(fixture.bytes));
    expect(layout.misfits?.(contents.map(sha256))).toEqual([]);
    expect(await verifyTemplate(template, { source: memorySource(fixture.bytes), checkpoint: fixture.checkpoint })).toBeNull();
    expect(await packTemplate(await templateOf(fixture))).toEqual(kept);
  });

  it('with the groups in any order', async () => {
    const fixture = await openFixture('checkpoints/pytorch/training.ckpt');
    const groups = [...fixture.groups].reverse();
    const file = materialise(layoutOf(await templateOf(fixture), groups), await Promise.all(groups.map(groupBytes)));
    expect(file.equals(fixture.bytes)).toBe(true);
  });

  it('from memory, and out of the middle of another file', async () => {
    const { bytes } = await openFixture('checkpoints/pytorch/plain.pt');
    const outer = Buffer.concat([Buffer.alloc(1000, 1), bytes, Buffer.alloc(77, 2)]);
    const folder = mkdtempSync(join(tmpdir(), 'theta-template-'));
    try {
      const path = join(folder, 'outer');
      writeFileSync(path, outer);
      const inner = { kind: 'file', path, range: { offset: 1000, length: bytes.byteLength } } as const;
      for (const ref of [{ kind: 'memory', bytes } as const, inner]) {
        const checkpoint = await openCheckpointFile(ref, 'inner');
        const template = await deriveTemplate(memorySource(bytes), checkpoint, { file: 'inner', ref });
        expect(placesOf(template ?? expect.fail())).toEqual({ a: 'segment', b: 'segment' });
        expect(await verifyTemplate(template ?? expect.fail(), { source: memorySource(bytes), checkpoint })).toBeNull();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('where groups stand', () => {
  it.each([
    ['checkpoints/pytorch/tied.pt', ['same', 'segment']],
    ['checkpoints/pytorch/views.pt', ['fixed', 'segment']],
    ['checkpoints/pytorch/shapes.pt', ['empty', 'fixed', 'segment']],
    ['checkpoints/pytorch/numpy_inside.pt', ['fixed', 'segment']],
    ['npz/arrays.npz', ['empty', 'fixed', 'segment']],
    ['onnx/typed.onnx', ['empty', 'fixed', 'segment']],
    ['digits/checkpoints/01_init.pt', ['segment']],
  ])('%s', async (name, kinds) => {
    expect([...new Set(Object.values(placesOf(await templateOf(await openFixture(name)))))].sort()).toEqual(kinds);
  });

  it('gives overlapping views to the whole', async () => {
    expect(placesOf(await templateOf(await openFixture('checkpoints/pytorch/views.pt')))).toMatchObject({ whole: 'segment', row: 'fixed', column: 'fixed' });
  });

  it('leaves what is compressed inside a zip as it is', async () => {
    const { segments, groups } = await templateOf(await openFixture('npz/compressed.npz'));
    expect([segments.length, groups.length]).toEqual([1, 0]);
  });

  it('says which groups have other values than the file would hold', async () => {
    const fixture = await openFixture('checkpoints/pytorch/views.pt');
    const layout = layoutOf(await templateOf(fixture), fixture.groups);
    const digests = (await contentsOf(fixture)).map(sha256);
    const row = fixture.groups.findIndex(({ keys }) => keys[0] === 'row');
    digests[row] = sha256(Buffer.from('another'));
    expect(layout.tensors[row]).toBeNull();
    expect(layout.misfits?.(digests)).toEqual([row]);
    const tied = await openFixture('checkpoints/pytorch/tied.pt');
    const two = layoutOf(await templateOf(tied), tied.groups);
    expect(two.misfits?.(['a', 'a'])).toEqual([]);
    expect(two.misfits?.(['a', 'b'])).toHaveLength(1);
  });

  it('fits no other groups', async () => {
    const { groups, ...fixture } = await openFixture('digits/checkpoints/01_init.pt');
    const template = await templateOf({ groups, ...fixture });
    const [first, ...rest] = groups;
    const given = first ?? expect.fail();
    expect(layoutFromTemplate(template, rest)).toBeNull();
    expect(layoutFromTemplate(template, [...groups, { ...given, keys: ['more'] }])).toBeNull();
    expect(layoutFromTemplate(template, [{ ...given, keys: ['other'] }, ...rest])).toBeNull();
    expect(layoutFromTemplate(template, [{ ...given, dtype: 'int32' }, ...rest])).toBeNull();
    expect(layoutFromTemplate(template, [{ ...given, shape: [...given.shape].reverse() }, ...rest])).toBeNull();
    expect(layoutFromTemplate(template, [given, ...groups.slice(2), given])).toBeNull();
  });
});

describe('with other values', () => {
  const zips = FIXTURE_FILES.filter((name) => /\.(pt|ckpt|npz)$/.test(name) && !/legacy|compressed/.test(name));
  const python = (() => {
    try {
      execFileSync('python3', ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();

  async function changed(name: string): Promise<{ template: FileTemplate; file: Buffer; contents: readonly Buffer[] }> {
    const fixture = await openFixture(name);
    const template = await templateOf(fixture);
    const contents = fixture.groups.map(({ dtype, shape }) => randomBytes(tensorBytes(dtype, shape)));
    return { template, file: materialise(layoutOf(template, fixture.groups), contents), contents };
  }

  it.each(zips)('%s is a sound zip with these values', async (name) => {
    const { template, file, contents } = await changed(name);
    const source = memorySource(file);
    for (const entry of await readZip(source, { file: name })) await readZipEntry(source, entry, { file: name, maxBytes: file.byteLength });
    const ref = { kind: 'memory', bytes: file } as const;
    const checkpoint = await openCheckpointFile(ref, name);
    const again = await deriveTemplate(source, checkpoint, { file: name, ref });
    expect(computedOf(again ?? expect.fail(), 'checksum')).toBe(computedOf(template, 'checksum'));
    for (const [index, group] of template.groups.entries()) {
      if (group.place.kind !== 'segment') continue;
      const found = checkpoint.groups.find(({ keys }) => JSON.stringify(keys) === JSON.stringify(group.keys)) ?? expect.fail();
      expect((await groupBytes(found)).equals(contents[index] ?? expect.fail())).toBe(true);
    }
  });

  it.skipIf(!python)("Python's zipfile finds every checksum right", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'theta-template-'));
    try {
      const names = ['digits/checkpoints/02_digits.pt', 'checkpoints/pytorch/tied.pt', 'checkpoints/pytorch/training.ckpt', 'npz/arrays.npz'];
      const paths = await Promise.all(
        names.map(async (name, index) => {
          const path = join(folder, `${index}.zip`);
          writeFileSync(path, (await changed(name)).file);
          return path;
        }),
      );
      const script = 'import sys, zipfile\nfor p in sys.argv[1:]: print(len(zipfile.ZipFile(p).namelist()) > 2 and zipfile.ZipFile(p).testzip())';
      expect(
        execFileSync('python3', ['-c', script, ...paths], { encoding: 'utf8' })
          .trim()
          .split('\n'),
      ).toEqual(names.map(() => 'None'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // PyTorch wrote both files; they differ in their values, and in the name of the folder inside, which has the same length.
  it.each(['03_head', '04_fish', '05_lora'])('01_init.pt with the values of %s.pt is that file, as PyTorch wrote it', async (other) => {
    const template = await templateOf(await openFixture('digits/checkpoints/01_init.pt'));
    const literals = Buffer.from(Buffer.from(template.literals).toString('latin1').replaceAll('01_init/', `${other}/`), 'latin1');
    const target = await openFixture(`digits/checkpoints/${other}.pt`);
    const file = materialise(layoutOf({ ...template, literals }, target.groups), await contentsOf(target));
    expect(sha256(file)).toBe(sha256(target.bytes));
    expect(computedOf(template, 'content-id')).toBe(1);
  });
});

describe('a zip that says something else than its data', () => {
  async function damaged(edit: (bytes: Buffer) => void): Promise<{ before: FileTemplate; after: FileTemplate; verified: string | null }> {
    const fixture = await openFixture('digits/checkpoints/01_init.pt');
    const before = await templateOf(fixture);
    const bytes = Buffer.from(fixture.bytes);
    edit(bytes);
    const ref = { kind: 'memory', bytes } as const;
    const checkpoint = await openCheckpointFile(ref, 'edited');
    const after = (await deriveTemplate(memorySource(bytes), checkpoint, { file: 'edited', ref })) ?? expect.fail();
    return { before, after, verified: await verifyTemplate(after, { source: memorySource(bytes), checkpoint }) };
  }

  it('keeps a wrong checksum', async () => {
    const { before, after, verified } = await damaged((bytes) => {
      // The checksum of the first storage, in the directory.
      const record = bytes.indexOf('01_init/data/0', bytes.indexOf('PK\x01\x02', 'latin1')) - 46;
      bytes.writeUInt32LE(12345, record + 16);
    });
    expect(verified).toBeNull();
    expect(computedOf(after, 'checksum')).toBeLessThan(computedOf(before, 'checksum'));
    expect(computedOf(after, 'content-id')).toBe(0);
  });

  it('keeps an id that is not that of the values', async () => {
    const { after, verified, before } = await damaged((bytes) => {
      const digit = bytes.indexOf('0499730627151940687') + 30;
      bytes[digit] = bytes[digit] === 0x30 ? 0x31 : 0x30;
    });
    expect(verified).toBeNull();
    expect(computedOf(after, 'content-id')).toBe(0);
    // Only the entry with the id had its checksums computed for the id's sake.
    expect(computedOf(before, 'checksum') - computedOf(after, 'checksum')).toBe(2);
  });
});

describe('limits', () => {
  it('gives no template of a file that is mostly something else', async () => {
    const header = Buffer.from(JSON.stringify({ a: { dtype: 'U8', shape: [1], data_offsets: [0, 1] } }));
    const bytes = Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(header.byteLength)).buffer), header, Buffer.alloc(1)]);
    const ref = { kind: 'memory', bytes } as const;
    const checkpoint = await openCheckpointFile(ref, 'small');
    const large = { ...memorySource(bytes), length: 65 * 2 ** 20 };
    expect(await deriveTemplate(large, checkpoint, { file: 'large', ref })).toBeNull();
  });

  it('keeps no template that takes more than an object may carry', async () => {
    const template = await templateOf(await openFixture('digits/checkpoints/01_init.pt'));
    expect(await packTemplate(template, 1000)).toBeNull();
    expect(await packTemplate(template, 4000)).toMatchObject({ bytes: 61229 });
  });

  it('stops when it is cancelled', async () => {
    const { bytes, checkpoint } = await openFixture('digits/checkpoints/01_init.pt');
    const cancelled = deriveTemplate(memorySource(bytes), checkpoint, { file: 'x', signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('verification names what differs', async () => {
    const fixture = await openFixture('digits/checkpoints/01_init.pt');
    const template = await templateOf(fixture);
    const bytes = Buffer.from(fixture.bytes);
    bytes[bytes.byteLength - 3] = (bytes.at(-3) ?? 0) ^ 1;
    const source = memorySource(bytes);
    expect(await verifyTemplate(template, { source, checkpoint: fixture.checkpoint })).toMatch(/differs/);
    const longer = memorySource(Buffer.concat([fixture.bytes, Buffer.alloc(1)]));
    expect(await verifyTemplate(template, { source: longer, checkpoint: fixture.checkpoint })).toMatch(/61229 bytes/);
  });

  it('templates of equal files are equal', async () => {
    const one = await templateOf(await openFixture('digits/checkpoints/01_init.pt'));
    expect(equalTemplates(one, await templateOf(await openFixture('digits/checkpoints/01_init.pt')))).toBe(true);
    expect(equalTemplates(one, await templateOf(await openFixture('digits/checkpoints/03_head.pt')))).toBe(false);
  });
});
