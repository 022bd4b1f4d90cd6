import { readFileSync } from 'node:fs';
import { decode } from '@msgpack/msgpack';
import { afterAll, describe, expect, it } from 'vitest';
import { DTYPES, dtypeBytes } from '../../../shared/model/dtype';
import type { UpdateChain } from '../updateChain';
import { floats, makeStore, planOf, sha256, type Value } from './testing/storeSetup';

const store = makeStore();
afterAll(() => store.remove());

const OWN = { ownTypes: true } as const;

/** Bytes without a pattern. */
function anyBytes(count: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

/** Numbers from 1 to 2 without a pattern. */
function numbers(count: number): Float32Array {
  const bytes = anyBytes(3 * count);
  return Float32Array.from({ length: count }, (_, i) => 1 + ((bytes[3 * i] ?? 0) * 65536 + (bytes[3 * i + 1] ?? 0) * 256 + (bytes[3 * i + 2] ?? 0)) / 2 ** 24);
}

async function change(before: Value, after: Value, more: Parameters<typeof store.put>[1] = OWN) {
  const base = store.extend(null, await store.put(before));
  const stored = await store.put(after, { base, ...more });
  const read = await store.read(store.extend(base, stored));
  expect({ dtype: read.dtype, shape: read.shape, bits: Buffer.compare(read.bytes, after.bytes) }).toEqual({ dtype: after.dtype, shape: after.shape, bits: 0 });
  expect(stored.sha256).toBe(sha256(after.bytes));
  return stored;
}

function edited(values: Float32Array, edit: (copy: Float32Array) => void): Value {
  const copy = values.slice();
  edit(copy);
  return floats(copy, [100, values.length / 100]);
}

describe('new values, where they are allowed', () => {
  it.each(DTYPES.map((dtype) => [dtype] as const))('%s: any bits become any others', async (dtype) => {
    const item = dtypeBytes(dtype);
    const count = 30_000;
    const bytes = dtype === 'bool' ? anyBytes(count).map((byte) => byte & 1) : anyBytes(count * item);
    const after = bytes.slice();
    for (let i = 0; i < 60; i++) {
      const at = (i * 499 + 7) * item;
      for (let part = 0; part < item; part++) after[at + part] = (after[at + part] ?? 0) ^ (dtype === 'bool' ? 1 : 0xa5 + part + i);
    }
    const value = (raw: Uint8Array): Value => ({ dtype, shape: [100, count / 100], bytes: raw });
    const stored = await change(value(bytes), value(after));
    // Integers wrap: for these a difference always exists.
    expect(stored.kind).toBe(/^u?int/.test(dtype) ? 'sparse' : 'sparse-values');
    expect(stored.bytes).toBeLessThan(0.2 * bytes.byteLength + 1500);
    expect(stored.notes).toEqual([]);
  });

  const values = numbers(10_000);
  const before = edited(values, () => {});
  const bits = (copy: Float32Array) => new Uint32Array(copy.buffer);

  it.each<[string, (copy: Float32Array) => void]>([
    ['becomes NaN with a payload', (copy) => bits(copy).set([0xffc0beef], 5)],
    ['becomes a signalling NaN', (copy) => bits(copy).set([0x7f800001], 5)],
    ['becomes -0.0', (copy) => copy.set([-0], 5)],
    ['changes its sign and nearly nothing else', (copy) => copy.set([Math.fround(-1e-9 * (copy[5] ?? 0))], 5)],
    ['shrinks below what a difference resolves', (copy) => copy.set([1.2345e-12], 5)],
  ])('one element %s', async (_, edit) => {
    const after = edited(values, edit);
    expect(await change(before, after)).toMatchObject({ kind: 'sparse-values', notes: [] });
    expect((await change(before, after, {})).kind).toBe('dense');
    expect(await change(before, after, { ...OWN, choice: 'sparse' })).toMatchObject({
      kind: 'dense',
      notes: [expect.stringMatching(/^Stored as a full copy, because/)],
    });
  });

  it.each<[string, (copy: Float32Array) => void]>([
    ['an infinity goes', (copy) => copy.set([Number.NEGATIVE_INFINITY], 9)],
    ['a -0.0 stays', (copy) => copy.set([-0], 9)],
    ['a NaN stays', (copy) => bits(copy).set([0x7fc0dead], 9)],
  ])('%s', async (_, edit) => {
    const wild = values.slice();
    edit(wild);
    const after = edited(wild, (copy) => copy.set([1.5], Object.is(wild[9], Number.NEGATIVE_INFINITY) ? 9 : 77));
    expect(
      (
        await change(
          edited(wild, () => {}),
          after,
        )
      ).kind,
    ).toBe('sparse-values');
    expect(
      (
        await change(
          edited(wild, () => {}),
          after,
          {},
        )
      ).kind,
    ).toBe('dense');
  });

  it('of nothing at all are stored for what no arithmetic leaves alone', async () => {
    const zeros = edited(values, (copy) => copy.set([-0], 9));
    expect((await change(before, before)).kind).toBe('sparse');
    expect((await change(zeros, zeros)).kind).toBe('sparse-values');
  });

  it('are not taken where git-theta has an update that is about as small', async () => {
    const some = edited(values, (copy) => copy.set(copy.map((value, i) => (i % 50 === 3 ? value * 1.01 : value))));
    const with_ = await change(before, some);
    expect(with_).toEqual({ ...(await change(before, some, {})), mark: expect.anything() });
    expect(with_.kind).toBe('sparse');
    const halved = edited(values, (copy) => copy.set(copy.map((value) => value / 2)));
    expect((await change(before, halved)).kind).toBe('ia3');
  });

  it('are taken where the differences are clearly larger', async () => {
    const cut = edited(values, (copy) => copy.set(copy.map((value, i) => (i % 6 === 0 ? 0 : value))));
    const [own, theirs] = [await change(before, cut), await change(before, cut, {})];
    expect([own.kind, theirs.kind]).toEqual(['sparse-values', 'sparse']);
    expect(own.bytes * 1.25).toBeLessThan(theirs.bytes);
  });

  it('may be up to half of the elements, and are no update beyond', async () => {
    const noisy = (part: number) => edited(values, (copy) => copy.set(copy.map((value, i) => (i % 100 < part ? -Math.fround(value * 1e-6) : value))));
    expect((await change(before, noisy(49))).kind).toBe('sparse-values');
    expect((await change(before, noisy(51))).kind).toBe('dense');
  });

  it('are an object of two lists and our notes', async () => {
    const base = store.extend(null, await store.put(before));
    const stored = await store.put(
      edited(values, (copy) => copy.set([-0, Number.NaN], 5)),
      { base, ...OWN },
    );
    const path = store.extend(base, stored).steps[1]?.object.path ?? '';
    const object = decode(readFileSync(path)) as Record<string, Record<string, Uint8Array>>;
    expect(Object.keys(object)).toEqual(['values', 'indices', 'theta_desktop']);
    const header = (name: string): unknown => JSON.parse(Buffer.from(object[name]?.['.zarray'] ?? []).toString());
    expect(header('values')).toMatchObject({ dtype: '<f4', shape: [2] });
    expect(header('indices')).toMatchObject({ dtype: '<i4', shape: [2], compressor: null });
    expect(Buffer.from(object.indices?.['0'] ?? [])).toEqual(Buffer.from(Int32Array.of(5, 6).buffer));
    expect(
      await store.put(
        edited(values, (copy) => copy.set([-0, Number.NaN], 5)),
        { base, ...OWN, objects: null },
      ),
    ).toEqual({ ...stored, mark: null });
  });
});

describe('a chain with new values in it', () => {
  async function grown(): Promise<{ readonly chain: UpdateChain; readonly last: Float32Array }> {
    const last = numbers(10_000);
    const wrap = () => floats(last, [100, 100]);
    let chain = store.extend(null, await store.put(wrap()));
    const kinds: string[] = [];
    const step = async (edit: () => void) => {
      edit();
      const stored = await store.put(wrap(), { base: chain, ...OWN });
      chain = store.extend(chain, stored);
      kinds.push(stored.kind);
      expect(Buffer.compare((await store.read(chain)).bytes, wrap().bytes)).toBe(0);
    };
    await step(() => last.set([1.75], 3));
    await step(() => last.set([-0, Number.NaN], 50));
    await step(() => last.set([0.25, 0.5, -1e-12], 50));
    await step(() => last.set(last.map((value, i) => value * (1 + Math.floor(i / 100) / 4))));
    await step(() => last.set([-(last[7] ?? 0) / 1e9], 7));
    expect(kinds).toEqual(['sparse', 'sparse-values', 'sparse-values', 'ia3', 'sparse-values']);
    return { chain, last };
  }

  it('mixes with sparse and ia3, every version bit for bit', async () => {
    await grown();
  });

  it('is not continued where git-theta has to read what comes after', async () => {
    const { chain, last } = await grown();
    last.set([1.75], 8);
    const note = expect.stringMatching(/^Stored as a full copy, because git-theta cannot read the previous value: .*theta\.updates/);
    expect(await store.put(floats(last, [100, 100]), { base: chain })).toMatchObject({ kind: 'dense', notes: [note] });
    const declared = [{ member: 'ia3', plan: planOf(floats([2])) }];
    expect(await store.put(null, { base: chain, declared })).toMatchObject({ kind: 'dense', notes: [note] });
    expect(await store.put(null, { base: chain, declared, ...OWN })).toMatchObject({ kind: 'ia3', notes: [] });
  });

  it('takes no new values as a declared update', async () => {
    const { chain } = await grown();
    const declared = [
      { member: 'values', plan: planOf(floats([2])) },
      { member: 'indices', plan: planOf({ dtype: 'int32', shape: [1], bytes: new Uint8Array(4) }) },
    ];
    await expect(store.put(null, { base: chain, declared, ...OWN })).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
