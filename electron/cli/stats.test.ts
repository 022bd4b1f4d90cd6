import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runTheta } from './testing/runTheta';

const path = (name: string) => fileURLToPath(new URL(`../../e2e/fixtures/numbers/${name}`, import.meta.url));
const FILE = path('tensors.safetensors');
const value = v.nullable(v.union([v.number(), v.string()]));
const COUNTS = ['count', 'nan', 'pos_inf', 'neg_inf', 'zeros', 'subnormal'] as const;
const SUMS = ['mean', 'std', 'l1', 'l2'] as const;
const document = v.object({
  path: v.string(),
  commit: v.nullable(v.string()),
  groups: v.array(
    v.object({
      name: v.string(),
      dtype: v.string(),
      shape: v.array(v.number()),
      ...v.entriesFromList(COUNTS, v.number()),
      ...v.entriesFromList(SUMS, v.nullable(v.number())),
      min: value,
      max: value,
      distinct: v.number(),
      distinct_exact: v.boolean(),
      quantiles: v.record(v.string(), v.nullable(v.number())),
      histogram: v.nullable(v.object({ min: v.number(), max: v.number(), counts: v.array(v.number()) })),
    }),
  ),
});
const stats = v.record(v.string(), v.union([v.number(), v.string(), v.array(v.number()), v.record(v.string(), v.number())]));
const expected = v.parse(
  v.object({ tensors: v.record(v.string(), v.object({ dtype: v.string(), shape: v.array(v.number()), stats })) }),
  JSON.parse(readFileSync(path('expected.json'), 'utf8')),
).tensors;

const near = (found: unknown, wanted: unknown) => {
  const [a, b] = [Number(found), Number(wanted)];
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-12 * Math.abs(b));
};

describe('theta stats', () => {
  it('gives the numbers of every tensor as NumPy gives them', async () => {
    const { code, out, err } = await runTheta('stats', FILE, '--json', '--quantiles', '0.01,0.25,0.5,0.75,0.99', '--histogram', '10');
    expect(code, err).toBe(0);
    const { groups, commit } = v.parse(document, JSON.parse(out));
    expect(commit).toBeNull();
    expect(groups.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
    for (const group of groups) {
      const wanted = expected[group.name];
      expect([group.dtype, group.shape]).toEqual([wanted?.dtype, wanted?.shape]);
      for (const key of COUNTS) expect(group[key]).toBe(wanted?.stats[key] ?? 0);
      if (wanted?.stats.min === undefined) {
        expect(group).toMatchObject({ min: null, max: null, mean: null, std: null, l1: 0, l2: 0, quantiles: {}, histogram: null });
        continue;
      }
      // 64-bit integers are digits on both sides.
      expect([group.min, group.max]).toEqual([wanted.stats.min, wanted.stats.max]);
      for (const key of SUMS) near(group[key], wanted.stats[key]);
      const quantiles = wanted.stats.quantiles;
      if (typeof quantiles === 'object') for (const [at, number] of Object.entries(quantiles)) near(group.quantiles[at], number);
      if (wanted.stats.histogram10 !== undefined) expect(group.histogram?.counts).toEqual(wanted.stats.histogram10);
    }
  });

  it('prints a table of the groups that a pattern names', async () => {
    const { code, out } = await runTheta('stats', FILE, '--group', 'u*', '--quantiles', '0.5', '--histogram', '10');
    expect(code).toBe(0);
    const [, , title, row, ...others] = out.split('\n');
    expect(title).toMatch(/^name +dtype +shape +min +max +mean +std +l1 +l2 +zeros +distinct +q0\.5 +histogram$/);
    expect(row).toMatch(/^u8 +uint8 +1000 +0 +255 +129\.28 +73\.82 +129280 +4707\.8 +4 +\d+ +131 +[▁-█]{10}$/u);
    expect(others).toEqual(['']);
  });

  it('says what is wrong with its options', async () => {
    for (const option of [
      ['--quantiles', '0.5,2'],
      ['--quantiles', ''],
      ['--histogram', '0'],
      ['--group', '/(/'],
    ]) {
      expect(await runTheta('stats', FILE, ...option)).toMatchObject({ code: 2, out: '' });
    }
    expect((await runTheta('stats', `${FILE}.lost`)).code).toBe(1);
  });
});
