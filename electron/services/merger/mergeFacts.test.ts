import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { type CheckpointFacts, factsOf } from '../../formats/template/checkpointFacts';
import { openFixture } from '../../formats/template/testing/fixtureTemplate';
import type { ThetaEntry } from '../../theta/metadata';
import type { DigestOf } from './fitsGroups';
import { type FactsToMerge, mergeFacts } from './mergeFacts';

const entryOf = (keys: readonly string[], change: Partial<ThetaEntry> = {}): ThetaEntry => ({
  keys,
  name: keys.join('/'),
  dtype: 'float32',
  shape: [2],
  signature: null,
  oid: 'a'.repeat(64),
  bytes: 10,
  updateType: 'dense',
  lastCommit: null,
  ...change,
});

const unknown: DigestOf = async () => null;

const safetensors = (metadata: Readonly<Record<string, string>>, change: Partial<CheckpointFacts> = {}): CheckpointFacts => ({
  v: 1,
  format: 'safetensors',
  metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  skipped: [],
  ...change,
});

const ask = (change: Partial<FactsToMerge>): FactsToMerge => ({
  base: null,
  ours: null,
  theirs: null,
  path: 'model',
  entries: [entryOf(['a']), entryOf(['b'])],
  preferred: 'ours',
  strategy: null,
  digestOf: unknown,
  signal: undefined,
  ...change,
});

/** A fixture as it would be committed: what it says, and its groups, each with an object of its own unless it is tied. */
async function committed(name: string): Promise<{ facts: CheckpointFacts; entries: ThetaEntry[] }> {
  const { bytes, checkpoint, groups } = await openFixture(name);
  const entries = groups.map(({ keys, dtype, shape }, index) => entryOf(keys, { dtype, shape, oid: index.toString(16).padStart(64, '0') }));
  return { facts: await factsOf(memorySource(bytes), checkpoint, { file: name }), entries };
}

const pairs = (facts: CheckpointFacts | undefined) => Object.fromEntries((facts?.metadata ?? []).map(({ key, value }) => [key, value]));

describe('metadata', () => {
  it.each([
    ['a key that ours added', {}, { x: '1' }, {}, { x: '1' }],
    ['a key that theirs added', {}, {}, { x: '1' }, { x: '1' }],
    ['a key that ours removed', { x: '1', y: '1' }, { y: '1' }, { x: '1', y: '1' }, { y: '1' }],
    ['a key that theirs removed while ours changed another', { x: '1', y: '1' }, { x: '1', y: '2' }, { y: '1' }, { y: '2' }],
    ['a key that both removed', { x: '1', y: '1' }, { y: '2' }, { z: '1', y: '1' }, { y: '2', z: '1' }],
    ['a key that both changed alike', { x: '1' }, { x: '2', y: '1' }, { x: '2', z: '1' }, { x: '2', y: '1', z: '1' }],
    ['names that JavaScript has itself', { valueOf: '1' }, { constructor: '1' }, { toString: '2' }, { constructor: '1', toString: '2' }],
  ])('%s', async (_what, base, ours, theirs, result) => {
    const merged = await mergeFacts(ask({ base: safetensors(base), ours: safetensors(ours), theirs: safetensors(theirs) }));
    expect(pairs(merged?.facts)).toEqual(result);
    expect(merged?.notes).toEqual([]);
    expect(merged?.facts.exact).toBeUndefined();
  });

  it.each([
    [null, '2', '"2" is kept (ours), not "3" (theirs)'],
    ['average', '2', '"2" is kept (ours), not "3" (theirs)'],
    ['theirs', '3', '"3" is kept (theirs), not "2" (ours)'],
    ['base', '1', '"1" is kept (the base), not "2" (ours) or "3" (theirs)'],
  ] as const)('a key that both changed, with the strategy %s', async (strategy, value, note) => {
    const merged = await mergeFacts(ask({ base: safetensors({ x: '1' }), ours: safetensors({ x: '2' }), theirs: safetensors({ x: '3', y: '1' }), strategy }));
    expect(pairs(merged?.facts)).toEqual({ x: value, y: '1' });
    expect(merged?.notes).toEqual([`The entry "x" of the file was changed on both sides: ${note}.`]);
  });

  it('names a removal that contradicts a change', async () => {
    const merged = await mergeFacts(ask({ base: safetensors({ x: '1' }), ours: safetensors({}), theirs: safetensors({ x: '3' }) }));
    expect(pairs(merged?.facts)).toEqual({});
    expect(merged?.notes).toEqual(['The entry "x" of the file was changed on both sides: no value is kept (ours), not "3" (theirs).']);
  });

  it('counts what would be too many notes, and cuts long values', async () => {
    const many = (value: string) => Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, value.repeat(100)]));
    const merged = await mergeFacts(ask({ base: safetensors(many('a')), ours: safetensors(many('b')), theirs: safetensors(many('c')) }));
    expect(merged?.notes).toHaveLength(11);
    expect(merged?.notes.at(-1)).toBe('The same holds for 20 more entries.');
    expect(Math.max(...(merged?.notes.map((note) => note.length) ?? []))).toBeLessThan(250);
  });
});

describe('format and order', () => {
  it('are taken from the side that changed them', async () => {
    const npz: CheckpointFacts = { v: 1, format: 'npz', metadata: [], skipped: [] };
    const merged = await mergeFacts(ask({ base: npz, ours: { ...npz, order: [['b'], ['a']] }, theirs: safetensors({ x: '1' }) }));
    expect(merged?.facts).toEqual(safetensors({ x: '1' }, { order: [['b'], ['a']] }));
    expect(merged?.notes).toEqual([]);
  });

  it('contradict each other in words', async () => {
    const facts = (format: CheckpointFacts['format']): CheckpointFacts => ({ v: 1, format, metadata: [], skipped: [] });
    const merged = await mergeFacts(ask({ base: facts('npz'), ours: facts('pytorch'), theirs: facts('safetensors') }));
    expect(merged?.facts.format).toBe('pytorch');
    expect(merged?.notes).toEqual(['The format of the file was changed on both sides: PyTorch is kept (ours), not safetensors (theirs).']);
  });

  it('put groups of the other side where they stand there', async () => {
    const order = (names: string) => [...names].map((name) => [name]);
    const merged = await mergeFacts(
      ask({
        base: safetensors({}, { order: order('dcb') }),
        ours: safetensors({ x: '1' }, { order: order('dacb') }),
        theirs: safetensors({ y: '1' }, { order: order('edcfb') }),
        entries: [...'abcdef'].map((name) => entryOf([name])),
      }),
    );
    expect(merged?.facts.order).toEqual(order('edacfb'));
  });
});

describe('the bytes around the tensors', () => {
  it('fit other values, unless they hold the values of a tensor or share them', async () => {
    const { facts, entries } = await committed('checkpoints/pytorch/tied.pt');
    expect(facts.template?.groups.some(({ place }) => place.kind === 'same')).toBe(true);
    const other = { ...facts, metadata: [{ key: 'x', value: '1' }] };
    const question = (digestOf: DigestOf) => ask({ ours: facts, theirs: facts, base: other, entries, digestOf });
    expect((await mergeFacts(question(async () => 'equal')))?.facts).toBe(facts);
    expect((await mergeFacts(question(unknown)))?.facts).toBe(facts);
    const apart = await mergeFacts(question(async ({ name }) => name));
    expect(apart?.facts.template).toBeUndefined();
    expect(apart?.notes.at(0)).toMatch(/written in the plain form of PyTorch/);
  });

  it('fit no value of another digest than they hold', async () => {
    const { facts, entries } = await committed('checkpoints/pytorch/views.pt');
    expect(facts.template?.groups.some(({ place }) => place.kind === 'fixed')).toBe(true);
    expect((await mergeFacts(ask({ ours: facts, theirs: facts, entries })))?.facts).toBe(facts);
    expect((await mergeFacts(ask({ ours: facts, theirs: facts, entries, digestOf: async () => 'another' })))?.facts.template).toBeUndefined();
  });

  it('are told of where both sides changed them and nothing else', async () => {
    const { facts, entries } = await committed('checkpoints/pytorch/plain.pt');
    const { template, ...plain } = facts;
    expect(template).toBeDefined();
    const merged = await mergeFacts(ask({ ours: facts, theirs: plain, entries }));
    expect(merged?.facts).toBe(facts);
    expect(merged?.notes).toEqual(['Both sides changed how the file is laid out around the tensors: that of ours is kept, not that of theirs.']);
  });

  it('of a pickle are kept before its plain form, which may lack what nobody reads', async () => {
    const { facts, entries } = await committed('checkpoints/pytorch/plain.pt');
    const say = (...keys: string[]) => ({ ...facts, metadata: keys.map((key) => ({ key, value: '1' })) });
    const ours = say('x');
    const merged = await mergeFacts(ask({ base: say('x', 'y'), ours, theirs: say('y'), entries }));
    expect(merged?.facts).toBe(ours);
    expect(merged?.notes).toEqual([
      'The entry "x" of the file was removed by theirs alone, but stays "1": the bytes around the tensors can be of one side only.',
    ]);
  });

  it('of a format that is not written are a conflict when they fit on no side', async () => {
    const { facts, entries } = await committed('onnx/types.onnx');
    expect((await mergeFacts(ask({ base: null, ours: facts, theirs: facts, entries })))?.facts).toBe(facts);
    const merging = mergeFacts(ask({ ours: facts, theirs: facts, entries: [...entries, entryOf(['more'])] }));
    await expect(merging).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('ONNX files are not written anew') });
  });
});
