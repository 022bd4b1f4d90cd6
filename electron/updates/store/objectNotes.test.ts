import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { collect } from '../../encodings/testing/collect';
import { openZarrObject } from '../../encodings/zarr/openZarrObject';
import type { UpdateChain } from '../updateChain';
import { notedHeader } from './notedHeader';
import { parseNotes } from './objectNotes';
import { readObjectNotes } from './readObjectNotes';
import { floats, makeStore, sha256 } from './testing/storeSetup';

const store = makeStore();
afterAll(() => store.remove());

const large = floats(Float32Array.from({ length: 20_000 }, (_, i) => Math.sin(i)));
const small = floats([1, 2, 3]);

async function* nothing(): AsyncGenerator<Uint8Array> {}

function lastObject({ steps }: UpdateChain) {
  const last = steps[steps.length - 1];
  if (last === undefined) throw new Error('an empty chain');
  return last.object;
}

describe('what an object says of itself', () => {
  it('is nothing for a small complete value', async () => {
    const chain = store.extend(null, await store.put(small));
    const members = await openZarrObject(memorySource(readFileSync(lastObject(chain).path)));
    expect([...members.keys()]).toEqual(['parameter']);
    expect(await readObjectNotes(lastObject(chain))).toBeNull();
  });

  it('is the digest of a large one', async () => {
    const chain = store.extend(null, await store.put(large));
    expect(await readObjectNotes(lastObject(chain))).toEqual({ digest: sha256(large.bytes), base: null, value: null, checkpoint: null });
  });

  it('is what an update builds on, behind the members of git-theta', async () => {
    const base = store.extend(null, await store.put(large));
    const after = floats(Float32Array.from({ length: 20_000 }, (_, i) => (i === 7 ? Math.sin(i) + 0.25 : Math.sin(i))));
    const chain = store.extend(base, await store.put(after, { base }));
    const { oid, bytes } = lastObject(base);
    expect(await readObjectNotes(lastObject(chain), { verify: true })).toEqual({
      digest: sha256(after.bytes),
      base: { type: 'dense', oid, size: bytes },
      value: { dtype: 'float32', shape: [20_000] },
      checkpoint: null,
    });
    const members = await openZarrObject(memorySource(readFileSync(lastObject(chain).path)));
    expect([...members.keys()]).toEqual(['data', 'indices', 'indptr', 'shape', 'theta_desktop']);
    const notes = members.get('theta_desktop');
    expect(notes).toMatchObject({ dtype: 'uint8' });
    expect(JSON.parse(Buffer.from(await collect(notes?.blocks() ?? nothing())).toString())).toMatchObject({ base: { type: 'dense' } });
  });

  it('is the type and shape of the value, for the chain that the update was written for', async () => {
    const base = store.extend(null, await store.put(large));
    const after = floats(Float32Array.from({ length: 20_000 }, (_, i) => (i === 9 ? 5 : Math.sin(i))));
    const chain = store.extend(base, await store.put(after, { base }));
    expect(await notedHeader(chain)).toEqual({ dtype: 'float32', shape: [20_000] });
    expect(await notedHeader(base)).toBeNull();
    const other = store.extend(null, await store.put(floats(new Float32Array(20_000).fill(3))));
    expect(await notedHeader({ ...chain, steps: [...other.steps, ...chain.steps.slice(1)] })).toBeNull();
    // Nothing of the other objects is needed.
    const [first, last] = chain.steps;
    if (first === undefined || last === undefined) throw new Error('two steps');
    const gone = { ...first, object: { ...first.object, path: `${first.object.path} is not here` } };
    expect(await notedHeader({ ...chain, steps: [gone, last] })).toEqual({ dtype: 'float32', shape: [20_000] });
  });

  it('is what it is told of the checkpoint', async () => {
    const facts = JSON.stringify({ v: 1, format: 'pytorch', names: ['a', 'ü', '\u{1f600}'], template: { text: 'x'.repeat(200_000) } });
    const chain = store.extend(null, await store.put(small, { facts }));
    expect(await readObjectNotes(lastObject(chain))).toEqual({ digest: null, base: null, value: null, checkpoint: JSON.parse(facts) });
    expect(Buffer.from((await store.read(chain)).bytes)).toEqual(Buffer.from(small.bytes));
  });

  it.each(['{', '7', '{"digest":5}', '{"digest":"abc"}', '{"base":{"type":"other","oid":"","size":1}}', '{"value":{"dtype":"float32"}}'])(
    'is nothing when it is damaged: %s',
    (text) => {
      expect(parseNotes(text)).toBeNull();
    },
  );

  it('does no harm to the value when it is damaged', async () => {
    const chain = store.extend(null, await store.put(small, { facts: '{' }));
    expect(await readObjectNotes(lastObject(chain))).toBeNull();
    expect(Buffer.from((await store.read(chain)).bytes)).toEqual(Buffer.from(small.bytes));
  });

  it('is nothing when the object is missing or damaged', async () => {
    const own = makeStore();
    try {
      const chain = own.extend(null, await own.put(large));
      const { path, bytes } = lastObject(chain);
      writeFileSync(path, Buffer.alloc(bytes));
      expect(await readObjectNotes(lastObject(chain))).toBeNull();
      rmSync(path);
      expect(await readObjectNotes(lastObject(chain))).toBeNull();
    } finally {
      own.remove();
    }
  });
});
