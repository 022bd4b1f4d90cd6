import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import { openFileSource } from '../../bytes/fileSource';
import { openRef } from '../../tensors/openRef';
import type { FileCheckpoint, FileGroup } from '../format';
import { pytorchFormat } from './pytorchFormat';

const FIXTURES = join(import.meta.dirname, '../../../e2e/fixtures/checkpoints');

const groupSchema = v.object({ name: v.string(), dtype: v.string(), shape: v.array(v.number()), sha256: v.string() });
const caseSchema = v.object({ note: v.string(), groups: v.optional(v.array(groupSchema)), groups_at_least: v.optional(v.array(v.string())) });
const expected = v.parse(v.record(v.string(), caseSchema), JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8')));

async function readFixture(name: string): Promise<FileCheckpoint> {
  const path = join(FIXTURES, name);
  const source = await openFileSource(path);
  try {
    const head = await source.read(0, Math.min(4096, source.length));
    if (!pytorchFormat.matches(head, source.length)) return await Promise.reject(new CheckpointError('unsupported-format', 'not recognised'));
    return await pytorchFormat.read(source, { ref: { kind: 'file', path }, file: path });
  } finally {
    await source.close();
  }
}

async function digest(group: FileGroup): Promise<string> {
  if ('code' in group.data) throw CheckpointError.fromData(group.data);
  const stream = await openRef(group.data, group.keys.join('/'));
  const hash = createHash('sha256');
  for await (const block of stream.blocks()) hash.update(block);
  await stream.close();
  return hash.digest('hex');
}

async function summary(checkpoint: FileCheckpoint) {
  return Promise.all(
    checkpoint.groups.map(async (group) => ({ name: group.keys.join('/'), dtype: group.dtype, shape: group.shape, sha256: await digest(group) })),
  );
}

describe('files that PyTorch wrote', () => {
  const cases = Object.entries(expected).filter(([name]) => name.startsWith('pytorch/'));

  it.each(cases)('%s', async (name, { groups, groups_at_least: atLeast }) => {
    const found = await summary(await readFixture(name));
    if (groups !== undefined) expect(found).toEqual(groups);
    expect(found.map((group) => group.name)).toEqual(expect.arrayContaining(atLeast ?? []));
  });

  it('covers every fixture', () => {
    expect(cases.map(([name]) => name.slice('pytorch/'.length)).sort()).toEqual(readdirSync(join(FIXTURES, 'pytorch')).sort());
  });

  it('names the group that another one is tied to', async () => {
    const { groups } = await readFixture('pytorch/tied.pt');
    expect(groups.map(({ tiedTo }) => tiedTo)).toEqual([null, 'embed.weight']);
    const views = await readFixture('pytorch/views.pt');
    expect(views.groups.map(({ tiedTo }) => tiedTo)).toEqual([null, null, null, null, null, null]);
  });

  it('lists the values that are not tensors', async () => {
    const { metadata, skipped } = await readFixture('pytorch/training.ckpt');
    expect(skipped).toEqual([]);
    expect(Object.fromEntries(metadata.map(({ key, value }) => [key, value]))).toEqual({
      epoch: '7',
      global_step: '1234',
      'optimizer_states/0/param_groups/0/lr': '0.001',
      'optimizer_states/0/param_groups/0/betas': '(0.9, 0.999)',
      'optimizer_states/0/param_groups/0/eps': '1e-8',
      'optimizer_states/0/param_groups/0/weight_decay': '0.01',
      'optimizer_states/0/param_groups/0/amsgrad': 'False',
      'optimizer_states/0/param_groups/0/maximize': 'False',
      'optimizer_states/0/param_groups/0/foreach': 'None',
      'optimizer_states/0/param_groups/0/capturable': 'False',
      'optimizer_states/0/param_groups/0/differentiable': 'False',
      'optimizer_states/0/param_groups/0/fused': 'None',
      'optimizer_states/0/param_groups/0/decoupled_weight_decay': 'True',
      'optimizer_states/0/param_groups/0/params': '[0, 1]',
      'hyper_parameters/lr': '0.001',
      'hyper_parameters/name': 'tiny',
      'hyper_parameters/layers': '[1, 2]',
      'hyper_parameters/flag': 'True',
      'hyper_parameters/none': 'None',
      'pytorch-lightning_version': '2.5.0',
    });
  });

  it('never shows a sparse tensor as a dense one', async () => {
    const { groups, skipped } = await readFixture('pytorch/sparse.pt');
    expect(groups.map(({ keys }) => keys)).toEqual([['dense']]);
    expect(skipped).toEqual([{ name: 'sparse', reason: 'A sparse tensor: only dense tensors are read.' }]);
  });

  it('reads NumPy arrays and scalars as data', async () => {
    const checkpoint = await readFixture('pytorch/numpy_inside.pt');
    const arange = Buffer.from(BigInt64Array.of(0n, 1n, 2n).buffer);
    expect((await summary(checkpoint))[1]).toEqual({ name: 'arr', dtype: 'int64', shape: [3], sha256: createHash('sha256').update(arange).digest('hex') });
    expect(checkpoint.metadata).toEqual([{ key: 'best', value: '0.25' }]);
  });

  it('finds the parameters of a pickled module and says what it is', async () => {
    const { groups, metadata, skipped } = await readFixture('pytorch/whole_module.pt');
    expect(groups.map(({ keys, dtype, shape }) => ({ keys, dtype, shape }))).toEqual([
      { keys: ['0', 'weight'], dtype: 'float32', shape: [2, 2] },
      { keys: ['0', 'bias'], dtype: 'float32', shape: [2] },
    ]);
    expect(metadata).toEqual([
      { key: '(root)', value: 'module torch.nn.modules.container.Sequential' },
      { key: '0', value: 'module torch.nn.modules.linear.Linear' },
    ]);
    expect(skipped).toEqual([]);
  });
});

describe('hostile and broken files', () => {
  it.each([
    ['billion_laughs.pt', 'malformed'],
    ['memo_bomb.pt', 'malformed'],
    ['huge_long.pt', 'truncated'],
    ['missing_pickle_end.pt', 'truncated'],
    ['truncated_zip.pt', 'truncated'],
    ['garbage.pt', 'unsupported-format'],
    ['empty.pt', 'unsupported-format'],
    ['lfs_pointer.pt', 'unsupported-format'],
  ])('%s ends as %s', async (name, code) => {
    await expect(readFixture(`hostile/${name}`)).rejects.toMatchObject({ name: 'CheckpointError', code });
  });

  it.each([
    ['eval.pt', '__builtin__.eval'],
    ['getattr.pt', '__builtin__.getattr'],
    ['os_system.pt', 'posix.system'],
  ])('%s gives its sound tensor and calls nothing', async (name, called) => {
    const checkpoint = await readFixture(`hostile/${name}`);
    const found = await summary(checkpoint);
    expect(found.map((group) => [group.name, group.dtype, group.shape])).toEqual([['a', 'float32', [2]]]);
    expect(checkpoint.skipped).toEqual([{ name: 'x', reason: `What ${called} would return; nothing in a file is ever called.` }]);
    for (const folder of [process.cwd(), join(FIXTURES, 'hostile')]) expect(existsSync(join(folder, 'pwned.txt'))).toBe(false);
  });

  it('storage_too_short.pt has an error at the group, not wrong numbers', async () => {
    const { groups } = await readFixture('hostile/storage_too_short.pt');
    const broken = groups.filter(({ data }) => 'code' in data);
    expect(broken.map(({ keys, data }) => [keys, 'code' in data ? data.code : null])).toEqual([[['a'], 'truncated']]);
    for (const group of groups) if (!broken.includes(group)) expect(await digest(group)).toHaveLength(64);
  });

  it('has a decision for every hostile PyTorch file', () => {
    const all = readdirSync(join(FIXTURES, 'hostile')).filter((name) => name.endsWith('.pt'));
    expect(all).toHaveLength(12);
  });
});
