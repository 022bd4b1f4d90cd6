import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { UpdateChain } from '../updateChain';
import type { StoredGroup } from './storeRequest';
import { floats, makeStore, planOf, type Value } from './testing/storeSetup';

const store = makeStore();
afterAll(() => store.remove());

const COUNT = 4000;
/** Values without a pattern, so that a full copy takes nearly all their bytes. */
const start = new Float32Array(COUNT);
for (let i = 0, state = 1; i < COUNT; i++) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  start[i] = 1 + (state >>> 8) / 2 ** 24;
}

/** Changes so many elements, each by a difference that its type resolves. */
function step(values: Float32Array, changed: number, round: number): Float32Array {
  return values.map((value, i) => (i % Math.floor(COUNT / changed) === round % 7 ? value + 2 ** -10 * (round + 1) : value));
}

async function grow(
  rounds: number,
  changed: number,
  more: { readonly maxLinks?: number } = {},
): Promise<{ readonly all: StoredGroup[]; readonly chain: UpdateChain; readonly last: Value }> {
  let values: Float32Array = start;
  const first = await store.put(floats(values));
  const all = [first];
  let chain = store.extend(null, first);
  for (let round = 0; round < rounds; round++) {
    values = step(values, changed, round);
    const stored = await store.put(floats(values), { base: chain, ...more });
    chain = store.extend(chain, stored);
    all.push(stored);
  }
  return { all, chain, last: floats(values) };
}

describe('a chain of updates', () => {
  it('begins anew when it has as many steps as are allowed', async () => {
    const { all, chain, last } = await grow(7, 10, { maxLinks: 3 });
    expect(all.map(({ kind }) => kind)).toEqual(['dense', 'sparse', 'sparse', 'dense', 'sparse', 'sparse', 'dense', 'sparse']);
    expect(all[3]?.notes).toEqual(['Stored as a full copy, because its chain has 3 steps already.']);
    expect(Buffer.from((await store.read(chain)).bytes)).toEqual(Buffer.from(last.bytes));
  });

  it('begins anew when its updates cost more than a full copy', async () => {
    const { all, chain, last } = await grow(12, 400);
    const full = all[0]?.bytes ?? 0;
    let spent = 0;
    for (const [i, { kind, bytes, notes }] of all.entries()) {
      if (kind === 'dense' && i > 0) {
        expect(notes).toEqual([
          expect.stringMatching(/^Stored as a full copy, because the updates since the last one would take .* kB, and a full copy takes .* kB\.$/),
        ]);
      }
      spent = kind === 'dense' ? 0 : spent + bytes;
      expect(spent).toBeLessThanOrEqual(full * 1.01);
    }
    expect(all.filter(({ kind }) => kind === 'dense').length).toBeGreaterThan(1);
    expect(Buffer.from((await store.read(chain)).bytes)).toEqual(Buffer.from(last.bytes));
  });

  it('is not continued by an update that saves nothing', async () => {
    const small = floats(start.slice(0, 150));
    const base = store.extend(null, await store.put(small));
    const after = floats(start.slice(0, 150).map((value, i) => (i % 5 === 0 ? value + 2 ** -10 : value)));
    expect(await store.put(after, { base })).toMatchObject({ kind: 'dense', notes: [] });
    expect(await store.put(after, { base, choice: 'sparse' })).toMatchObject({
      kind: 'dense',
      notes: [expect.stringMatching(/^Stored as a full copy, because the update would take .*, and a full copy takes .*\.$/)],
    });
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['damaged', (path: string) => writeFileSync(path, Buffer.alloc(10))],
  ])('that cannot be read (%s) is left alone', async (_, harm) => {
    const own = makeStore();
    try {
      const base = own.extend(null, await own.put(floats(start)));
      harm(base.steps[0]?.object.path ?? '');
      const stored = await own.put(floats(step(start, 10, 0)), { base });
      expect(stored).toMatchObject({
        kind: 'dense',
        notes: [expect.stringMatching(/^Stored as a full copy, because the previous value cannot be read: The object /)],
      });
    } finally {
      own.remove();
    }
  });

  it('is not continued by another type or shape, or without a previous value', async () => {
    const base = store.extend(null, await store.put(floats(start)));
    const reshaped = floats(start, [40, 100]);
    expect(await store.put(reshaped, { base, choice: 'sparse' })).toMatchObject({
      kind: 'dense',
      notes: [expect.stringContaining('the previous value is float32 4000')],
    });
    expect(await store.put(reshaped, { choice: 'ia3' })).toMatchObject({
      kind: 'dense',
      notes: ['Stored as a full copy, because there is no previous value.'],
    });
  });

  it('is measured without being written', async () => {
    const own = makeStore();
    try {
      const base = store.extend(null, await store.put(floats(start)));
      const dry = await own.put(floats(step(start, 10, 0)), { base, objects: null });
      const wet = await store.put(floats(step(start, 10, 0)), { base });
      expect(dry).toEqual({ ...wet, mark: null });
      expect(dry.kind).toBe('sparse');
    } finally {
      own.remove();
    }
  });
});

describe('declared updates', () => {
  const value = floats(start.slice(0, 96), [12, 8]);
  const factor = (rows: number, columns: number, dtype: 'float32' | 'float64' = 'float32'): Value => {
    const numbers = Array.from({ length: rows * columns }, (_, i) => (i % 5) - 2);
    return { dtype, shape: [rows, columns], bytes: new Uint8Array((dtype === 'float32' ? Float32Array.from(numbers) : Float64Array.from(numbers)).buffer) };
  };
  const declare = async (members: Readonly<Record<string, Value>>, more: Parameters<typeof store.put>[1] = {}) => {
    const base = store.extend(null, await store.put(value));
    return store.put(null, { base, declared: Object.entries(members).map(([member, tensor]) => ({ member, plan: planOf(tensor) })), ...more });
  };
  const integers = (values: readonly number[], dtype: 'int32' | 'float32' = 'int32'): Value =>
    dtype === 'int32' ? { dtype, shape: [values.length], bytes: new Uint8Array(Int32Array.from(values).buffer) } : floats(values);
  const sparse = (more: Readonly<Record<string, Value>> = {}) => ({
    data: floats([1, 2]),
    indices: integers([3, 95]),
    indptr: integers([0, 2]),
    shape: integers([12, 8]),
    ...more,
  });

  it('are recognised by their members and keep their order', async () => {
    expect(await declare({ C: factor(2, 8), R: factor(12, 2) })).toMatchObject({ kind: 'low-rank', notes: [] });
    expect(await declare(sparse())).toMatchObject({ kind: 'sparse' });
    expect(await declare({ ia3: floats([2]) })).toMatchObject({ kind: 'ia3' });
  });

  it('become a full copy when the chain is long enough, or when that was asked for', async () => {
    const long = await declare({ ia3: floats([2]) }, { maxLinks: 1 });
    expect(long).toMatchObject({ kind: 'dense', notes: ['Stored as a full copy, because its chain has 1 step already.'] });
    const asked = await declare({ ia3: floats([2]) }, { choice: 'dense' });
    expect(asked).toMatchObject({ kind: 'dense', notes: [], sha256: long.sha256, signature: long.signature });
    const doubled = new Float32Array(Uint8Array.from((await store.read(store.extend(null, asked))).bytes).buffer);
    expect(Array.from(doubled)).toEqual(Array.from(start.slice(0, 96), (element) => element * 2));
  });

  it('say where git-theta may round in another way', async () => {
    expect((await declare({ R: factor(12, 17), C: factor(17, 8) })).notes).toEqual([expect.stringContaining('products of depth 17')]);
  });

  it.each<[string, Readonly<Record<string, Value>>, RegExp]>([
    ['factors of another group', { R: factor(10, 2), C: factor(2, 8) }, /R has the shape \[10, 2\].* the group needs|\[10, 8\]|do not fit|does not fit/],
    ['a larger result', { ia3: factor(3, 1) }, /does not fit/],
    ['a result with another axis', { ia3: { ...floats(start.slice(0, 2)), shape: [2, 1, 1] } }, /the result would be \[2, 12, 8\], the group is \[12, 8\]/],
    [
      'another precision',
      { R: factor(12, 2, 'float64'), C: factor(2, 8, 'float64') },
      /the result would be float64, the group is float32: convert the update data first/,
    ],
    [
      'an unknown member',
      { R: factor(12, 2), C: factor(2, 8), Q: factor(1, 1) },
      /has the members "R", "C", "Q"; sparse has data, indices, indptr, shape; low-rank has R, C; ia3 has ia3/,
    ],
    ['a missing member', { R: factor(12, 2) }, /has the members "R"/],
    ['indices outside', sparse({ indices: integers([3, 96]) }), /the index 96 is outside the 96 elements/],
    ['negative indices', sparse({ indices: integers([-1, 5]) }), /the index -1 is outside/],
    ['indices that are no whole numbers', sparse({ indices: integers([3, 5], 'float32') }), /"indices" is float32; it needs whole numbers/],
    ['another number of indices', sparse({ indices: integers([3]) }), /2 values, but 1 indices/],
    ['another shape', sparse({ shape: integers([96]) }), /"shape" says \[96\], the group is \[12, 8\]/],
    ['pairs that are not there', sparse({ indptr: integers([0, 3]) }), /"indptr" is \[0, 3\] for 2 values/],
  ])('are refused: %s', async (_, members, message) => {
    await expect(declare(members)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(message),
      place: { group: 'layer/weight' },
    });
  });

  it('are refused when they are of another type than was said, or there is no previous value', async () => {
    await expect(declare({ ia3: floats([2]) }, { choice: 'sparse' })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('sparse has data'),
    });
    await expect(declare({ ia3: floats([2]) }, { base: null })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('no previous value'),
    });
  });
});
