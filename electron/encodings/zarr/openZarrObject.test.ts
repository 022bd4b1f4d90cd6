import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { collect } from '../testing/collect';
import { openZarrObject } from './openZarrObject';

const FOLDER = new URL('../../../e2e/fixtures/vectors/updates/', import.meta.url);

interface VectorCase {
  readonly case: string;
  readonly update_type: string;
  readonly object: { readonly file: string; readonly members: Readonly<Record<string, { readonly dtype: string; readonly shape: readonly number[] }>> };
  readonly expected: { readonly sha256_raw?: string };
}

const cases: readonly VectorCase[] = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8'));

describe('objects that git-theta wrote', () => {
  it.each(cases.map((vector) => [vector.case, vector] as const))('%s', async (_, { update_type, object, expected }) => {
    const arrays = await openZarrObject(memorySource(readFileSync(new URL(object.file, FOLDER))));
    const found = Object.fromEntries([...arrays].map(([name, { dtype, shape }]) => [name, { dtype, shape: [...shape] }]));
    expect(found).toEqual(object.members);
    const array = arrays.get('parameter');
    if (update_type !== 'dense' || array === undefined || expected.sha256_raw === undefined) return;
    const bytes = await collect(array.blocks());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(expected.sha256_raw);
  });

  it('reads the padded second chunk of an array in two chunks', async () => {
    const arrays = await openZarrObject(memorySource(readFileSync(new URL('dense_f32_multichunk_1100x1000.lfs', FOLDER))));
    const array = arrays.get('parameter');
    if (array === undefined) throw new Error('no array');
    const bytes = await collect(array.blocks());
    expect(Buffer.compare(bytes, new Uint8Array(Float32Array.from({ length: 1_100_000 }, (_, i) => i % 97).buffer))).toBe(0);
  });
});
