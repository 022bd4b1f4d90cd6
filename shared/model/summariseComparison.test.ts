import { describe, expect, it } from 'vitest';
import { formatShare, type SummarisedRow, summariseComparison } from './summariseComparison';

const row = (name: string, change: SummarisedRow['change'], changed: number | null = 0, elements = 1000): SummarisedRow => ({
  name,
  change,
  elements,
  changed,
});
const same = (count: number): SummarisedRow[] => Array.from({ length: count }, (_, index) => row(`same.${index}.weight`, 'unchanged'));

describe('summariseComparison', () => {
  it('says how many groups, how much of the elements, and where', () => {
    const rows = [
      ...same(148),
      row('decoder.layers.11.fc1.weight', 'modified', 200),
      row('decoder.layers.11.fc2.weight', 'modified', 200),
      row('decoder.layers.2.fc1.weight', 'modified', 50),
    ];
    expect(summariseComparison(rows)).toBe('3 of 151 groups changed, 0.3 % of the elements, mostly in decoder.layers.11.');
    expect(summariseComparison(rows.slice(0, -1))).toBe('2 of 150 groups changed, 0.27 % of the elements, all in decoder.layers.11.');
    expect(summariseComparison(rows.slice(0, -2))).toBe('1 of 149 groups changed, 0.13 % of the elements, in decoder.layers.11.fc1.weight.');
  });

  it('names no place where none holds most of it, and none that is a group', () => {
    expect(summariseComparison([row('a.w', 'modified', 500), row('b.w', 'modified', 500)])).toBe('2 of 2 groups changed, 50 % of the elements.');
    expect(summariseComparison([row('w', 'modified', 1000), row('b', 'modified', 1000)])).toBe('2 of 2 groups changed, all elements.');
    expect(summariseComparison([row('__proto__/a/w', 'modified', 9), row('__proto__/a/b', 'modified', 1)])).toBe(
      '2 of 2 groups changed, 0.5 % of the elements, all in __proto__/a.',
    );
  });

  it('counts what came, went and was renamed', () => {
    const rows = [...same(2), row('n.w', 'added', null), row('o.w', 'removed', null), row('r.w', 'renamed'), row('m.w', 'modified', 10)];
    expect(summariseComparison(rows)).toBe('1 of 6 groups changed, 1 added, 1 removed, 1 renamed, 0.25 % of the elements, in m.w.');
    expect(summariseComparison(rows.slice(0, -1))).toBe('No group of 5 changed in value, 1 added, 1 removed, 1 renamed.');
  });

  it('says so when nothing changed or is there', () => {
    expect(summariseComparison([])).toBe('There are no groups to compare.');
    expect(summariseComparison(same(1))).toBe('The group is unchanged.');
    expect(summariseComparison(same(1200))).toBe('All 1,200 groups are unchanged.');
  });

  it('claims nothing about what was not compared', () => {
    const unknown = row('u.w', 'unknown', null);
    expect(summariseComparison([unknown, unknown])).toBe('None of 2 groups is compared yet.');
    expect(summariseComparison([...same(3), unknown])).toBe('No change found among 4 groups so far, 1 not compared yet.');
    expect(summariseComparison([...same(2), row('m.w', 'modified', 10), unknown])).toBe('1 of 4 groups changed, 1 not compared yet.');
    expect(summariseComparison([row('shape.w', 'modified', null), row('m.w', 'modified', 10)])).toBe('2 of 2 groups changed.');
  });
});

describe('formatShare', () => {
  it('rounds to two digits, never to nothing or everything', () => {
    const shares = [0, 1e-9, 0.00012, 0.003, 0.01, 0.0999, 0.5, 0.994, 0.9995, 0.99999, 1];
    expect(shares.map(formatShare)).toEqual([
      '0 %',
      'less than 0.01 %',
      '0.012 %',
      '0.3 %',
      '1 %',
      '10 %',
      '50 %',
      '99.4 %',
      'more than 99.9 %',
      'more than 99.9 %',
      '100 %',
    ]);
  });
});
