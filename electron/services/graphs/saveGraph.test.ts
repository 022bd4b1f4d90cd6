import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MountedDisk } from '../../../e2e/fixtures/mountedDisk';
import { fileIdentity } from '../../bytes/fileIdentity';
import { createInProcessPool } from '../../workers/createInProcessPool';
import type { WorkerPool } from '../../workers/workerPool';
import { openFile } from '../checkpoints/openFile';
import { createGraphs, type GraphRun, type Graphs } from './graphs';

const DIGITS = join(import.meta.dirname, '../../../e2e/fixtures/digits/checkpoints/02_digits.onnx');

let folder: string;
let graphs: Graphs;
let pool: WorkerPool;
/** What is done before a task of the graph's worker, once. */
let beforeTask: (() => void) | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-graphs-'));
  pool = createInProcessPool();
  const graphPool: WorkerPool = {
    ...pool,
    run: (task, input, options) => {
      beforeTask?.();
      return pool.run(task, input, options);
    },
  };
  const opener: Parameters<typeof createGraphs>[0]['opener'] = {
    ...({} as Parameters<typeof createGraphs>[0]['opener']),
    async open({ path }) {
      const { identity, bytes } = await fileIdentity(path);
      const opened = await openFile({ version: { commit: null, path }, storage: 'file', original: { path, bytes, expected: null }, name: path });
      return { opened, repository: null, identity };
    },
  };
  graphs = createGraphs({ graphPool, pool, opener, folder: join(folder, 'scratch') });
});
afterEach(async () => {
  beforeTask = null;
  await graphs.dispose();
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

const run: GraphRun = { signal: new AbortController().signal, onProgress: () => {} };
const rename = (to: string, name = 'fc1.weight') => ({ kind: 'rename' as const, renames: [{ graph: '', name, to }] });
const externalise = { kind: 'externalise' as const, file: 'w.bin', atLeast: 1000 };
const at = (...parts: readonly string[]) => join(folder, ...parts);
const namesIn = async (path: string) => (await readdir(path)).filter((name) => name !== 'scratch').sort();

async function opened(name = 'model.onnx') {
  await cp(DIGITS, at(name), { force: false });
  const { graph } = await graphs.open({ kind: 'file', path: at(name) }, run);
  return graph;
}

async function initializersOf(path: string): Promise<(string | null | undefined)[]> {
  return (onnx.ModelProto.decode(await readFile(path)).graph?.initializer ?? []).map(({ name }) => name);
}

/** A model whose values lie at a location that it names. */
async function modelWithValuesAt(path: string, location: string): Promise<void> {
  const initializer = [{ name: 'w', dims: [2], dataType: 1, dataLocation: 1, externalData: [{ key: 'location', value: location }] }];
  const attribute = [{ name: 'value', type: 4, t: { dims: [2], dataType: 1, dataLocation: 1, externalData: [{ key: 'location', value: 'constant.bin' }] } }];
  const graph = {
    name: 'g',
    node: [
      { opType: 'Constant', output: ['c'], attribute },
      { opType: 'Add', input: ['w', 'c'], output: ['y'] },
    ],
    output: [{ name: 'y' }],
    initializer,
  };
  await writeFile(path, onnx.ModelProto.encode(onnx.ModelProto.create({ irVersion: 8, opsetImport: [{ domain: '', version: 13 }], graph })).finish());
}

describe('a model that cannot be written', () => {
  it('leaves no external data behind, and nothing half', async () => {
    const graph = await opened();
    await graphs.apply({ graph, revision: 0, edit: externalise }, run);
    await mkdir(at('out'));
    await writeFile(at('out', 'taken.onnx'), 'other');
    await expect(graphs.save({ graph, path: at('out', 'taken.onnx'), overwrite: false }, run)).rejects.toMatchObject({ code: 'exists' });
    const controller = new AbortController();
    const signal = controller.signal;
    const onProgress: GraphRun['onProgress'] = ({ phase }) => {
      if (phase.includes('cut.onnx')) controller.abort();
    };
    await expect(graphs.save({ graph, path: at('out', 'cut.onnx'), overwrite: false }, { signal, onProgress })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await namesIn(at('out'))).toEqual(['taken.onnx']);
    expect(await readFile(at('out', 'taken.onnx'), 'utf8')).toBe('other');
  });

  it('on a full disk', async (context) => {
    const graph = await opened();
    const disk = MountedDisk.mount(at('disk'), 200);
    if (disk === null) return context.skip('no disk can be mounted here');
    try {
      await graphs.apply({ graph, revision: 0, edit: externalise }, run);
      disk.leave(40);
      const before = await namesIn(disk.folder);
      await expect(graphs.save({ graph, path: join(disk.folder, 'm.onnx'), overwrite: false }, run)).rejects.toMatchObject({ code: 'no-space' });
      expect(await namesIn(disk.folder)).toEqual(before);
      disk.makeSpace();
      disk.setReadOnly(true);
      await expect(graphs.save({ graph, path: join(disk.folder, 'm.onnx'), overwrite: false }, run)).rejects.toMatchObject({ name: 'CheckpointError' });
      disk.setReadOnly(false);
      await graphs.save({ graph, path: join(disk.folder, 'm.onnx'), overwrite: false }, run);
      expect(await namesIn(disk.folder)).toEqual(['m.onnx', 'w.bin']);
    } finally {
      disk.unmount();
    }
  });

  it.each(['truncated', 'longer', 'replaced'])('its file was %s after it was opened', async (what) => {
    const graph = await opened();
    await graphs.apply({ graph, revision: 0, edit: rename('first') }, run);
    const { size } = await stat(at('model.onnx'));
    if (what === 'truncated') await truncate(at('model.onnx'), size - 10);
    else if (what === 'longer') await appendFile(at('model.onnx'), 'x');
    else await writeFile(at('model.onnx'), new Uint8Array(size));
    await expect(graphs.save({ graph, path: at('out.onnx'), overwrite: false }, run)).rejects.toMatchObject({
      code: 'conflict',
      place: { file: at('model.onnx') },
    });
    await expect(graphs.review(graph, rename('second', 'first'), run)).rejects.toMatchObject({ code: 'conflict' });
    expect(await namesIn(folder)).toEqual(['model.onnx']);
  });

  it('its file is written while it is saved', async () => {
    const graph = await opened();
    await graphs.apply({ graph, revision: 0, edit: externalise }, run);
    let written: Promise<void> | null = null;
    const onProgress: GraphRun['onProgress'] = ({ phase }) => {
      if (phase.includes('out.onnx')) written ??= appendFile(at('model.onnx'), 'x');
    };
    await expect(graphs.save({ graph, path: at('out.onnx'), overwrite: false }, { ...run, onProgress })).rejects.toMatchObject({ code: 'conflict' });
    await written;
    expect(await namesIn(folder)).toEqual(['model.onnx']);
  });
});

describe('where a model is saved', () => {
  it('over itself, and through a link; then it must be opened again', async () => {
    await cp(DIGITS, at('model.onnx'));
    await chmod(at('model.onnx'), 0o640);
    const graph = await opened();
    await symlink(at('model.onnx'), at('link.onnx'));
    await graphs.apply({ graph, revision: 0, edit: rename('first') }, run);
    await graphs.save({ graph, path: at('link.onnx'), overwrite: true }, run);
    expect(await initializersOf(at('model.onnx'))).toContain('first');
    expect((await stat(at('model.onnx'))).mode & 0o777).toBe(0o640);
    await expect(graphs.review(graph, rename('second', 'first'), run)).rejects.toMatchObject({ code: 'conflict' });
    await expect(graphs.save({ graph, path: at('other.onnx'), overwrite: false }, run)).rejects.toMatchObject({ code: 'conflict' });
    const again = await graphs.open({ kind: 'file', path: at('model.onnx') }, run);
    await graphs.apply({ graph: again.graph, revision: 0, edit: rename('fc1.weight', 'first') }, run);
    await graphs.save({ graph: again.graph, path: at('model.onnx'), overwrite: true }, run);
    expect(await readFile(at('model.onnx'))).toEqual(await readFile(DIGITS));
  });

  it('twice at once: one is there, whole', async () => {
    const graph = await opened();
    await graphs.apply({ graph, revision: 0, edit: rename('first') }, run);
    const results = await Promise.allSettled([1, 2].map(() => graphs.save({ graph, path: at('out.onnx'), overwrite: false }, run)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await initializersOf(at('out.onnx'))).toContain('first');
    expect(await namesIn(folder)).toEqual(['model.onnx', 'out.onnx']);
  });

  it('again beside the same external data, but never over other', async () => {
    const graph = await opened();
    await graphs.apply({ graph, revision: 0, edit: externalise }, run);
    expect((await graphs.save({ graph, path: at('out.onnx'), overwrite: false }, run)).files).toEqual([at('w.bin')]);
    await graphs.apply({ graph, revision: 1, edit: rename('first') }, run);
    expect((await graphs.save({ graph, path: at('out.onnx'), overwrite: true }, run)).files).toEqual([]);
    const data = await readFile(at('w.bin'));
    data[5] = (data[5] ?? 0) ^ 1;
    await writeFile(at('w.bin'), data);
    await expect(graphs.save({ graph, path: at('out.onnx'), overwrite: true }, run)).rejects.toMatchObject({ code: 'conflict', place: { file: at('w.bin') } });
    expect(await readFile(at('w.bin'))).toEqual(data);
  });

  it('with the files that its initializers and constants are in, below its folder too', async () => {
    await mkdir(at('from', 'sub'), { recursive: true });
    await mkdir(at('to'));
    await writeFile(at('from', 'sub', 'w.bin'), '12345678');
    await writeFile(at('from', 'constant.bin'), '87654321');
    await modelWithValuesAt(at('from', 'm.onnx'), 'sub/w.bin');
    const { graph } = await graphs.open({ kind: 'file', path: at('from', 'm.onnx') }, run);
    await graphs.save({ graph, path: at('to', 'm.onnx'), overwrite: false }, run);
    expect(await readFile(at('to', 'sub', 'w.bin'), 'utf8')).toBe('12345678');
    expect(await readFile(at('to', 'constant.bin'), 'utf8')).toBe('87654321');
    // The same folder by another name: nothing is copied over itself.
    await symlink(at('from'), at('alias'));
    expect((await graphs.save({ graph, path: at('alias', 'n.onnx'), overwrite: false }, run)).files).toEqual([]);
    await mkdir(at('third'));
    await writeFile(at('third', 'constant.bin'), 'another');
    await expect(graphs.save({ graph, path: at('third', 'm.onnx'), overwrite: false }, run)).rejects.toMatchObject({ code: 'conflict' });
    expect(await namesIn(at('third'))).toEqual(['constant.bin']);
  });

  it.each(['../secret', '/etc/hostname', 'sub/../../secret', 'link'])('without files that it names outside its folder: %s', async (location) => {
    await mkdir(at('from', 'sub'), { recursive: true });
    await mkdir(at('to', 'inner'), { recursive: true });
    await writeFile(at('secret'), '12345678');
    await symlink(at('secret'), at('from', 'link'));
    await writeFile(at('from', 'constant.bin'), '87654321');
    await modelWithValuesAt(at('from', 'm.onnx'), location);
    const { graph } = await graphs.open({ kind: 'file', path: at('from', 'm.onnx') }, run);
    await expect(graphs.save({ graph, path: at('to', 'inner', 'm.onnx'), overwrite: false }, run)).rejects.toMatchObject({ code: 'invalid-request' });
    expect(await namesIn(at('to', 'inner'))).toEqual([]);
    expect(await namesIn(at('to'))).toEqual(['inner']);
  });
});

describe('an edit that fails after it was planned', () => {
  it('is given up: the graph is as before, and edits go on from there', async () => {
    const graph = await opened();
    const controller = new AbortController();
    let tasks = 0;
    beforeTask = () => {
      if (++tasks === 2) controller.abort();
    };
    const cancelled = { ...run, signal: controller.signal };
    await expect(graphs.apply({ graph, revision: 0, edit: rename('lost') }, cancelled)).rejects.toMatchObject({ code: 'cancelled' });
    beforeTask = null;
    const state = await graphs.apply({ graph, revision: 0, edit: rename('kept') }, run);
    expect(state).toMatchObject({ revision: 1, undone: [] });
    expect(state.view.initializers.map(({ name }) => name)).toContain('kept');
    await expect(graphs.move(graph, -1, { ...run, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect((await graphs.move(graph, -1, run)).view.initializers.map(({ name }) => name)).toContain('fc1.weight');
    await expect(graphs.move(graph, -1, run)).rejects.toMatchObject({ code: 'invalid-request' });
    const other = await graphs.apply({ graph, revision: 2, edit: rename('other') }, run);
    expect(other.view.initializers.map(({ name }) => name)).toContain('other');
    await expect(graphs.move(graph, 1, run)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('leaves nothing in the scratch folder, nor does a review', async () => {
    const graph = await opened();
    const value = { kind: 'side' as const, side: { kind: 'file' as const, path: at('model.onnx') }, group: 'fc1.bias' };
    const edit = { kind: 'set-value' as const, address: { graph: '', name: 'fc1.weight' }, value, allowChange: true };
    await graphs.review(graph, edit, run);
    await expect(graphs.apply({ graph, revision: 0, edit: { ...edit, allowChange: false } }, run)).rejects.toMatchObject({ code: 'conflict' });
    const left = await readdir(at('scratch'), { recursive: true }).catch(() => []);
    expect(left.filter((name) => name.endsWith('.value'))).toEqual([]);
  });
});

it('of ten graphs that nobody closes the first ones are closed', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 10; count++) ids.push(await opened(`m${count}.onnx`));
  await expect(graphs.search({ graph: ids[0] ?? '', text: 'Conv', mode: 'text', limit: 9 }, run)).rejects.toMatchObject({ code: 'not-found' });
  expect((await graphs.search({ graph: ids[9] ?? '', text: 'Conv', mode: 'text', limit: 9 }, run)).nodes.length).toBeGreaterThan(0);
});

it('a reading that was given up is not kept, and others who waited for it read themselves', async () => {
  await cp(DIGITS, at('model.onnx'));
  const { identity } = await fileIdentity(at('model.onnx'));
  const model = { key: 'k', baseKey: 'k', file: 'm', base: { kind: 'file' as const, path: at('model.onnx') }, identity, pieces: null, external: [] };
  const controller = new AbortController();
  const first = pool.run('graphView', { model }, { signal: controller.signal });
  const second = pool.run('graphView', { model }, { signal: run.signal });
  controller.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  expect((await second).nodes.names.length).toBeGreaterThan(5);
});

describe('values of a model that is a file', () => {
  it('are read for what was opened, and refused once the file was written', async () => {
    const graph = await opened();
    const raw = onnx.ModelProto.decode(await readFile(DIGITS)).graph?.initializer?.find(({ name }) => name === 'fc1.weight')?.rawData ?? new Uint8Array();
    const values = new Float32Array(Uint8Array.from(raw).buffer);
    const read = await graphs.inspect(graph, 'fc1.weight', run);
    expect(read).toMatchObject({ dtype: 'float32', shape: [64, 128], chain: [{ updateType: null, commit: null }] });
    expect([read.stats.min, read.stats.max]).toEqual([Math.min(...values), Math.max(...values)]);
    await expect(graphs.inspect(graph, 'no such group', run)).rejects.toMatchObject({ code: 'not-found' });
    await appendFile(at('model.onnx'), ' ');
    await expect(graphs.inspect(graph, 'fc1.weight', run)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('has been written') });
  });
});
