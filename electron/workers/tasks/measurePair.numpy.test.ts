import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PairStructure } from '../../../shared/model/pairNumbers';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import type { TensorPlan } from '../../updates/updateChain';
import { type MeasurePairOutput, measurePair } from './measurePair';

/** Made by NumPy in wider precision; `definitions` in the file says what is what. Its rtol and atol are those of `numpy.isclose`. */
const folder = new URL('../../../e2e/fixtures/numbers/', import.meta.url);
const expectedPair = v.object({
  what: v.string(),
  max_abs: v.number(),
  mean_abs: v.number(),
  rms: v.number(),
  relative_l2: v.number(),
  cosine: v.number(),
  changed_bitwise: v.number(),
  changed_allclose: v.number(),
  sign_flips: v.number(),
  singular_values_head: v.optional(v.array(v.number())),
  true_rank: v.optional(v.number()),
  permutation: v.optional(v.array(v.number())),
});
const { pairs } = v.parse(v.object({ pairs: v.record(v.string(), expectedPair) }), JSON.parse(await readFile(new URL('expected.json', folder), 'utf8')));

const found = new Map<string, MeasurePairOutput>();
const context = { signal: new AbortController().signal, progress: () => {} };

async function plansOf(file: string): Promise<Map<string, TensorPlan>> {
  const path = fileURLToPath(new URL(file, folder));
  const { groups } = await openCheckpointFile({ kind: 'file', path }, path);
  return new Map(groups.flatMap(({ keys, data }) => ('code' in data ? [] : [[keys.join('/'), { kind: 'ref', group: keys.join('/'), ref: data }] as const])));
}

beforeAll(async () => {
  const [before, after] = await Promise.all([plansOf('a.safetensors'), plansOf('b.safetensors')]);
  for (const name of Object.keys(pairs)) {
    const [a, b] = [before.get(name), after.get(name)];
    if (a === undefined || b === undefined) throw new Error(`The files have no ${name}`);
    found.set(name, await measurePair({ before: a, after: b, rtol: 1e-5, atol: 1e-8, largest: 10, bins: 0, structure: true, closeness: true }, context));
  }
});

const of = (name: string): MeasurePairOutput => {
  const output = found.get(name);
  if (output === undefined) throw new Error(`${name} was not measured`);
  return output;
};
const structureOf = (name: string): PairStructure =>
  of(name).structure ?? { rank: null, rankIsAtLeast: false, spectrum: [], scaling: null, permutation: null, words: [] };

/** Within 1e-12 of a number that NumPy computed. */
function near(actual: number | null, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-12 * Math.abs(expected));
}

describe.each(Object.entries(pairs))('%s', (name, expected) => {
  it(`has the numbers that NumPy gives: ${expected.what}`, () => {
    const { numbers } = of(name);
    expect([numbers.changed, numbers.beyond, numbers.signFlips]).toEqual([expected.changed_bitwise, expected.changed_allclose, expected.sign_flips]);
    near(numbers.maxAbs, expected.max_abs);
    near(numbers.meanAbs, expected.mean_abs);
    near(numbers.rms, expected.rms);
    near(numbers.relativeL2, expected.relative_l2);
    near(numbers.cosine, expected.cosine);
  });

  it('has the singular values and the rank', () => {
    const { spectrum, rank, rankIsAtLeast } = structureOf(name);
    const head = expected.singular_values_head ?? [];
    if (head.length === 0) expect(spectrum).toEqual([]);
    for (const [i, value] of head.entries()) expect(Math.abs((spectrum[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-6 * value);
    if (expected.true_rank !== undefined) expect([rank, rankIsAtLeast]).toEqual([expected.true_rank, false]);
  });

  it('has the order of the rows, where they were moved', () => {
    expect(structureOf(name).permutation?.order).toEqual(expected.permutation);
  });
});

describe('names', () => {
  it.each([
    ['equal', 'nothing changed'],
    ['sparse_1pct', '77 of 7,680 elements changed (1.0 %)'],
    ['rank4', 'a rank-4 update'],
    ['rank1_f64', 'a rank-1 update'],
    ['rows_permuted', 'rows in another order'],
    ['one_ulp', 'every element within 1 unit in the last place'],
    ['first_nan', 'NaN appeared in 1 element'],
    ['negative_zero', 'only the sign of zeros changed'],
    ['noise', 'all 7,680 elements changed'],
    ['scaled_all', 'everything multiplied by 0.9'],
  ])('%s is called "%s"', (name, words) => {
    expect(structureOf(name).words[0]).toBe(words);
  });

  it('finds rows and columns that were scaled, and the factors that give them exactly', () => {
    expect(structureOf('rows_scaled')).toMatchObject({ scaling: { along: 'rows', exact: true } });
    expect(structureOf('columns_scaled')).toMatchObject({ scaling: { along: 'columns', exact: true } });
    expect(structureOf('scaled_all').scaling).toEqual({ along: 'all', exact: true, least: Math.fround(0.9), largest: Math.fround(0.9) });
    expect(structureOf('rows_scaled').words[0]).toMatch(/^each row scaled by \d\.\d+ to \d\.\d+$/);
    for (const name of Object.keys(pairs).filter((other) => !other.includes('scaled'))) expect(structureOf(name).scaling).toBeNull();
  });

  it('says how far in units of the last place', () => {
    expect(of('one_ulp').numbers.maxUlp).toBe(1);
    expect(of('negative_zero').numbers.maxUlp).toBe(0);
    expect(of('negative_zero').largest).toEqual([]);
    expect(of('first_nan').largest).toMatchObject([{ b: 'NaN', delta: Number.POSITIVE_INFINITY }]);
  });
});
