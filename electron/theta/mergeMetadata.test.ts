import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DType } from '../../shared/model/dtype';
import { canAverage, groupVersions, MERGE_STRATEGIES, type MergeStrategy, mergeGroup } from './mergeMetadata';
import type { ThetaEntry } from './metadata';
import { parseMetadata } from './parseMetadata';

const entry = (value: string, change: Partial<ThetaEntry> = {}): ThetaEntry => ({
  keys: ['w'],
  name: 'w',
  dtype: 'float32',
  shape: [2, 3],
  signature: null,
  oid: value.repeat(64).slice(0, 64),
  bytes: 10,
  updateType: 'dense',
  lastCommit: null,
  ...change,
});

/** Base, ours, theirs as letters (`-`: not there), and what must come of it. Every pattern of equality there is. */
const RULES = [
  ['-a-', 'a'],
  ['--a', 'a'],
  ['-aa', 'a'],
  ['-ab', 'both-added'],
  ['a--', '-'],
  ['aa-', '-'],
  ['a-a', '-'],
  ['aaa', 'a'],
  ['aab', 'b'],
  ['aba', 'b'],
  ['abb', 'b'],
  ['abc', 'both-changed'],
  ['ab-', 'removed-by-them'],
  ['a-b', 'removed-by-us'],
] as const;

/** The letters a, b, c put for each other in every way. */
const RENAMINGS = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'];
const rename = (text: string, letters: string) => text.replace(/[abc]/g, (letter) => letters['abc'.indexOf(letter)] ?? letter);
const CASES = RULES.flatMap(([states, result]) =>
  RENAMINGS.map((letters) => [rename(states, letters), result.length === 1 ? rename(result, letters) : result] as const),
);

function versionsOf(states: string) {
  const [base = null, ours = null, theirs = null] = [...states].map((letter) => (letter === '-' ? null : entry(letter)));
  return { name: 'w', base, ours, theirs };
}

function resultOf(states: string, strategy: MergeStrategy | null = null): string {
  const merged = mergeGroup(versionsOf(states), { strategyFor: () => strategy });
  if (merged.outcome === 'taken') return merged.entry === null ? '-' : (merged.entry.oid[0] ?? '');
  return merged.outcome === 'average' ? 'average' : merged.kind;
}

describe('mergeGroup', () => {
  it.each(CASES)('%s gives %s', (states, result) => expect(resultOf(states)).toBe(result));

  const conflicts = CASES.filter(([, result]) => result.length > 1);
  const settled = CASES.filter(([, result]) => result.length === 1);
  it.each(conflicts)('%s: a side settles %s', (states) => {
    expect(resultOf(states, 'base')).toBe(states[0]);
    expect(resultOf(states, 'ours')).toBe(states[1]);
    expect(resultOf(states, 'theirs')).toBe(states[2]);
  });

  it.each(conflicts)('%s: an average needs both sides, else %s stays', (states, kind) =>
    expect(resultOf(states, 'average')).toBe(kind.startsWith('both') ? 'average' : kind),
  );

  it.each(settled)('%s: no strategy changes what is settled', (states, result) => {
    for (const strategy of MERGE_STRATEGIES) expect(resultOf(states, strategy)).toBe(result);
  });

  const differing: readonly [string, Partial<ThetaEntry>][] = [
    ['dtype-differs', { dtype: 'float64' }],
    ['shape-differs', { shape: [3, 2] }],
    ['dtype-differs', { dtype: 'float16', shape: [6] }],
  ];
  it.each(differing)('names %s, which no average joins', (kind, change) => {
    for (const base of [null, entry('a')]) {
      const group = { name: 'w', base, ours: entry('b'), theirs: entry('c', change) };
      expect(mergeGroup(group, { strategyFor: () => 'average' })).toMatchObject({ outcome: 'conflict', kind });
    }
  });

  it('takes the side that removed, whatever the strategy says about groups that nobody else changed', () => {
    expect(resultOf('aa-', 'ours')).toBe('-');
  });

  it('averages floats and complex numbers only', () => {
    const can = (dtype: DType) => canAverage(entry('a', { dtype }), entry('b', { dtype }));
    const floats: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64', 'float8_e4m3fn', 'complex64', 'complex128'];
    const others: readonly DType[] = ['bool', 'int8', 'uint8', 'int64', 'uint64'];
    expect(floats.map(can)).toEqual(floats.map(() => true));
    expect(others.map(can)).toEqual(others.map(() => false));
  });

  describe('with equal values behind different entries', () => {
    const sameValue = (a: ThetaEntry, b: ThetaEntry) => a.oid.slice(0, 1).toLowerCase() === b.oid.slice(0, 1).toLowerCase();
    const take = (base: string, ours: string, theirs: string) => {
      const merged = mergeGroup({ name: 'w', base: entry(base), ours: entry(ours), theirs: entry(theirs) }, { sameValue });
      return merged.outcome === 'taken' ? merged.entry?.oid[0] : merged.outcome;
    };
    it('both sides stored one value: ours', () => expect(take('a', 'b', 'B')).toBe('b'));
    it('they stored the base anew, we changed it: ours', () => expect(take('a', 'b', 'A')).toBe('b'));
    it('we stored the base anew, they changed it: theirs', () => expect(take('a', 'A', 'b')).toBe('b'));
    it('only they wrote the entry anew: theirs, because it may carry new facts', () => expect(take('a', 'a', 'A')).toBe('A'));
    it('three values: a conflict', () => expect(take('a', 'b', 'c')).toBe('conflict'));
    it('never asks across types or shapes', () => {
      const group = { name: 'w', base: null, ours: entry('a'), theirs: entry('A', { dtype: 'int32' }) };
      expect(mergeGroup(group, { sameValue: () => true })).toMatchObject({ outcome: 'conflict', kind: 'dtype-differs' });
    });
  });
});

describe("git-theta's merge vectors", () => {
  const vectors = new URL('../../e2e/fixtures/vectors/merge/', import.meta.url);
  const load = (name: string) => parseMetadata(readFileSync(new URL(`${name}.json`, vectors)), name).entries;
  const [base, ours, theirs] = [load('ancestor'), load('current'), load('other')];

  // The names say what was done to each; git-theta itself asks about all of them and gets three states wrong.
  const EXPECTED: Readonly<Record<string, string>> = {
    a_both: 'both-changed',
    b_us: 'ours',
    c_them: 'theirs',
    d_del_us: 'removed',
    e_del_them: 'removed',
    f_del_both: 'removed',
    g_mod_us_del_them: 'removed-by-them',
    h_same: 'ours',
    i_add_them: 'theirs',
    j_add_us: 'ours',
    k_add_both: 'both-added',
    n_int: 'both-changed',
  };

  it('follow the three-way rule by themselves', () => {
    const results = groupVersions(base, ours, theirs).map((group) => {
      const merged = mergeGroup(group);
      if (merged.outcome === 'conflict') return [group.name, merged.kind];
      const taken = merged.outcome === 'taken' ? merged.entry : undefined;
      return [group.name, taken === null ? 'removed' : taken === ours.get(group.name) ? 'ours' : taken === theirs.get(group.name) ? 'theirs' : 'neither'];
    });
    expect(Object.fromEntries(results)).toEqual(EXPECTED);
    expect(results.map(([name]) => name)).toEqual(Object.keys(EXPECTED));
  });

  it('average: the integers keep their conflict', () => {
    const outcomes = groupVersions(base, ours, theirs).map((group) => mergeGroup(group, { strategyFor: () => 'average' }));
    expect(outcomes.filter(({ outcome }) => outcome === 'average').map(({ name }) => name)).toEqual(['a_both', 'k_add_both']);
    expect(outcomes.filter(({ outcome }) => outcome === 'conflict').map(({ name }) => name)).toEqual(['g_mod_us_del_them', 'n_int']);
  });
});
