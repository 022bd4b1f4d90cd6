import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isDType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import { GIT_THETA_KINDS } from '../../../shared/model/update';
import { memorySource } from '../../bytes/memorySource';
import { collect } from '../../encodings/testing/collect';
import { readNpy } from '../../encodings/testing/readNpy';
import { openZarrObject } from '../../encodings/zarr/openZarrObject';
import { makeStore, planOf, type Value } from './testing/storeSetup';

interface Stored {
  /** `null` where a value is too large to be kept. */
  readonly file: string | null;
  readonly dtype: string;
  readonly shape: Shape;
}

/** Objects that git-theta wrote, the values before them, and what git-theta makes of both. */
interface Vector {
  readonly case: string;
  readonly update_type: string;
  readonly object: { readonly file: string };
  readonly previous?: Stored;
  readonly expected?: Stored & { readonly sha256_raw: string };
  readonly signature?: readonly string[] | null;
}

const folder = new URL('../../../e2e/fixtures/vectors/updates/', import.meta.url);
const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'));

const store = makeStore();
afterAll(() => store.remove());

function load({ file, dtype, shape }: Stored): Value {
  if (!isDType(dtype) || file === null) throw new Error(dtype);
  return { dtype, shape, bytes: Uint8Array.from(readNpy(readFileSync(new URL(file, folder))).bytes) };
}

/** The members of git-theta's object, as a file of update data would give them. */
async function declaredMembers(file: string) {
  const members = await openZarrObject(memorySource(readFileSync(new URL(file, folder))));
  return Promise.all(
    [...members].map(async ([member, array]) => ({ member, plan: planOf({ dtype: array.dtype, shape: array.shape, bytes: await collect(array.blocks()) }) })),
  );
}

const withExpected = vectors.flatMap((vector) =>
  vector.expected === undefined || vector.expected.file === null ? [] : [[vector.case, { ...vector, expected: vector.expected }] as const],
);
const incremental = withExpected.flatMap(([name, vector]) =>
  vector.previous === undefined ? [] : [[name, { ...vector, previous: vector.previous }] as const],
);

describe("git-theta's values", () => {
  it.each(withExpected)('%s: stored and read again, with digest and signature', async (_, { expected, signature }) => {
    const value = load(expected);
    const stored = await store.put(value);
    expect(stored.sha256).toBe(expected.sha256_raw);
    if (signature !== undefined && signature !== null) expect(stored.signature.map(String)).toEqual(signature);
    expect(Buffer.from((await store.read(store.extend(null, stored))).bytes)).toEqual(Buffer.from(value.bytes));
  });

  it.each(incremental)('%s: stored on top of the previous value', async (_, { previous, expected }) => {
    const base = store.extend(null, await store.put(load(previous)));
    for (const choice of ['auto', 'sparse', 'low-rank', 'ia3'] as const) {
      const stored = await store.put(load(expected), { base, choice });
      expect(stored.sha256).toBe(expected.sha256_raw);
      expect(Buffer.from((await store.read(store.extend(base, stored))).bytes)).toEqual(Buffer.from(load(expected).bytes));
    }
  });
});

describe("git-theta's updates as declared ones", () => {
  const fitting = incremental.filter(([, { previous, expected }]) => previous.dtype === expected.dtype && String(previous.shape) === String(expected.shape));

  it.each(fitting.filter(([name]) => !name.includes('fallback')))('%s', async (_, { update_type, object, previous, expected, signature }) => {
    const kind = GIT_THETA_KINDS.find((known) => known === update_type) ?? 'dense';
    const base = store.extend(null, await store.put(load(previous)));
    const stored = await store.put(null, { base, choice: kind, declared: await declaredMembers(object.file) });
    expect(stored).toMatchObject({ kind, dtype: expected.dtype, shape: expected.shape, sha256: expected.sha256_raw });
    if (signature !== undefined && signature !== null) expect(stored.signature.map(String)).toEqual(signature);
    const read = await store.read(store.extend(base, stored));
    expect(Buffer.from(read.bytes)).toEqual(Buffer.from(load(expected).bytes));
  });

  it.each(incremental.filter((entry) => !fitting.includes(entry)))('%s changes the type or shape and is refused', async (_, { object, previous }) => {
    const base = store.extend(null, await store.put(load(previous)));
    const refused = store.put(null, { base, declared: await declaredMembers(object.file) });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(/the group is .*/),
      place: { group: 'layer/weight' },
    });
  });
});
