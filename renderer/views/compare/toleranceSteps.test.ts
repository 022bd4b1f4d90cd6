import { describe, expect, it } from 'vitest';
import { parseTolerance, TOLERANCE_STEPS, toleranceAt, toleranceStep } from './toleranceSteps';

describe('toleranceAt', () => {
  it('begins with nothing and goes in steps that everybody writes', () => {
    expect([0, 1, 2, 3, 4].map(toleranceAt)).toEqual([0, 1e-12, 2e-12, 5e-12, 1e-11]);
    expect(toleranceAt(TOLERANCE_STEPS)).toBe(10);
    expect(toleranceAt(TOLERANCE_STEPS + 5)).toBe(10);
  });

  it('has the step of each of its thresholds, and the nearest one of any other', () => {
    for (let step = 0; step <= TOLERANCE_STEPS; step++) expect(toleranceStep(toleranceAt(step))).toBe(step);
    expect(toleranceStep(1e-300)).toBe(1);
    expect(toleranceStep(1e300)).toBe(TOLERANCE_STEPS);
    expect(toleranceAt(toleranceStep(1.1e-5))).toBe(1e-5);
  });
});

it.each([
  ['1e-5', 1e-5],
  [' .5 ', 0.5],
  ['0', 0],
  ['-0', 0],
  ['', null],
  ['-1', null],
  ['1e', null],
  ['Infinity', null],
  ['abc', null],
])('reads %j as %s', (text, value) => {
  expect(parseTolerance(text)).toBe(value);
});
