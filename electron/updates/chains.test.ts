import { createHash } from 'node:crypto';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { isCommitHash } from '../../shared/model/commit';
import { collect } from '../encodings/testing/collect';
import { type ArrayToWrite, encodeDenseObject, encodeObject } from '../encodings/testing/writeThetaObject';
import { openTensor } from './openTensor';
import { readChainHeader } from './readChainHeader';
import { readInWindows } from './testing/inWindows';
import { makeObjectStore } from './testing/objectStore';
import type { UpdateChain } from './updateChain';

const store = makeObjectStore();
afterAll(() => store.remove());

function list(numbers: Int32Array | Float32Array | BigInt64Array, shape: readonly number[] = [numbers.length]): ArrayToWrite {
  const dtype = numbers instanceof Int32Array ? 'int32' : numbers instanceof Float32Array ? 'float32' : 'int64';
  return { dtype, shape, bytes: new Uint8Array(numbers.buffer) };
}

function dense(values: Float32Array, shape: readonly number[] = [values.length]): Uint8Array {
  return encodeDenseObject('float32', shape, new Uint8Array(values.buffer));
}

function sparse(indices: readonly number[], values: readonly number[], shape: readonly number[]): Uint8Array {
  return encodeObject({
    data: list(Float32Array.from(values)),
    indices: list(Int32Array.from(indices)),
    indptr: list(Int32Array.of(0, indices.length)),
    shape: list(BigInt64Array.from(shape, BigInt)),
  });
}

async function valuesOf(chain: UpdateChain): Promise<Float32Array> {
  const tensor = await openTensor({ kind: 'chain', chain });
  try {
    return new Float32Array(Uint8Array.from(await collect(tensor.blocks())).buffer);
  } finally {
    await tensor.close();
  }
}

async function errorOf(work: Promise<unknown>): Promise<CheckpointError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CheckpointError)) throw new Error(`No CheckpointError: ${String(error)}`);
  return error;
}

describe('long and large chains', () => {
  it('folds 1200 steps', async () => {
    const steps = Array.from({ length: 1200 }, (_, i) => store.step('sparse', sparse([i % 7, 7 + (i % 5)], [1, 0.5], [4, 3])));
    const chain = { group: 'w', steps: [store.step('dense', dense(new Float32Array(12), [4, 3])), ...steps] };
    const values = await valuesOf(chain);
    const expected = new Float32Array(12);
    for (let i = 0; i < 1200; i++) {
      expected[i % 7] = (expected[i % 7] ?? 0) + 1;
      expected[7 + (i % 5)] = (expected[7 + (i % 5)] ?? 0) + 0.5;
    }
    expect(Array.from(values)).toEqual(Array.from(expected));
    expect(await readChainHeader(chain)).toEqual({ dtype: 'float32', shape: [4, 3] });
  });

  it('applies many scattered updates in their order, and lets other kinds come between', async () => {
    // 1 MB: several parts that updates wait for.
    const total = 262_144;
    const expected = Float32Array.from({ length: total }, (_, i) => (i % 5 === 0 ? -0 : i % 71));
    let chain = store.chain(['dense', dense(Float32Array.from(expected))]);
    const add = (kind: 'sparse' | 'ia3' | 'sparse-values', object: Uint8Array) => {
      chain = { ...chain, steps: [...chain.steps, store.step(kind, object)] };
    };
    for (let step = 0; step < 60; step++) {
      const indices = Array.from({ length: 3000 }, (_, i) => i * 87 + ((i * step) % 87));
      const values = indices.map((_, i) => (i % 13) - 6);
      if (step % 20 === 19) {
        add('ia3', encodeObject({ ia3: list(Float32Array.of(-1), [1]) }));
        for (let i = 0; i < total; i++) expected[i] = -(expected[i] ?? 0);
      } else if (step % 7 === 3) {
        const zeros = indices.map(() => -0);
        add('sparse-values', encodeObject({ values: list(Float32Array.from(zeros)), indices: list(Int32Array.from(indices)) }));
        for (const at of indices) expected[at] = -0;
      } else {
        add('sparse', sparse(indices, values, [total]));
        for (let i = 0; i < total; i++) expected[i] = 0 + (expected[i] ?? 0);
        for (const [i, at] of indices.entries()) expected[at] = (expected[at] ?? 0) + (values[i] ?? 0);
      }
    }
    const raw = (values: Float32Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    expect(raw(await valuesOf(chain)).equals(raw(expected))).toBe(true);
    expect(raw(expected).equals(Buffer.from((await readInWindows(chain)).bytes))).toBe(true);
  });

  it('gives the same across windows as in one', async () => {
    // 24 MB: two windows; updates of every kind touch all of them.
    const rows = 6000;
    const columns = 1000;
    const total = rows * columns;
    const base = Float32Array.from({ length: total }, (_, i) => (i % 1013) - 500);
    const ascending = Array.from({ length: 4000 }, (_, i) => i * 1499 + (i % 3));
    const shuffled = ascending.map((_, i) => ascending[(i * 1777) % 4000] ?? 0);
    const doubled = [...shuffled, ...shuffled.slice(0, 100)];
    const left = Float32Array.from({ length: rows * 2 }, (_, i) => (i % 17) - 8);
    const right = Float32Array.from({ length: 2 * columns }, (_, i) => (i % 13) - 6);
    const factor = Float32Array.from({ length: rows }, (_, i) => (i % 3) + 1);
    const values = await valuesOf(
      store.chain(
        ['dense', dense(base, [rows, columns])],
        [
          'sparse',
          sparse(
            ascending,
            ascending.map((i) => i % 11),
            [rows, columns],
          ),
        ],
        [
          'sparse',
          sparse(
            doubled,
            doubled.map((i) => i % 5),
            [rows, columns],
          ),
        ],
        ['low-rank', encodeObject({ R: list(left, [rows, 2]), C: list(right, [2, columns]) })],
        ['ia3', encodeObject({ ia3: list(factor, [rows, 1]) })],
      ),
    );
    for (const i of ascending) base[i] = (base[i] ?? 0) + (i % 11);
    for (const i of doubled) base[i] = (base[i] ?? 0) + (i % 5);
    let wrong = 0;
    for (let i = 0; i < total; i++) {
      const row = Math.floor(i / columns);
      const column = i % columns;
      const product = (left[2 * row] ?? 0) * (right[column] ?? 0) + (left[2 * row + 1] ?? 0) * (right[columns + column] ?? 0);
      if (values[i] !== ((base[i] ?? 0) + product) * (factor[row] ?? 0)) wrong++;
    }
    // All numbers are small and whole, so every order of operations is exact.
    expect(wrong).toBe(0);
  });
});

describe('a damaged store', () => {
  const commit = '0123456789012345678901234567890123456789';
  if (!isCommitHash(commit)) throw new Error('not a commit');
  const good = () => dense(Float32Array.from({ length: 40 }, (_, i) => Math.sin(i)));

  it('names a missing object', async () => {
    const step = { ...store.step('dense', good()), commit };
    rmSync(step.object.path);
    const error = await errorOf(openTensor({ kind: 'chain', chain: { group: 'a/b', steps: [step] } }));
    expect(error.code).toBe('missing-object');
    expect(error.place).toEqual({ group: 'a/b', oid: step.object.oid, file: step.object.path, commit });
    expect((await errorOf(readChainHeader({ group: 'a/b', steps: [step] }))).code).toBe('missing-object');
  });

  it('says how much of a truncated object is there', async () => {
    const bytes = good();
    const chain = store.chain(['dense', bytes]);
    const path = chain.steps[0]?.object.path ?? '';
    writeFileSync(path, bytes.subarray(0, 100));
    const error = await errorOf(openTensor({ kind: 'chain', chain }));
    expect(error.code).toBe('corrupt-object');
    expect(error.message).toContain('truncated');
    expect(error.message).toContain(`100 bytes instead of ${bytes.byteLength}`);
  });

  it.each([
    ['small', 40],
    ['large', 400_000],
  ])('finds a flipped bit, also after the %s object was found sound', async (_, count) => {
    const bytes = Uint8Array.from(dense(Float32Array.from({ length: count }, (_, i) => Math.sin(i))));
    const chain = store.chain(['dense', bytes]);
    const path = chain.steps[0]?.object.path ?? '';
    expect((await valuesOf(chain)).length).toBe(count);
    bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 0x10;
    writeFileSync(path, bytes);
    utimesSync(path, new Date(), new Date(Date.now() + 1000));
    const error = await errorOf(openTensor({ kind: 'chain', chain }));
    expect(error.code).toBe('corrupt-object');
    expect(error.place.group).toBe('layer/weight');
    // Headers are read all the same: they are checked by themselves.
    expect(await readChainHeader(chain)).toEqual({ dtype: 'float32', shape: [count] });
  });
});

describe('updates that do not fit', () => {
  const base = dense(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
  const other = dense(Float32Array.of(1, 2, 3));
  const pair = (left: readonly number[], right: readonly number[]) => {
    const zeros = (shape: readonly number[]) => list(new Float32Array(shape.reduce((product, extent) => product * extent, 1)), shape);
    return encodeObject({ R: zeros(left), C: zeros(right) });
  };
  const withMember = (name: string, array: ArrayToWrite) => {
    const members = {
      data: list(Float32Array.of(1)),
      indices: list(Int32Array.of(0)),
      indptr: list(Int32Array.of(0, 1)),
      shape: list(BigInt64Array.of(2n, 3n)),
    };
    return encodeObject({ ...members, [name]: array });
  };

  it.each([
    ['an index beyond the end', 'sparse', sparse([6], [1], [2, 3])],
    ['a negative index', 'sparse', sparse([-1], [1], [2, 3])],
    ['another shape', 'sparse', sparse([0], [1], [2, 4])],
    ['a negative extent', 'sparse', sparse([0], [1], [-2, 3])],
    ['more extents than axes can be', 'sparse', sparse([0], [1], new Array(65).fill(1))],
    ['a huge shape', 'sparse', sparse([0], [1], [2 ** 40, 2 ** 40])],
    ['more indices than values', 'sparse', withMember('indices', list(Int32Array.of(0, 1)))],
    ['fractional indices', 'sparse', withMember('indices', list(Float32Array.of(0)))],
    ['indptr beyond the values', 'sparse', withMember('indptr', list(Int32Array.of(0, 2)))],
    ['indptr that does not begin at 0', 'sparse', withMember('indptr', list(Int32Array.of(1, 1)))],
    ['indptr for two rows', 'sparse', withMember('indptr', list(Int32Array.of(0, 1, 1)))],
    ['a plain array for sparse', 'sparse', other],
    ['a plain array for ia3', 'ia3', other],
    ['members of another type', 'ia3', sparse([0], [1], [2, 3])],
    ['factors with different ranks', 'low-rank', pair([2, 4], [3, 3])],
    ['factors of another shape', 'low-rank', pair([4, 1], [1, 3])],
    ['scalar factors', 'low-rank', pair([], [1, 3])],
    ['a complete value in the middle', 'dense', other],
  ] as const)('refuses %s', async (_, kind, object) => {
    const chain = store.chain(['dense', base], [kind, object]);
    const error = await errorOf(valuesOf(chain));
    expect(error.code).toBe('malformed');
    expect(error.place.group).toBe('layer/weight');
    expect(error.place.oid).toBe(createHash('sha256').update(object).digest('hex'));
  });

  it('refuses a chain without a base, and a base that is no plain array', async () => {
    expect((await errorOf(valuesOf(store.chain(['sparse', sparse([0], [1], [2, 3])])))).code).toBe('malformed');
    expect((await errorOf(valuesOf({ group: 'g', steps: [] }))).code).toBe('malformed');
    expect((await errorOf(valuesOf(store.chain(['dense', sparse([0], [1], [2, 3])])))).code).toBe('malformed');
  });

  it('ignores members that it does not know', async () => {
    const note = { dtype: 'uint8', shape: [2], bytes: Buffer.from('{}') } as const;
    const update = encodeObject({ theta_desktop: note, ia3: list(Float32Array.of(1, 2, 3)), ['__proto__']: note, constructor: note });
    const first = encodeObject({ theta_desktop: note, parameter: list(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]) });
    expect(Array.from(await valuesOf(store.chain(['dense', first], ['ia3', update])))).toEqual([1, 4, 9, 4, 10, 18]);
  });
});

describe('cancelling', () => {
  it('ends opening and reading', async () => {
    const chain = store.chain(['dense', dense(new Float32Array(3_000_000).fill(1))], ['ia3', encodeObject({ ia3: list(Float32Array.of(2), []) })]);
    const aborted = AbortSignal.abort();
    expect((await errorOf(openTensor({ kind: 'chain', chain }, aborted))).code).toBe('cancelled');
    const tensor = await openTensor({ kind: 'chain', chain });
    expect((await errorOf(collect(tensor.blocks(aborted)))).code).toBe('cancelled');
    const controller = new AbortController();
    const half = (async () => {
      for await (const _ of tensor.blocks(controller.signal)) controller.abort();
    })();
    expect((await errorOf(half)).code).toBe('cancelled');
    await tensor.close();
  });
});

describe('a long chain of small objects', () => {
  it('hears of a cancel while it is opened', async () => {
    const step = store.step('sparse', sparse([1, 2], [1, 0.5], [4, 3]));
    const chain = { group: 'w', steps: [store.step('dense', dense(new Float32Array(12), [4, 3])), ...new Array<typeof step>(100_000).fill(step)] };
    const controller = new AbortController();
    const opening = errorOf(openTensor({ kind: 'chain', chain }, controller.signal));
    setImmediate(() => controller.abort());
    expect((await opening).code).toBe('cancelled');
  });
});

describe('objects of a merge', () => {
  const FOLDER = new URL('../../e2e/fixtures/vectors/merge/', import.meta.url);
  interface Group {
    readonly dtype: string;
    readonly shape: readonly number[];
    readonly values: readonly number[];
  }
  const manifest: { readonly cases: readonly { readonly output: string | null; readonly result: Readonly<Record<string, Group>> | null }[] } = JSON.parse(
    readFileSync(new URL('manifest.json', FOLDER), 'utf8'),
  );

  it.each(manifest.cases.filter(({ output }) => output !== null).map(({ output, result }) => [output ?? '', result] as const))('%s', async (output, result) => {
    const metadata: Readonly<Record<string, { readonly lfs_metadata: unknown }>> = JSON.parse(readFileSync(new URL(output, FOLDER), 'utf8'));
    for (const [group, { dtype, shape, values }] of Object.entries(result ?? {})) {
      // git-theta's averages put the pointer into a list.
      const pointer = [metadata[group]?.lfs_metadata].flat()[0];
      if (typeof pointer !== 'object' || pointer === null || !('oid' in pointer) || typeof pointer.oid !== 'string') throw new Error(`No pointer for ${group}`);
      const tensor = await openTensor({ kind: 'chain', chain: store.chain(['dense', readFileSync(new URL(`objects/${pointer.oid}`, FOLDER))]) });
      expect({ dtype: tensor.dtype, shape: tensor.shape }).toEqual({ dtype, shape });
      const bytes = Uint8Array.from(await collect(tensor.blocks())).buffer;
      const found =
        dtype === 'int64' ? Array.from(new BigInt64Array(bytes), Number) : Array.from(dtype === 'float64' ? new Float64Array(bytes) : new Float32Array(bytes));
      expect(found).toEqual(values);
      await tensor.close();
    }
  });
});
