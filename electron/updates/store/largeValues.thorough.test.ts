import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DType } from '../../../shared/model/dtype';
import { toBfloat16, toFloat16 } from '../../tensors/kernels/smallFloats';
import type { TensorPlan } from '../updateChain';
import { ChangeCollector } from './collectChanges';
import { makeStore, sha256 } from './testing/storeSetup';

const store = makeStore();
const folder = mkdtempSync(join(tmpdir(), 'theta-large-'));
afterAll(() => {
  store.remove();
  rmSync(folder, { recursive: true });
});

/** 48 MB in float32: more than is kept in memory between two passes. */
const ROWS = 12_000;
const COLUMNS = 1000;

function random(count: number): Float32Array {
  const values = new Float32Array(count);
  for (let i = 0, state = 7; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = (state >>> 8) / 2 ** 24 - 0.5;
  }
  return values;
}

function onDisk(name: string, bytes: Uint8Array, dtype: DType, shape: readonly number[]): TensorPlan {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { kind: 'ref', group: 'layer/weight', ref: { dtype, shape, source: { kind: 'file', path }, offset: 0, strides: null, bigEndian: false } };
}

describe('a value that does not stay in memory', () => {
  const before = random(ROWS * COLUMNS);
  const bytesOf = (values: Float32Array) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

  it.each([
    ['sparse', (value: number, i: number) => (i % 999_983 === 17 ? value + Math.fround(0.001) : value)],
    ['ia3', (value: number, i: number) => value * Math.fround(1 + Math.floor(i / COLUMNS) / ROWS)],
    ['dense', (value: number, i: number) => value + Math.fround(1e-3 * Math.sin(i))],
  ] as const)('%s', async (kind, edit) => {
    const after = before.map(edit);
    const plan = (name: string, values: Float32Array) => onDisk(name, bytesOf(values), 'float32', [ROWS, COLUMNS]);
    const base = store.extend(null, await store.put(null, { value: plan('before', before) }));
    const stored = await store.put(null, { value: plan('after', after), base });
    expect(stored).toMatchObject({ kind, sha256: sha256(bytesOf(after)), notes: [] });
    const read = await store.read(store.extend(base, stored));
    expect(sha256(read.bytes)).toBe(stored.sha256);
  });
});

describe('scaled 16-bit floats', () => {
  it.each(['float16', 'bfloat16'] as const)('%s: ia3', async (dtype) => {
    const encode = dtype === 'float16' ? toFloat16 : toBfloat16;
    const decode = (bits: number) => {
      const word = new Uint32Array(1);
      const single = new Float32Array(word.buffer);
      if (dtype === 'bfloat16') word[0] = bits << 16;
      // A normal binary16 number: another bias, a longer fraction.
      else word[0] = ((bits & 0x8000) << 16) | (((bits & 0x7fff) << 13) + (112 << 23));
      return single[0] ?? 0;
    };
    const before = Uint16Array.from(random(40_000), (value) => encode(value + Math.sign(value) * 0.25));
    const factors = Array.from({ length: 200 }, (_, row) => decode(encode(1 + row / 100)));
    const after = before.map((bits, i) => encode(Math.fround(decode(bits) * (factors[Math.floor(i / 200)] ?? 1))));
    const value = (bits: Uint16Array) => ({ dtype, shape: [200, 200], bytes: new Uint8Array(Uint16Array.from(bits).buffer) });
    const base = store.extend(null, await store.put(value(before)));
    const stored = await store.put(value(after), { base, choice: 'ia3' });
    expect(stored).toMatchObject({ kind: 'ia3', notes: [] });
    expect(sha256((await store.read(store.extend(base, stored))).bytes)).toBe(sha256(value(after).bytes));
  });
});

describe('positions of a value with more elements than an int32 counts', () => {
  it('are int64', () => {
    const collector = new ChangeCollector('uint8', [2 ** 32, 2]);
    collector.add(0, Uint8Array.of(1, 2, 3), Uint8Array.of(1, 9, 3));
    collector.add(2 ** 32 + 5, Uint8Array.of(1, 200), Uint8Array.of(1, 3));
    const changes = collector.finish();
    expect(changes?.indices).toEqual(BigInt64Array.of(1n, 4294967302n));
    expect(Array.from(changes?.data ?? [])).toEqual([7, 59]);
  });
});
