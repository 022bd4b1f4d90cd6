import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DType, isDType } from '../../../shared/model/dtype';
import { elementCount } from '../../../shared/model/shape';
import { memorySource } from '../../bytes/memorySource';
import { readNpy } from '../../encodings/testing/readNpy';
import { openZarrObject } from '../../encodings/zarr/openZarrObject';
import { bytesOf, isBig, zeroLanes } from '../kernels/lanes';
import { computeSignature, SignatureAccumulator } from './signature';
import { addProjections, OFFSETS } from './signatureKernel';
import { SIGNATURE_MODULE } from './signatureModule';
import data from './signaturePool.json';
import { assembleSignatureModule } from './testing/assembleSignature';

const FOLDER = new URL('../../../e2e/fixtures/vectors/', import.meta.url);

interface Vector {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly sha256_bytes: string;
  readonly signature: readonly string[];
}

const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(new URL('lsh_vectors.json', FOLDER), 'utf8'));

/** The pseudo-random whole numbers that the vectors are defined by. */
function mixed(i: number): number {
  return Number((BigInt(i) * 2654435761n) % 1000003n);
}

const centred = (i: number) => mixed(i) / 1000003 - 0.5;

/** Values by name, where the general formula of the type does not hold. */
const SPECIAL: Readonly<Record<string, (i: number) => number | bigint>> = {
  f32_0d: () => centred(4),
  f32_zeros_1000: () => 0,
  f32_negzeros_1000: () => -0,
  f32_tiny_1000: (i) => centred(i) * 1e-9,
  f32_big_1000: (i) => centred(i) * 1e6,
  f32_overflow_1000: (i) => centred(i) * 1e12,
  f32_nan_1000: (i) => (i === 500 ? Number.NaN : centred(i)),
  f32_inf_1000: (i) => (i === 3 ? Number.POSITIVE_INFINITY : centred(i)),
  f32_infs_1000: (i) => (i === 3 ? Number.POSITIVE_INFINITY : i === 4 ? Number.NEGATIVE_INFINITY : centred(i)),
  f32_subnormal_100: (i) => centred(i) * 1e-39,
  f32_transposed_37x53: (i) => centred((i % 37) * 53 + Math.floor(i / 37)),
  int64_big_8: (i) => BigInt(mixed(i) - 500000) * 9007199254741n + 1n,
};

const GENERAL: Readonly<Record<string, (i: number) => number | bigint>> = {
  float32: centred,
  float64: centred,
  int8: (i) => (mixed(i) % 256) - 128,
  uint8: (i) => mixed(i) % 256,
  int16: (i) => (mixed(i) % 65536) - 32768,
  uint16: (i) => mixed(i) % 65536,
  int32: (i) => mixed(i) - 500000,
  uint32: mixed,
  int64: (i) => BigInt(mixed(i) - 500000),
  uint64: (i) => BigInt(mixed(i)),
  bool: (i) => mixed(i) % 2,
};

function valuesOf({ name, dtype, shape }: Vector): { readonly dtype: DType; readonly bytes: Uint8Array } {
  if (!isDType(dtype)) throw new Error(dtype);
  const value = SPECIAL[name] ?? GENERAL[dtype];
  if (value === undefined) throw new Error(name);
  const count = elementCount(shape);
  const lanes = zeroLanes(dtype, count);
  for (let i = 0; i < count; i++) {
    if (isBig(lanes)) lanes[i] = BigInt(value(i));
    else lanes[i] = Number(value(i));
  }
  return { dtype, bytes: bytesOf(lanes) };
}

describe('signatures of git-theta', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const { dtype, bytes } = valuesOf(vector);
    // The values are what the vector was made of before anything is said about the signature.
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(vector.sha256_bytes);
    const whole = new SignatureAccumulator(dtype);
    whole.add(bytes);
    expect(whole.finish().map(String)).toEqual(vector.signature);
  });

  it.each([1, 7, 16, 17, 1000])('does not depend on where blocks end (%i elements)', (size) => {
    const vector = vectors.find(({ name }) => name === 'f32_10001');
    if (vector === undefined) throw new Error('missing vector');
    const { dtype, bytes } = valuesOf(vector);
    const pieces = new SignatureAccumulator(dtype);
    for (let at = 0; at < bytes.byteLength; at += 4 * size) pieces.add(bytes.subarray(at, at + 4 * size));
    expect(pieces.finish().map(String)).toEqual(vector.signature);
  });

  it.each([1, 16, 100, 5000, 70_001])('is the same for bfloat16 as for the same values in wider types (%i elements)', (count) => {
    const halves = Uint16Array.from({ length: count }, (_, i) => (i % 97 === 0 ? 0x8000 | (i % 100) : 0x3c00 + ((mixed(i) % 1024) | ((i & 1) << 15))));
    const floats = new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
    const [half, single, double] = [['bfloat16', halves] as const, ['float32', floats] as const, ['float64', Float64Array.from(floats)] as const].map(
      ([dtype, values]) => {
        const signature = new SignatureAccumulator(dtype);
        const bytes = new Uint8Array(values.buffer);
        // Not aligned for the elements.
        const moved = new Uint8Array(bytes.length + 1);
        moved.set(bytes, 1);
        signature.add(moved.subarray(1));
        return signature.finish().map(String);
      },
    );
    expect(half).toEqual(double);
    expect(single).toEqual(double);
  });

  it('has the pool and the offsets of the fixtures', () => {
    expect(Buffer.compare(Buffer.from(data.pool, 'base64'), readFileSync(new URL('lsh_pool.f64', FOLDER)))).toBe(0);
    expect(data.offsets).toEqual(JSON.parse(readFileSync(new URL('lsh_offsets.json', FOLDER), 'utf8')));
  });
});

interface UpdateVector {
  readonly case: string;
  readonly object: { readonly file: string };
  readonly expected: { readonly file: string | null; readonly dtype: string; readonly shape: readonly number[] };
  /** Absent for updates, `null` where git-theta cannot compute one. */
  readonly signature?: readonly string[] | null;
}

const updates: readonly UpdateVector[] = JSON.parse(readFileSync(new URL('updates/manifest.json', FOLDER), 'utf8'));

describe('signatures of stored values', () => {
  it.each(updates.filter(({ signature }) => Array.isArray(signature)).map((vector) => [vector.case, vector] as const))('%s', async (_, vector) => {
    const { file, dtype, shape } = vector.expected;
    if (!isDType(dtype)) throw new Error(dtype);
    const stored =
      file === null ? (await openZarrObject(memorySource(readFileSync(new URL(`updates/${vector.object.file}`, FOLDER))))).get('parameter') : undefined;
    const bytes = file === null ? new Uint8Array(0) : readNpy(readFileSync(new URL(`updates/${file}`, FOLDER))).bytes;
    const blocks = async function* () {
      if (stored === undefined) yield bytes;
      else yield* stored.blocks();
    };
    const signature = await computeSignature({ dtype, shape, blocks, close: async () => {} });
    expect(signature.map(String)).toEqual(vector.signature);
  });
});

/** The sum of one signature as git-theta has it: `x[i] * pool[(i XOR offset) mod 10000]`, in whole numbers of any size, with Python's remainder. */
function projected(values: Float64Array, { first, offset }: { readonly first: number; readonly offset: bigint }): number {
  const pool = readFileSync(new URL('lsh_pool.f64', FOLDER));
  let sum = 0;
  for (const [i, value] of values.entries()) {
    const index = BigInt.asIntN(64, BigInt(first + i) ^ offset);
    sum += value * pool.readDoubleLE(8 * Number(((index % 10000n) + 10000n) % 10000n));
  }
  return sum;
}

describe('the kernel of the signature', () => {
  it('is the module that is assembled for its offsets', () => {
    expect(SIGNATURE_MODULE).toBe(Buffer.from(assembleSignatureModule(OFFSETS)).toString('base64'));
  });

  // Nobody makes a tensor of 2^31 elements for it: what is there at an index shows how that index is used.
  it.each([0, 2 ** 31 - 100, 2 ** 31, 2 ** 32 - 7, 2 ** 34 - 40, 2 ** 34, 2 ** 40 + 5])('takes the elements from index %i on by the formula', (first) => {
    const values = Float64Array.from({ length: 80 }, (_, i) => centred(i + 1));
    const sums = new Float64Array(16);
    addProjections(sums, { first, count: values.length }, { f64: (at, into) => into.set(values.subarray(at, at + into.length)) });
    expect(Array.from(sums)).toEqual(data.offsets.map((offset) => projected(values, { first, offset: BigInt(offset) })));
  });
});
