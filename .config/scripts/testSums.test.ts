import { describe, expect, it } from 'vitest';
import { waysToChromium } from './installChromium.mjs';
import { judgeRunners, playwrightSums, vitestSums } from './testSums.mjs';

describe('sums of the runners', () => {
  it('read Vitest, with files that did not load as failures', () => {
    const report = {
      numPassedTests: 7,
      numFailedTests: 2,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}, {}] },
        { status: 'passed', assertionResults: [{}] },
      ],
    };
    expect(vitestSums(report)).toEqual({ passed: 7, failed: 3, skipped: 2 });
  });

  it('read Playwright, with errors outside of tests as failures', () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{ message: 'x' }] };
    expect(playwrightSums(report)).toEqual({ passed: 6, failed: 2, skipped: 2 });
  });

  it.each([null, undefined, 'x', [], {}, { stats: {} }])('are none for %j', (report) => {
    expect(vitestSums(report)).toBeNull();
    expect(playwrightSums(report)).toBeNull();
  });

  const sums = (passed: number, failed: number) => ({ passed, failed, skipped: 0 });
  it.each([
    [
      'both well',
      [
        { sums: sums(3, 0), exitCode: 0 },
        { sums: sums(2, 0), exitCode: 0 },
      ],
      '5 0',
      0,
    ],
    [
      'one failed',
      [
        { sums: sums(3, 0), exitCode: 0 },
        { sums: sums(2, 1), exitCode: 1 },
      ],
      '5 1',
      1,
    ],
    [
      'one ran nothing',
      [
        { sums: sums(3, 0), exitCode: 0 },
        { sums: sums(0, 0), exitCode: 0 },
      ],
      '3 0',
      1,
    ],
    [
      'one left no report',
      [
        { sums: null, exitCode: 0 },
        { sums: sums(2, 0), exitCode: 0 },
      ],
      '2 0',
      1,
    ],
    [
      'one crashed after its report',
      [
        { sums: sums(3, 0), exitCode: null },
        { sums: sums(2, 0), exitCode: 0 },
      ],
      '5 0',
      1,
    ],
  ])('%s', (_name, runners, expected, complaints) => {
    const result = judgeRunners(runners.map((runner, index) => ({ name: `runner ${index}`, ...runner })));
    expect(`${result.passed} ${result.failed}`).toBe(expected);
    expect(result.complaints).toHaveLength(complaints);
  });
});

describe('ways to a Chromium', () => {
  it.each([
    [{ root: true, distribution: 'debian', hasAptGet: true }, ['apt-get', 'playwright']],
    [{ root: false, distribution: 'debian', hasAptGet: true }, ['playwright']],
    [{ root: true, distribution: 'ubuntu', hasAptGet: true }, ['playwright']],
    [{ root: true, distribution: 'fedora', hasAptGet: false }, ['playwright']],
  ])('%j', (system, expected) => {
    expect(waysToChromium(system)).toEqual(expected);
  });
});
