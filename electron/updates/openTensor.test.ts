import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type DType, isDType } from '../../shared/model/dtype';
import { isUpdateKind } from '../../shared/model/update';
import { collect } from '../encodings/testing/collect';
import { readNpy } from '../encodings/testing/readNpy';
import { encodeDenseObject } from '../encodings/testing/writeThetaObject';
import { openTensor } from './openTensor';
import { readChainHeader } from './readChainHeader';
import { makeObjectStore } from './testing/objectStore';
import type { UpdateChain } from './updateChain';

const FOLDER = new URL('../../e2e/fixtures/vectors/updates/', import.meta.url);

interface VectorCase {
  readonly case: string;
  readonly update_type: string;
  readonly object: { readonly file: string; readonly sha256: string };
  readonly previous?: { readonly file: string; readonly dtype: string };
  readonly expected: { readonly file: string | null; readonly dtype: string; readonly shape: readonly number[]; readonly sha256_raw?: string };
}

const cases: readonly VectorCase[] = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8'));

/**
 * The products of these were made by a BLAS whose order of summation differs from the one that the format fixes; everything else must
 * agree bit for bit.
 */
const WITHIN_ROUNDING = new Set(['lowrank_computed_f32', 'lowrank_side_f64']);

const store = makeObjectStore();
afterAll(() => store.remove());

function known(dtype: string): DType {
  if (!isDType(dtype)) throw new Error(`Unknown dtype ${dtype}`);
  return dtype;
}

function read(file: string): Uint8Array {
  return readFileSync(new URL(file, FOLDER));
}

function chainOf(vector: VectorCase): UpdateChain {
  const { update_type: kind, object, previous } = vector;
  if (!isUpdateKind(kind)) throw new Error(kind);
  const bytes = read(object.file);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(object.sha256);
  if (previous === undefined) return store.chain([kind, bytes]);
  const { shape, bytes: before } = readNpy(read(previous.file));
  return store.chain(['dense', encodeDenseObject(known(previous.dtype), shape, before)], [kind, bytes]);
}

describe("git-theta's updates", () => {
  it.each(cases.filter((vector) => vector.expected.file !== null).map((vector) => [vector.case, vector] as const))('%s', async (name, vector) => {
    const chain = chainOf(vector);
    const tensor = await openTensor({ kind: 'chain', chain });
    try {
      const expected = readNpy(read(vector.expected.file ?? ''));
      expect({ dtype: tensor.dtype, shape: tensor.shape }).toEqual({ dtype: vector.expected.dtype, shape: expected.shape });
      expect(await readChainHeader(chain)).toEqual({ dtype: vector.expected.dtype, shape: expected.shape });
      const bytes = await collect(tensor.blocks());
      if (WITHIN_ROUNDING.has(name)) expectClose(bytes, expected.bytes, vector.expected.dtype);
      else expect(Buffer.compare(bytes, expected.bytes)).toBe(0);
      // A second reading starts from the front.
      expect(Buffer.compare(await collect(tensor.blocks()), bytes)).toBe(0);
    } finally {
      await tensor.close();
    }
  });
});

function expectClose(found: Uint8Array, expected: Uint8Array, dtype: string): void {
  const floats = (bytes: Uint8Array) => {
    const copy = Uint8Array.from(bytes).buffer;
    return dtype === 'float64' ? new Float64Array(copy) : new Float32Array(copy);
  };
  const other = floats(expected);
  const epsilon = dtype === 'float64' ? 2 ** -52 : 2 ** -23;
  expect(found.byteLength).toBe(expected.byteLength);
  for (const [i, value] of floats(found).entries()) expect(Math.abs(value - (other[i] ?? 0))).toBeLessThanOrEqual(8 * epsilon * Math.max(1, Math.abs(value)));
}
