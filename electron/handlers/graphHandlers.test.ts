import { appendFile, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import type { Output } from '../../shared/contract/requests';
import { GRAPH_CHANGES } from '../../shared/model/graphEdit';
import type { Side } from '../../shared/model/side';
import { createTestHost, type TestHost } from './testing/testHost';

const CHECKPOINTS = join(import.meta.dirname, '../../e2e/fixtures/digits/checkpoints');
const NUMBERED = ['onnx::Conv_32', 'onnx::Conv_33', 'onnx::Conv_35', 'onnx::Conv_36'];

let digits: UnpackedRepository;
let host: TestHost;
let repository: Output<'repository/open'>;
beforeAll(async () => {
  digits = await unpackRepository('digits');
  host = await createTestHost();
  repository = await host.call('repository/open', { path: digits.path });
});
afterAll(async () => {
  await host.dispose();
  await digits.dispose();
});

async function versionOf(revision: string, path: string): Promise<Side> {
  const { commit } = await host.call('revision/resolve', { repository: repository.id, text: revision });
  return { kind: 'version', repository: repository.id, commit: commit ?? expect.fail(), path };
}

async function copyOf(name: string): Promise<Extract<Side, { kind: 'file' }>> {
  const path = join(host.folder, name);
  await cp(join(CHECKPOINTS, '02_digits.onnx'), path);
  return { kind: 'file', path };
}

const renames = (to: (name: string) => string) => ({
  kind: 'rename' as const,
  renames: NUMBERED.map((name) => ({ graph: '', name, to: to(name) })),
});

describe('a graph that is opened', () => {
  it('shows the nodes of a version in git and how they are grouped', async () => {
    const { view } = await host.call('graph/open', { side: await versionOf('main', 'model.onnx') });
    const operators = Array.from(view.nodes.operator, (operator) => view.operators[operator]);
    expect(operators).toEqual(['Conv', 'Relu', 'MaxPool', 'Conv', 'Relu', 'MaxPool', 'Flatten', 'Gemm', 'Relu', 'Gemm']);
    expect(view.groups.map(({ path }) => path)).toContain('encoder');
    expect(view.initializers.map(({ name, group }) => [name, group])).toContainEqual(['fc1.weight', 'fc1.weight']);
    // 16 filters of 1 x 3 x 3 over 8 x 8: a product and a sum each, and a bias; for one picture, if the batch were known.
    expect(view.initializers.find(({ name }) => name === 'onnx::Conv_35')).toMatchObject({ type: 'float', shape: [32, 16, 3, 3], bytes: 18_432, uses: 1 });
  });

  it('is laid out, described and searched', async () => {
    const { graph, view } = await host.call('graph/open', { side: await versionOf('main', 'model.onnx') });
    const layout = await host.call('graph/layout', { graph, revision: 0, root: 0, open: [] });
    expect(layout.boxes.x.length).toBeGreaterThan(3);
    const opened = await host.call('graph/layout', { graph, revision: 0, root: 0, open: view.groups.map((_, group) => group).slice(1) });
    const nodes = Array.from(opened.boxes.kind).filter((kind) => kind === 0).length;
    expect(nodes).toBe(view.nodes.names.length);
    const found = await host.call('graph/search', { graph, text: 'Conv -> Relu -> MaxPool', mode: 'path', limit: 100 });
    expect(found.nodes.map(({ node }) => node)).toEqual([0, 1, 2, 3, 4, 5]);
    const detail = await host.call('graph/node', { graph, node: 0 });
    expect(detail.attributes.map(({ name, text }) => [name, text])).toContainEqual(['kernel_shape', '[3, 3]']);
    expect(detail.documentation?.summary).toMatch(/convol/i);
  });

  it('says that only ONNX models have one', async () => {
    const side = await versionOf('main', 'model.pt');
    await expect(host.call('graph/open', { side })).rejects.toMatchObject({ code: 'unsupported-format', message: expect.stringContaining('Only ONNX models') });
  });

  it('is gone when it was closed', async () => {
    const { graph } = await host.call('graph/open', { side: await copyOf('closed.onnx') });
    await host.call('graph/close', { graph });
    await expect(host.call('graph/layout', { graph, revision: 0, root: 0, open: [] })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a graph that is edited', () => {
  it('takes names from the checkpoint of the same commit, undoes, does again, and is saved; back and forth it is the same file', async () => {
    const side = await copyOf('edited.onnx');
    const { graph } = await host.call('graph/open', { side });
    const from = { kind: 'checkpoint' as const, side: { kind: 'file' as const, path: join(CHECKPOINTS, '02_digits.pt') } };
    const proposals = await host.call('graph/propose', { graph, from, onlyNumbered: true });
    expect(proposals.map(({ to, source }) => [to, source])).toEqual([
      ['encoder.stem.conv.weight', 'batch-norm-folded'],
      ['encoder.stem.conv.bias', 'batch-norm-folded'],
      ['encoder.body.conv.weight', 'batch-norm-folded'],
      ['encoder.body.conv.bias', 'batch-norm-folded'],
    ]);
    const edit = { kind: 'rename' as const, renames: proposals.map(({ address, to }) => ({ ...address, to })) };
    const review = await host.call('graph/review', { graph, edit, withSites: true });
    expect(review).toMatchObject({ title: 'Rename 4 initializers', refusals: [] });
    expect(review.sites).toHaveLength(8);
    const applied = await host.call('graph/apply', { graph, revision: 0, edit });
    expect(applied).toMatchObject({ revision: 1, done: ['Rename 4 initializers'], undone: [] });
    const renamed = applied.view.initializers.find(({ name }) => name === 'encoder.stem.conv.weight');
    // Its statistics are still those of the group that the file has.
    expect(renamed?.group).toBe('onnx::Conv_32');
    const undone = await host.call('graph/undo', { graph });
    expect(undone).toMatchObject({ revision: 2, done: [], undone: ['Rename 4 initializers'] });
    expect(undone.view.initializers.map(({ name }) => name)).toContain('onnx::Conv_32');
    await host.call('graph/redo', { graph });
    const out = join(host.folder, 'named.onnx');
    const saved = await host.call('graph/save', { graph, path: out, overwrite: false });
    expect(saved.bytes).toBe((await stat(out)).size);

    const again = await host.call('graph/open', { side: { kind: 'file', path: out } });
    const back = { kind: 'rename' as const, renames: proposals.map(({ address, to }) => ({ graph: '', name: to, to: address.name })) };
    await host.call('graph/apply', { graph: again.graph, revision: 0, edit: back });
    const twice = join(host.folder, 'back.onnx');
    await host.call('graph/save', { graph: again.graph, path: twice, overwrite: false });
    expect((await readFile(twice)).equals(await readFile(side.path))).toBe(true);
  });

  it('refuses what would break the model, and changes nothing', async () => {
    const { graph } = await host.call('graph/open', { side: await copyOf('refused.onnx') });
    const edit = { kind: 'rename' as const, renames: [{ graph: '', name: 'onnx::Conv_32', to: 'image' }] };
    const { refusals } = await host.call('graph/review', { graph, edit, withSites: true });
    expect(refusals.join(' ')).toContain('image');
    await expect(host.call('graph/apply', { graph, revision: 0, edit })).rejects.toMatchObject({ code: 'conflict' });
    expect((await host.call('graph/layout', { graph, revision: 0, root: 0, open: [] })).boxes.x.length).toBeGreaterThan(0);
  });

  it('refuses an edit of what was edited meanwhile, and a save over what was written meanwhile', async () => {
    const side = await copyOf('meanwhile.onnx');
    const { graph } = await host.call('graph/open', { side });
    await host.call('graph/apply', { graph, revision: 0, edit: renames((name) => `${name}a`) });
    await expect(host.call('graph/apply', { graph, revision: 0, edit: renames((name) => `${name}b`) })).rejects.toMatchObject({ code: 'conflict' });
    await appendFile(side.path, Buffer.from([0xf8, 0x7f, 0]));
    await expect(host.call('graph/save', { graph, path: join(host.folder, 'x.onnx'), overwrite: false })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('does not write over a file unless it is told to, and leaves nothing behind', async () => {
    const side = await copyOf('exists.onnx');
    const { graph } = await host.call('graph/open', { side });
    const target = join(host.folder, 'kept.txt');
    await writeFile(target, 'mine');
    await expect(host.call('graph/save', { graph, path: target, overwrite: false })).rejects.toMatchObject({ code: 'exists' });
    expect(await readFile(target, 'utf8')).toBe('mine');
    expect((await readdir(host.folder)).filter((name) => name.includes('partial'))).toEqual([]);
    await host.call('graph/save', { graph, path: side.path, overwrite: true });
  });

  it('takes a value from another version, exactly', async () => {
    const side = await copyOf('value.onnx');
    const { graph } = await host.call('graph/open', { side });
    const value = { kind: 'side' as const, side: await versionOf('main~4', 'model.onnx'), group: 'fc1.weight' };
    const edit = { kind: 'set-value' as const, address: { graph: '', name: 'fc1.weight' }, value, allowChange: false };
    await host.call('graph/apply', { graph, revision: 0, edit });
    const out = join(host.folder, 'valued.onnx');
    await host.call('graph/save', { graph, path: out, overwrite: false });
    const compared = await host.call('compare/open', { a: await versionOf('main~4', 'model.onnx'), b: { kind: 'file', path: out } });
    expect(compared.groups.find(({ b }) => b?.name === 'fc1.weight')?.change).toBe('unchanged');
  });

  it('moves values out of the model and back into it', async () => {
    const side = await copyOf('inside.onnx');
    const { graph } = await host.call('graph/open', { side });
    await host.call('graph/apply', { graph, revision: 0, edit: { kind: 'externalise', file: 'weights.bin', atLeast: 1000 } });
    const out = join(host.folder, 'outside.onnx');
    const { files } = await host.call('graph/save', { graph, path: out, overwrite: false });
    expect(files).toEqual([join(host.folder, 'weights.bin')]);
    expect((await stat(out)).size).toBeLessThan((await stat(side.path)).size / 2);
    const compared = await host.call('compare/open', { a: side, b: { kind: 'file', path: out } });
    expect(compared.groups.every(({ change }) => change === 'unchanged')).toBe(true);

    const outside = await host.call('graph/open', { side: { kind: 'file', path: out } });
    expect(outside.view.initializers.find(({ name }) => name === 'fc1.weight')).toMatchObject({ place: 'external', problem: null });
    await host.call('graph/apply', { graph: outside.graph, revision: 0, edit: { kind: 'inline' } });
    const back = join(host.folder, 'again.onnx');
    await host.call('graph/save', { graph: outside.graph, path: back, overwrite: false });
    const whole = await host.call('compare/open', { a: side, b: { kind: 'file', path: back } });
    expect(whole.groups.every(({ change }) => change === 'unchanged')).toBe(true);
  });
});

describe('two graphs', () => {
  it('have the same weights under other numbers, which an exporter gave', async () => {
    const [a, b] = ['08_branch_noise.onnx', '09_aux.onnx'].map((name) => ({ kind: 'file' as const, path: join(CHECKPOINTS, name) }));
    const { changes } = await host.call('graph/diff', { a: a ?? expect.fail(), b: b ?? expect.fail() });
    // The head was added for training only: the exported graph has no node more, but its weights are called two numbers higher.
    expect(changes.filter(({ what }) => what === 'node')).toEqual([]);
    const names = changes.filter(({ what }) => what === 'initializer').map(({ text }) => text.split(/[: ] ?(?=float|\d+ of)/)[0]);
    expect(names).toContain('onnx::Conv_32 → onnx::Conv_34');
    expect(new Set(changes.map(({ change }) => change))).not.toContain('added');
  });

  it('differ in values alone between two versions of the digits', async () => {
    const found = await host.call('graph/diff', { a: await versionOf('main~5', 'model.onnx'), b: await versionOf('main~4', 'model.onnx') });
    expect(new Set(found.changes.map(({ what, change }) => `${what} ${change}`))).toEqual(new Set(['initializer value']));
    expect([...found.nodeChanges].every((change) => change === 255)).toBe(true);
    const layout = await host.call('graph/layout', { graph: found.state.graph, revision: 0, root: 0, open: [] });
    expect(layout.boxes.x.length).toBeGreaterThan(0);
    await expect(host.call('graph/review', { graph: found.state.graph, edit: renames((name) => `${name}x`), withSites: true })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('show a node and an initializer that came and went', async () => {
    const { path } = await copyOf('without.onnx');
    const model = onnx.ModelProto.decode(await readFile(path));
    model.graph?.node?.push(onnx.NodeProto.create({ opType: 'Mul', name: '/scale/Mul', input: ['logits', 'scale'], output: ['scaled'] }));
    model.graph?.initializer?.push(onnx.TensorProto.create({ name: 'scale', dims: [1], dataType: 1, rawData: Buffer.from(Float32Array.of(2).buffer) }));
    model.graph?.output?.push(onnx.ValueInfoProto.create({ name: 'scaled' }));
    const more = join(host.folder, 'with.onnx');
    await writeFile(more, onnx.ModelProto.encode(model).finish());
    const without = { kind: 'file' as const, path };
    const withHead = { kind: 'file' as const, path: more };
    const added = await host.call('graph/diff', { a: without, b: withHead });
    const removed = await host.call('graph/diff', { a: withHead, b: without });
    const ofKind = ({ changes }: typeof added, change: string) => changes.filter((each) => each.change === change && each.what !== 'model').length;
    expect(ofKind(added, 'added')).toBe(3);
    expect(ofKind(removed, 'removed')).toBe(ofKind(added, 'added'));
    expect(ofKind(added, 'removed')).toBe(ofKind(removed, 'added'));
    // What is gone stands in the union, so that it can be shown.
    const gone = [...removed.nodeChanges].filter((change) => GRAPH_CHANGES[change] === 'removed').length;
    const view = removed.state.view;
    const layout = await host.call('graph/layout', { graph: removed.state.graph, revision: 0, root: 0, open: view.groups.map((_, group) => group).slice(1) });
    expect(Array.from(layout.boxes.kind).filter((kind) => kind === 0).length).toBe(view.nodes.names.length);
    for (const [node, change] of removed.nodeChanges.entries()) {
      if (GRAPH_CHANGES[change] === 'removed') expect(await host.call('graph/node', { graph: removed.state.graph, node })).toMatchObject({ node });
    }
    expect(gone).toBe([...added.nodeChanges].filter((change) => GRAPH_CHANGES[change] === 'added').length);
  });
});
