import { describe, expect, it } from 'vitest';
import type { ComparedChange, ComparedGroup, ComparedSide } from '../../../shared/model/comparison';
import type { PairNumbers } from '../../../shared/model/pairNumbers';
import { BITS } from '../../charts/closenessBounds';
import { parseNamePattern } from '../../charts/namePattern';
import type { RowNumbers } from '../../state/comparedNumbers';
import { COMPARED_COLUMNS, EXPORTED_COLUMNS, exportedRow, shownColumns } from './comparedColumns';
import { closedModules, filterRows, judgeRows, sortRows, treeOfRows } from './comparedRows';
import { describeRow, differenceWords } from './describeRow';

function sideOf(name: string, rest: Partial<ComparedSide> = {}): ComparedSide {
  return { name, dtype: 'float32', shape: [2, 5], bytes: 40, updateType: null, tiedTo: null, error: null, ...rest };
}

function groupOf(name: string, change: ComparedChange, { a = {}, b = {} }: { a?: Partial<ComparedSide>; b?: Partial<ComparedSide> } = {}): ComparedGroup {
  return { a: change === 'added' ? null : sideOf(name, a), b: change === 'removed' ? null : sideOf(name, b), change, renamedBy: null };
}

function measured(changed: number, rest: Partial<PairNumbers> = {}): RowNumbers {
  const zero = { notFinite: 0, signFlips: 1, maxAt: null, maxRelative: 1, meanAbs: 0.1, rms: 1, norm: 3, relativeL2: 0.1, cosine: 0.9, maxUlp: 3 };
  const numbers = { comparedAs: 'float32', shape: [2, 5], elements: 10, changed, beyond: changed, rtol: 0, atol: 0, maxAbs: 0.5, ...zero, ...rest } as const;
  return { numbers, closeness: null, structure: null, error: null };
}

const GROUPS: readonly ComparedGroup[] = [
  groupOf('enc.0.weight', 'modified'),
  groupOf('enc.0.bias', 'modified'),
  groupOf('enc.1.weight', 'unchanged'),
  groupOf('enc.1.bias', 'unchanged'),
  groupOf('head.weight', 'added'),
  groupOf('head.bias', 'removed'),
  groupOf('tail', 'unknown'),
];
const NUMBERS = new Map([
  [0, measured(4, { norm: 3, meanAbs: 0.1, maxAbs: 0.5 })],
  [1, measured(1, { norm: 4, meanAbs: 0.3, maxAbs: 2 })],
]);
const rows = judgeRows(GROUPS, { numbersOf: (index) => NUMBERS.get(index), tolerance: BITS });

describe('treeOfRows', () => {
  const tree = treeOfRows(rows);
  const sums = (label: string) => {
    const row = tree.find((candidate) => candidate.kind === 'module' && candidate.label === label);
    return row?.kind === 'module' ? row.sums : undefined;
  };

  it('sums up what can be summed up', () => {
    expect(sums('0')).toMatchObject({
      groups: 2,
      changedGroups: 2,
      elements: 20,
      beyond: { least: 5, most: 5 },
      maxAbs: 2,
      squares: 25,
      signFlips: 2,
      missing: 0,
    });
    expect(sums('0')?.sumAbs).toBeCloseTo(4, 12);
    expect(sums('enc')).toMatchObject({ groups: 4, changedGroups: 2, elements: 40 });
    expect(sums('head')).toMatchObject({ groups: 2, changedGroups: 2, elements: 0 });
  });

  it('closes what is known to be unchanged, and nothing when everything is', () => {
    const closed = closedModules(tree);
    expect(tree.filter(({ id }) => closed.has(id)).map(({ label }) => label)).toEqual(['1']);
    const same = treeOfRows(judgeRows([groupOf('a.x', 'unchanged'), groupOf('a.y', 'unchanged')], { numbersOf: () => undefined, tolerance: BITS }));
    expect(closedModules(same).size).toBe(0);
  });
});

describe('judgeRows', () => {
  it('calls what was measured without a change unchanged, unless its type is another one', () => {
    const groups = [groupOf('w', 'unknown'), groupOf('v', 'unknown', { b: { dtype: 'float64' } }), groupOf('s', 'unknown', { b: { shape: [10] } })];
    const judged = judgeRows(groups, { numbersOf: () => measured(0), tolerance: BITS });
    expect(judged.map(({ change }) => change)).toEqual(['unchanged', 'modified', 'modified']);
    expect(judged.map(({ group }) => differenceWords(group))).toEqual([[], ['was float32'], ['was 2 × 5']]);
  });

  it('takes a change within the tolerance for none', () => {
    const [row] = judgeRows([groupOf('w', 'modified')], { numbersOf: () => measured(4, { maxAbs: 0.5 }), tolerance: { rtol: 0, atol: 0.5 } });
    expect(row).toMatchObject({ change: 'within', beyond: { least: 0, most: 0 } });
  });
});

describe('filterRows and sortRows', () => {
  it('leaves out kinds and names; a renamed group has both names', () => {
    const renamed: ComparedGroup = { a: sideOf('old.w'), b: sideOf('new.w'), change: 'renamed', renamedBy: 'content' };
    const all = judgeRows([...GROUPS, renamed], { numbersOf: () => undefined, tolerance: BITS });
    const find = (text: string, ...hidden: (typeof all)[number]['change'][]) =>
      filterRows(all, { pattern: parseNamePattern(text), hidden: new Set(hidden) }).map(({ name }) => name);
    expect(find('**.bias', 'removed')).toEqual(['enc.0.bias', 'enc.1.bias']);
    expect(find('/^old/')).toEqual(['new.w']);
    expect(find('', 'modified', 'unchanged', 'added', 'removed', 'renamed')).toEqual(['tail']);
  });

  it('puts the greatest first and what has no number last, either way', () => {
    const value = COMPARED_COLUMNS.find(({ id }) => id === 'maxAbs')?.value ?? (() => null);
    const names = (descending: boolean) => sortRows(rows, { value, descending }).map(({ label }) => label);
    expect(names(true).slice(0, 3)).toEqual(['enc.0.bias', 'enc.0.weight', 'enc.1.weight']);
    expect(names(false).slice(0, 3)).toEqual(['enc.0.weight', 'enc.0.bias', 'enc.1.weight']);
  });
});

describe('columns', () => {
  it('are those that were chosen, in their order, or the usual ones', () => {
    expect(shownColumns('cosine,dtype,nonsense').map(({ id }) => id)).toEqual(['cosine', 'dtype']);
    expect(shownColumns(undefined).map(({ id }) => id)).toContain('maxAbs');
    expect(shownColumns('')).toEqual([]);
  });

  it('export everything that is known, one value for each', () => {
    for (const row of rows) expect(exportedRow(row)).toHaveLength(EXPORTED_COLUMNS.length);
    const [first] = rows;
    const values = first === undefined ? [] : exportedRow(first);
    expect(values.slice(0, 2)).toEqual(['enc.0.weight', 'modified']);
    expect(values[EXPORTED_COLUMNS.indexOf('changed_share')]).toBe(0.4);
  });
});

it('describes a row for those who hear it', () => {
  const [row] = judgeRows([groupOf('lm_head', 'modified', { b: { tiedTo: 'embed' } })], { numbersOf: () => measured(4), tolerance: BITS });
  expect(row === undefined ? '' : describeRow(row)).toBe('lm_head, Modified, tied to embed, float32, 2 × 5, 4 of 10 elements changed');
});

it('handles 40,000 groups', () => {
  const groups = Array.from({ length: 40_000 }, (_, index) => groupOf(`layers.${Math.floor(index / 10)}.block.${index % 10}.weight`, 'modified'));
  const tree = treeOfRows(judgeRows(groups, { numbersOf: () => measured(1), tolerance: BITS }));
  const top = tree[0];
  expect(top?.kind === 'module' ? top.sums.groups : 0).toBe(40_000);
  expect(closedModules(tree).size).toBeGreaterThan(3000);
});
