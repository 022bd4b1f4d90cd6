import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type DType, dtypeBytes, isDType } from '../../shared/model/dtype';
import type { UpdateKind } from '../../shared/model/update';
import { collect } from '../encodings/testing/collect';
import { encodeDenseObject, encodeObject } from '../encodings/testing/writeThetaObject';
import { openTensor } from './openTensor';
import { readInWindows } from './testing/inWindows';
import { makeObjectStore } from './testing/objectStore';

type Packed = readonly [dtype: string, shape: readonly number[], base64: string];

interface Sample {
  readonly name: string;
  readonly kind: UpdateKind;
  readonly previous: Packed;
  readonly members: Readonly<Record<string, Packed>>;
  readonly expected: Packed;
  /** `false` where NumPy's order of summation or fusing depends on the machine: float64 and complex products. */
  readonly exact: boolean;
}

/**
 * Computed by NumPy 2.4 (bfloat16 by ml_dtypes 0.6, sparse matrices by scipy 1.17) with the expressions that git-theta uses, for all pairs
 * of element types and values with both zeros, NaN, infinities and the extremes of the integers.
 */
const samples: readonly Sample[] = JSON.parse(readFileSync(new URL('testing/numpyUpdates.json', import.meta.url), 'utf8'));

const store = makeObjectStore();
afterAll(() => store.remove());

function unpack([dtype, shape, base64]: Packed): { readonly dtype: DType; readonly shape: readonly number[]; readonly bytes: Uint8Array } {
  if (!isDType(dtype)) throw new Error(dtype);
  return { dtype, shape, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) };
}

describe('updates as NumPy applies them', () => {
  it.each(samples.map((sample) => [sample.name, sample] as const))('%s', async (_, { kind, previous, members, expected, exact }) => {
    const before = unpack(previous);
    const object = encodeObject(Object.fromEntries(Object.entries(members).map(([name, packed]) => [name, unpack(packed)])));
    const chain = store.chain(['dense', encodeDenseObject(before.dtype, before.shape, before.bytes)], [kind, object]);
    const tensor = await openTensor({ kind: 'chain', chain });
    const right = unpack(expected);
    expect({ dtype: tensor.dtype, shape: tensor.shape }).toEqual({ dtype: right.dtype, shape: right.shape });
    const bytes = await collect(tensor.blocks());
    await tensor.close();
    // Large values are computed in windows, with the same result.
    const inWindows = await readInWindows(chain);
    expect({ ...inWindows, bytes: hex(inWindows.bytes, right.dtype) }).toEqual({ dtype: right.dtype, shape: right.shape, bytes: hex(bytes, right.dtype) });
    if (exact) expect(hex(bytes, right.dtype)).toEqual(hex(right.bytes, right.dtype));
    else expectClose(bytes, right);
  });
});

/** Element by element, so that a difference is readable. */
function hex(bytes: Uint8Array, dtype: DType): string[] {
  const item = dtypeBytes(dtype);
  return Array.from({ length: bytes.byteLength / item }, (_, i) =>
    Buffer.from(Uint8Array.from(bytes.subarray(i * item, (i + 1) * item)).reverse()).toString('hex'),
  );
}

function expectClose(bytes: Uint8Array, right: { readonly dtype: DType; readonly bytes: Uint8Array }): void {
  const single = right.dtype === 'complex64';
  const parts = (raw: Uint8Array) => (single ? new Float32Array(Uint8Array.from(raw).buffer) : new Float64Array(Uint8Array.from(raw).buffer));
  const other = parts(right.bytes);
  const found = parts(bytes);
  expect(found.length).toBe(other.length);
  for (const [i, value] of found.entries()) {
    const wanted = other[i] ?? 0;
    if (Number.isNaN(wanted) || !Number.isFinite(wanted)) expect(value).toBe(wanted);
    // Parts of complex products cancel: what was cancelled counts.
    else expect(Math.abs(value - wanted)).toBeLessThanOrEqual(4 * (single ? 2 ** -23 : 2 ** -52) * Math.max(magnitude(other), Math.abs(wanted)));
  }
}

function magnitude(parts: Float32Array | Float64Array): number {
  return Math.max(1, ...Array.from(parts).filter(Number.isFinite).map(Math.abs));
}
