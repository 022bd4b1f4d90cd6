/**
 * @typedef {object} Sums
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Sums of Vitest's JSON report. A file that could not even be loaded has no tests in it; it counts as one failure.
 *
 * @param {unknown} report
 * @returns {Sums | null} `null` for what is no such report
 */
export function vitestSums(report) {
  const [passed, failed, pending, todo] = ['numPassedTests', 'numFailedTests', 'numPendingTests', 'numTodoTests'].map((name) => numberAt(report, name));
  if (passed === undefined || failed === undefined) return null;
  const files = valueAt(report, 'testResults');
  const broken = Array.isArray(files) ? files.filter((file) => valueAt(file, 'status') === 'failed' && isEmpty(valueAt(file, 'assertionResults'))).length : 0;
  return { passed, failed: failed + broken, skipped: (pending ?? 0) + (todo ?? 0) };
}

/**
 * Sums of Playwright's JSON report. Errors outside of tests (a spec that does not load) count as failures; a test that passed only when
 * it was repeated counts as passed, as Playwright has it.
 *
 * @param {unknown} report
 * @returns {Sums | null}
 */
export function playwrightSums(report) {
  const stats = valueAt(report, 'stats');
  const [expected, unexpected, flaky, skipped] = ['expected', 'unexpected', 'flaky', 'skipped'].map((name) => numberAt(stats, name));
  if (expected === undefined || unexpected === undefined) return null;
  const errors = valueAt(report, 'errors');
  return { passed: expected + (flaky ?? 0), failed: unexpected + (Array.isArray(errors) ? errors.length : 0), skipped: skipped ?? 0 };
}

/**
 * The sums of all runners, and why the whole has failed, if it has.
 *
 * @param {readonly { readonly name: string, readonly sums: Sums | null, readonly exitCode: number | null }[]} runners
 * @returns {{ readonly passed: number, readonly failed: number, readonly complaints: readonly string[] }}
 */
export function judgeRunners(runners) {
  const complaints = runners.flatMap(({ name, sums, exitCode }) => {
    if (sums === null) return [`${name} left no report`];
    if (sums.passed + sums.failed === 0) return [`${name} ran nothing`];
    if (sums.failed > 0) return [`${name}: ${sums.failed} failed`];
    return exitCode === 0 ? [] : [`${name} ended with code ${exitCode}`];
  });
  /** @param {'passed' | 'failed'} key */
  const total = (key) => runners.reduce((sum, { sums }) => sum + (sums?.[key] ?? 0), 0);
  return { passed: total('passed'), failed: total('failed'), complaints };
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
function valueAt(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function numberAt(value, name) {
  const found = valueAt(value, name);
  return typeof found === 'number' ? found : undefined;
}

/** @param {unknown} value */
function isEmpty(value) {
  return !Array.isArray(value) || value.length === 0;
}
