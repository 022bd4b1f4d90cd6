import { createHash } from 'node:crypto';
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import proto from 'onnx-proto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type TestRepository } from '../../git/testing/testRepository';
import { openRef } from '../../tensors/openRef';
import { createBlobFiles } from '../blobFiles';
import { openOne } from '../repositories/repositoryCache';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openFile } from './openFile';
import { openVersion } from './openVersion';

const { ModelProto, TensorProto } = proto.onnx;

/** A model whose tensors lie in files as named. */
function model(tensors: Readonly<Record<string, Readonly<Record<string, string>>>>): Uint8Array {
  const initializer = Object.entries(tensors).map(([name, entries]) => ({
    name,
    dataType: TensorProto.DataType.FLOAT,
    dims: [2],
    dataLocation: TensorProto.DataLocation.EXTERNAL,
    externalData: Object.entries(entries).map(([key, value]) => ({ key, value })),
  }));
  return ModelProto.encode(ModelProto.create({ irVersion: 9, graph: { name: 'g', initializer } })).finish();
}

const DATA = Buffer.from(Float32Array.of(1, 2, 3, 4).buffer);

async function readValue(opened: OpenedCheckpoint, name: string): Promise<readonly number[]> {
  const plan = opened.groups.get(name)?.plan;
  if (plan === undefined || !('kind' in plan) || plan.kind !== 'ref') throw new Error(`${name} has no value: ${JSON.stringify(plan)}`);
  const stream = await openRef(plan.ref, name);
  try {
    const blocks: Buffer[] = [];
    for await (const block of stream.blocks()) blocks.push(Buffer.from(block));
    const bytes = Buffer.concat(blocks);
    return Array.from({ length: bytes.byteLength / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  } finally {
    await stream.close();
  }
}

const errorOf = (opened: OpenedCheckpoint, name: string) => opened.groups.get(name)?.group.error ?? null;

describe('on disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'theta-siblings-')));
    await mkdir(join(folder, 'model/sub'), { recursive: true });
    await writeFile(join(folder, 'model/w.bin'), DATA);
    await writeFile(join(folder, 'model/sub/w.bin'), DATA);
    await writeFile(join(folder, 'secret.bin'), DATA);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = async (tensors: Parameters<typeof model>[0], name = 'model/m.onnx') => {
    const path = join(folder, name);
    const bytes = model(tensors);
    await writeFile(path, bytes);
    return openFile({ version: { commit: null, path }, storage: 'file', original: { path, bytes: bytes.byteLength, expected: null }, name: path });
  };

  it('values are read where offset and length say', async () => {
    const opened = await open({
      begin: { location: 'w.bin', length: '8' },
      middle: { location: 'w.bin', offset: '4', length: '8', checksum: 'ffff', basepath: '/etc' },
      rest: { location: './w.bin', offset: '8' },
      below: { location: 'sub/w.bin', offset: '8', length: '8' },
    });
    expect(await readValue(opened, 'begin')).toEqual([1, 2]);
    expect(await readValue(opened, 'middle')).toEqual([2, 3]);
    expect(await readValue(opened, 'rest')).toEqual([3, 4]);
    expect(await readValue(opened, 'below')).toEqual([3, 4]);
  });

  it('each wrong range is the error of its tensor, with file and sizes, and the others show', async () => {
    const opened = await open({
      ok: { location: 'w.bin', offset: '0', length: '8' },
      behind: { location: 'w.bin', offset: '12', length: '8' },
      far: { location: 'w.bin', offset: '99' },
      short: { location: 'w.bin', offset: '0', length: '4' },
      long: { location: 'w.bin', offset: '0', length: '16' },
      all: { location: 'w.bin' },
      negative: { location: 'w.bin', offset: '-4', length: '8' },
      huge: { location: 'w.bin', offset: '99999999999999999999', length: '8' },
      missing: { location: 'nope.bin', length: '8' },
      nameless: { offset: '0', length: '8' },
    });
    const told = (name: string) => `${errorOf(opened, name)?.code}: ${errorOf(opened, name)?.message}`;
    expect(errorOf(opened, 'ok')).toBeNull();
    expect(told('behind')).toBe('truncated: The tensor\'s values should be the bytes 12 to 20 of "w.bin", but that file has 16.');
    expect(told('far')).toBe('truncated: The tensor\'s values should be the bytes from 99 on of "w.bin", but that file has 16.');
    expect(told('short')).toBe('malformed: The tensor has 4 bytes in "w.bin", but its type and shape need 8.');
    expect(told('long')).toBe('malformed: The tensor has 16 bytes in "w.bin", but its type and shape need 8.');
    expect(told('all')).toBe('malformed: The file "w.bin" has 16 bytes behind byte 0, where the tensor\'s values begin, but its type and shape need 8.');
    expect(told('negative')).toBe('malformed: The tensor\'s values lie in "w.bin", but at the impossible offset "-4".');
    expect(told('huge')).toMatch(/^malformed: .*impossible offset/);
    expect(told('missing')).toMatch(/^not-found: .*"nope\.bin", which is not in the folder of the model/);
    expect(told('nameless')).toMatch(/^malformed: .*does not say in which file/);
    for (const name of ['behind', 'missing']) expect(errorOf(opened, name)?.place).toMatchObject({ group: name, file: expect.stringContaining('m.onnx') });
  });

  it('nothing outside of the folder is opened', async () => {
    await symlink('../secret.bin', join(folder, 'model/link.bin'));
    await symlink('..', join(folder, 'model/up'));
    await symlink('sub/w.bin', join(folder, 'model/inside.bin'));
    await link(join(folder, 'secret.bin'), join(folder, 'model/hard.bin'));
    const entries = { length: '8' };
    const opened = await open({
      above: { location: '../secret.bin', ...entries },
      around: { location: 'sub/../../secret.bin', ...entries },
      absolute: { location: join(folder, 'secret.bin'), ...entries },
      drive: { location: 'C:\\secret.bin', ...entries },
      windows: { location: '..\\secret.bin', ...entries },
      link: { location: 'link.bin', ...entries },
      folder: { location: 'up/secret.bin', ...entries },
      hard: { location: 'hard.bin', ...entries },
      nothing: { location: 'sub', ...entries },
      zero: { location: 'w.bin\0', ...entries },
      inside: { location: 'inside.bin', ...entries },
    });
    for (const name of ['above', 'around', 'absolute', 'drive', 'windows', 'link', 'folder', 'hard', 'nothing', 'zero'])
      expect(errorOf(opened, name), name).toMatchObject({ code: 'invalid-request', place: { group: name } });
    expect(errorOf(opened, 'link')?.message).toContain('leads out of the folder');
    expect(errorOf(opened, 'hard')?.message).toContain('hard link');
    expect(await readValue(opened, 'inside')).toEqual([1, 2]);
  });

  it('a link of a Hugging Face snapshot may name blobs of its own repository only', async () => {
    const repo = join(folder, 'models--org--name');
    await mkdir(join(repo, 'snapshots/abc'), { recursive: true });
    await mkdir(join(repo, 'blobs'));
    await mkdir(join(folder, 'models--other/blobs'), { recursive: true });
    await writeFile(join(repo, 'blobs/data'), DATA);
    await writeFile(join(folder, 'models--other/blobs/data'), DATA);
    await symlink('../../blobs/data', join(repo, 'snapshots/abc/m.onnx_data'));
    await symlink('../../../models--other/blobs/data', join(repo, 'snapshots/abc/other'));
    await symlink('../../blobs/model', join(repo, 'snapshots/abc/m.onnx'));
    const opened = await open(
      { own: { location: 'm.onnx_data', length: '8' }, other: { location: 'other', length: '8' } },
      'models--org--name/snapshots/abc/m.onnx',
    );
    expect(await readValue(opened, 'own')).toEqual([1, 2]);
    expect(errorOf(opened, 'other')).toMatchObject({ code: 'invalid-request' });
    // A model that is no link has no blobs.
    await rm(join(repo, 'snapshots/abc/m.onnx'));
    const plain = await open({ own: { location: 'm.onnx_data', length: '8' } }, 'models--org--name/snapshots/abc/m.onnx');
    expect(errorOf(plain, 'own')).toMatchObject({ code: 'invalid-request' });
  });
});

describe('in a commit', () => {
  let test: TestRepository;
  beforeEach(async () => {
    test = await makeRepository();
  });
  afterEach(() => test.dispose());

  const openAt = async (path: string) => {
    const repository = await openOne(test.path);
    try {
      return await openVersion({ repository, commit: await test.hash('HEAD'), path, blobFiles: createBlobFiles(join(test.path, '.git/blob-files')) });
    } finally {
      repository.dispose();
    }
  };

  it('plain blobs and LFS objects of the same commit are found', async () => {
    const oid = createHash('sha256').update(DATA).digest('hex');
    const object = join(test.path, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4));
    await mkdir(object, { recursive: true });
    await writeFile(join(object, oid), DATA);
    await test.commit('models', {
      'a/m.onnx': model({
        plain: { location: 'plain.bin', offset: '8', length: '8' },
        lfs: { location: 'sub/lfs.bin', length: '8' },
        gone: { location: 'gone.bin', length: '8' },
        above: { location: '../top.bin', length: '8' },
        missing: { location: 'none.bin', length: '8' },
        theta: { location: 'kept.safetensors', length: '8' },
      }),
      'a/plain.bin': DATA,
      'a/sub/lfs.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 16\n`,
      'a/gone.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 16\n`,
      'a/kept.safetensors': '{\n    "w": {\n        "lfs_metadata": {\n            "version": "x"\n        }\n    }\n}',
      'top.bin': DATA,
    });
    const opened = await openAt('a/m.onnx');
    expect(await readValue(opened, 'plain')).toEqual([3, 4]);
    expect(await readValue(opened, 'lfs')).toEqual([1, 2]);
    expect(opened.groups.get('lfs')?.original?.expected).toEqual({ kind: 'sha256', digest: oid });
    expect(opened.groups.get('plain')?.original?.expected?.kind).toBe('git-sha1');
    expect(errorOf(opened, 'gone')).toMatchObject({ code: 'missing-object' });
    expect(errorOf(opened, 'above')).toMatchObject({ code: 'invalid-request' });
    expect(errorOf(opened, 'missing')).toMatchObject({ code: 'not-found', message: expect.stringContaining('a/none.bin') });
    expect(errorOf(opened, 'theta')).toMatchObject({ code: 'unsupported-format', message: expect.stringContaining('parameter groups') });
  });

  it('symbolic links are not followed', async () => {
    await test.write('m.onnx', model({ w: { location: 'w.bin', length: '8' } }));
    await symlink('/etc/hostname', join(test.path, 'w.bin'));
    await test.git(['add', '-A']);
    await test.git(['commit', '-q', '-m', 'link'], { env: test.nextDate() });
    expect(errorOf(await openAt('m.onnx'), 'w')).toMatchObject({ code: 'invalid-request', message: expect.stringContaining('symlink') });
  });
});
