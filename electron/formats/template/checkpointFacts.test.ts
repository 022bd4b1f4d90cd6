import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import type { CheckpointFormat, GroupToWrite } from '../format';
import { openCheckpointFile } from '../openCheckpointFile';
import { formatById } from '../registry';
import { materialise } from '../testing/materialise';
import { groupBytes } from '../testing/readBack';
import { sampleBytes, sampleGroups } from '../testing/sampleGroups';
import { type CheckpointFacts, factsOf, parseFacts, sameMeaning, serializeFacts } from './checkpointFacts';
import { layoutFromTemplate } from './layoutFromTemplate';
import { FIXTURE_FILES, openFixture } from './testing/fixtureTemplate';

async function factsOfFixture(name: string): Promise<CheckpointFacts> {
  const { bytes, checkpoint } = await openFixture(name);
  return factsOf(memorySource(bytes), checkpoint, { file: name });
}

/** The file that facts and values make, as a checkout makes it. */
async function remade(name: string, facts: CheckpointFacts): Promise<Buffer> {
  const { groups } = await openFixture(name);
  const planned = facts.template === undefined ? formatById(facts.format)?.layout?.(groups, facts.metadata) : layoutFromTemplate(facts.template, groups);
  return materialise(planned ?? expect.fail(), await Promise.all(groups.map(groupBytes)));
}

describe('factsOf', () => {
  it.each(FIXTURE_FILES)('%s: the facts, through their text, make the file again', async (name) => {
    const facts = await factsOfFixture(name);
    const read = parseFacts(serializeFacts(facts));
    expect(read).toEqual(facts);
    expect(facts.exact).toBeUndefined();
    expect((await remade(name, read ?? expect.fail())).equals((await openFixture(name)).bytes)).toBe(true);
  });

  // safetensors and Flax have one way to write a file, which is ours too.
  it.each(['checkpoints/safetensors/plain.safetensors', 'checkpoints/safetensors/dtypes.safetensors', 'flax/params.msgpack'])(
    '%s needs no template',
    async (name) => {
      expect((await factsOfFixture(name)).template).toBeUndefined();
    },
  );

  it.each(['safetensors', 'pytorch', 'npz', 'flax'] as const)('what we write as %s needs none', async (id) => {
    const format: CheckpointFormat = formatById(id) ?? expect.fail();
    const groups: GroupToWrite[] = sampleGroups(['float32', 'int64', 'bool']).filter(({ keys: [name = ''] }) => name !== '' && name.length < 4096);
    const bytes = materialise(format.layout?.(groups, []) ?? expect.fail(), sampleBytes(groups));
    const ref = { kind: 'memory', bytes } as const;
    const facts = await factsOf(memorySource(bytes), await openCheckpointFile(ref, 'ours'), { file: 'ours', ref });
    expect(facts).toMatchObject({ format: id });
    expect([facts.template, facts.exact]).toEqual([undefined, undefined]);
  });

  it('says what is tied, in which order the file is, and what it says beside its groups', async () => {
    const tied = await factsOfFixture('checkpoints/pytorch/tied.pt');
    const { groups } = await openFixture('checkpoints/pytorch/tied.pt');
    expect(tied.tied).toEqual([[groups[1]?.keys.join('/'), groups[0]?.keys.join('/')]]);
    const digits = await factsOfFixture('digits/checkpoints/01_init.pt');
    expect(digits.order?.slice(0, 2)).toEqual([['encoder.stem.conv.weight'], ['encoder.stem.conv.bias']]);
    expect((await factsOfFixture('checkpoints/pytorch/training.ckpt')).metadata.length).toBeGreaterThan(5);
    expect((await factsOfFixture('checkpoints/pytorch/plain.pt')).order).toBeUndefined();
  });

  it('says when a file cannot come back byte for byte', async () => {
    const { bytes, checkpoint } = await openFixture('checkpoints/pytorch/plain.pt');
    const padded = { ...memorySource(bytes), length: 70 * 2 ** 20 };
    const facts = await factsOf(padded, checkpoint, { file: 'padded' });
    expect(facts).toMatchObject({ exact: false });
    expect(facts.template).toBeUndefined();
    expect(parseFacts(serializeFacts(facts))).toEqual(facts);
  });

  it('are small', async () => {
    // Measured: 1.8 KB; with all names in it this file has 5.4 KB that are no tensor.
    expect(serializeFacts(await factsOfFixture('digits/checkpoints/01_init.pt')).length).toBeLessThan(2000);
  });
});

describe('parseFacts', () => {
  const facts: CheckpointFacts = {
    v: 1,
    format: 'flax',
    metadata: [{ key: '__proto__', value: 'v' }],
    skipped: [{ name: 'n', reason: 'r' }],
    order: [['b', 'c'], ['a']],
  };

  it('reads what a newer version added', () => {
    expect(parseFacts(JSON.stringify({ ...JSON.parse(serializeFacts(facts)), later: { a: 1 } }))).toEqual(facts);
  });

  it.each(['', 'null', '[]', '{}', '{"v":1}', '"'.repeat(9), '{"v":1,"format":"x","metadata":[],"skipped":[]}'])('gives null for %j', (text) => {
    expect(parseFacts(text)).toBeNull();
  });

  it.each<[string, unknown]>([
    ['another version', { v: 2 }],
    ['a template of an unknown kind', { template: { dictionary: 2, bytes: 1, head: 1, literals: 1, data: '' } }],
    ['a damaged template', { template: { dictionary: 1, bytes: 1, head: 1, literals: 1, data: 'AAAA' } }],
    ['a template of a negative size', { template: { dictionary: 1, bytes: -1, head: 1, literals: 1, data: '' } }],
    ['metadata that are no pairs', { metadata: [['a']] }],
    ['an order that is none', { order: [1] }],
    ['ties that are none', { tied: [['a', 1]] }],
  ])('gives null for %s', (_, change) => {
    expect(parseFacts(JSON.stringify({ ...JSON.parse(serializeFacts(facts)), ...(change as object) }))).toBeNull();
  });
});

describe('sameMeaning', () => {
  const base: CheckpointFacts = { v: 1, format: 'pytorch', metadata: [{ key: 'epoch', value: '1' }], skipped: [] };
  it('looks at what the file says, not at how it is laid out', () => {
    expect(sameMeaning(base, { ...base, order: [['a']], tied: [['a', 'b']], exact: false })).toBe(true);
    expect(sameMeaning(base, { ...base, metadata: [{ key: 'epoch', value: '2' }] })).toBe(false);
    expect(sameMeaning(base, { ...base, format: 'npz' })).toBe(false);
    expect(sameMeaning(base, { ...base, skipped: [{ name: 'n', reason: 'r' }] })).toBe(false);
  });
});
