import { describe, expect, it } from 'vitest';
import { differenceOf, statsOf, timelineOf } from '../../charts/testing/timelineSamples';
import { CELL_FAILED, CELL_NO_NUMBER, CELL_UNCHANGED, CELL_UNKNOWN, SHADE_COUNT, SHADES } from '../../charts/timelineCodes';
import { arrangeRows } from '../../charts/timelineRows';
import { TimelineStates } from '../../charts/timelineStates';
import { CellNumbers } from '../../state/cellNumbers';
import { ModuleNumbers } from './moduleNumbers';
import { driftOf, hasNan, lastChangeOf } from './rowWeights';
import { shadeMeasure } from './shadeCodes';

/** Entries: 0 a added, 1 b added, 2 a dense, 3 b sparse, 4 a dense. */
const INDEX = timelineOf({ rows: ['m.a', 'm.b'], columns: [{ 'm.a': 'added', 'm.b': 'added' }, { 'm.a': 'dense', 'm.b': 'sparse' }, { 'm.a': 'dense' }] });
const states = new TimelineStates(INDEX);
const rows = arrangeRows(states, [0, 1], null);
const setup = () => {
  const numbers = new CellNumbers(5);
  return { numbers, modules: () => new ModuleNumbers(states, rows, numbers) };
};

describe('numbers of a module', () => {
  it('are those of its groups taken as one tensor', () => {
    const { numbers, modules } = setup();
    // a: 1 2 3 4; b: 0 0 6: together mean 16/7, sum of squares 30 + 36.
    numbers.setStatistics(2, statsOf({ count: 4, mean: 2.5, std: Math.sqrt(1.25), norm: Math.sqrt(30), zeros: 0, nan: 1 }));
    numbers.setStatistics(3, statsOf({ count: 3, finite: 3, mean: 2, std: Math.sqrt(8), norm: 6, zeros: 2, nan: 2 }));
    const at = (measure: Parameters<ModuleNumbers['at']>[0]) => modules().at(measure, 0, 1).value;
    expect(at('norm')).toBeCloseTo(Math.sqrt(66), 12);
    expect(at('mean')).toBeCloseTo(16 / 7, 12);
    expect(at('std')).toBeCloseTo(Math.sqrt(66 / 7 - (16 / 7) ** 2), 12);
    expect(at('sparsity')).toBeCloseTo(2 / 7, 12);
    expect(at('nan')).toBe(3);
  });

  it('weigh mean and deviation by the finite elements alone', () => {
    const { numbers, modules } = setup();
    // a: nine NaN and a 5; b: ten times 1. Together mean 15/11, sum of squares 25 + 10.
    numbers.setStatistics(2, statsOf({ count: 10, finite: 1, mean: 5, std: 0, norm: 5, zeros: 0, nan: 9 }));
    numbers.setStatistics(3, statsOf({ count: 10, finite: 10, mean: 1, std: 0, norm: Math.sqrt(10), zeros: 0, nan: 0 }));
    const at = (measure: Parameters<ModuleNumbers['at']>[0]) => modules().at(measure, 0, 1).value;
    expect(at('mean')).toBeCloseTo(15 / 11, 12);
    expect(at('std')).toBeCloseTo(Math.sqrt(35 / 11 - (15 / 11) ** 2), 12);
    expect(at('sparsity')).toBe(0);
  });

  it('join differences by the root of the sum of squares', () => {
    const { numbers, modules } = setup();
    numbers.setDifference(2, differenceOf({ norm: 3, relativeL2: 0.5 }));
    numbers.setDifference(3, differenceOf({ norm: 4, relativeL2: 0.5 }));
    expect(modules().at('delta', 0, 1)).toEqual({ value: 5, known: 2, total: 2 });
    expect(modules().at('relative', 0, 1).value).toBeCloseTo(0.5, 12);
  });

  it('say from how many groups they are', () => {
    const { numbers, modules } = setup();
    expect(modules().at('delta', 0, 1)).toEqual({ value: Number.NaN, known: 0, total: 2 });
    numbers.setDifference(3, differenceOf({ norm: 4 }));
    expect(modules().at('delta', 0, 1)).toEqual({ value: 4, known: 1, total: 2 });
    expect(modules().at('delta', 0, 0)).toEqual({ value: 0, known: 0, total: 0 });
  });
});

describe('shades', () => {
  it('tell what is known, unknown, unchanged, without a number and failed', () => {
    const { numbers, modules } = setup();
    numbers.setDifference(2, differenceOf({ norm: 3 }));
    numbers.setStatus('differences', 0, 'none');
    numbers.setStatus('differences', 4, 'failed');
    const { shadeOf, moduleShadeOf, scale } = shadeMeasure('delta', numbers, modules());
    expect(scale).toMatchObject({ kind: 'log', low: 3, high: 3 });
    expect([shadeOf(2, true), shadeOf(2, false), shadeOf(3, true), shadeOf(0, true), shadeOf(4, true)]).toEqual([
      SHADES + SHADE_COUNT - 1,
      CELL_UNCHANGED,
      CELL_UNKNOWN,
      CELL_NO_NUMBER,
      CELL_FAILED,
    ]);
    expect([moduleShadeOf(0, 1), moduleShadeOf(0, 0), moduleShadeOf(0, 2)]).toEqual([SHADES + SHADE_COUNT - 1, CELL_UNCHANGED, CELL_UNKNOWN]);
  });
});

describe('weights of rows', () => {
  it('count changes until something was measured, then sum up how far a group moved', () => {
    const { numbers } = setup();
    expect([0, 1].map(driftOf(states, numbers))).toEqual([3, 2]);
    numbers.setDifference(3, differenceOf({ norm: 4 }));
    numbers.setDifference(2, differenceOf({ norm: 1 }));
    numbers.setDifference(4, differenceOf({ norm: 2 }));
    expect([0, 1].map(driftOf(states, numbers))).toEqual([3, 4]);
  });

  it('know the last change, and where a NaN was seen', () => {
    const { numbers } = setup();
    expect([0, 1].map((row) => lastChangeOf(states, row))).toEqual([2, 1]);
    numbers.setStatistics(1, statsOf({ nan: 1 }));
    expect([0, 1].map((row) => hasNan(states, numbers, row))).toEqual([false, true]);
  });
});
