// `npm test`: everything that must hold. Types, lint, unit tests, build, end-to-end tests; each runs even when one before it failed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { root } from './bundles.mjs';
import { installChromium } from './installChromium.mjs';
import { judgeRunners, playwrightSums, vitestSums } from './testSums.mjs';

const cache = join(root, '.cache');
const unitReport = join(cache, 'unit-results.json');
const endToEndReport = join(cache, 'e2e-results.json');
/** `.ci/run` prints it as its last line. */
const sumsFile = join(cache, 'test-sums.txt');

const require = createRequire(import.meta.url);
/** @type {string[]} */
const complaints = [];

/**
 * @param {string} name
 * @param {readonly string[]} args of node
 * @returns {number | null} exit code
 */
function run(name, args) {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  console.log(`== ${name}: ${status === 0 ? 'ok' : `failed (${status})`}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return status;
}

/**
 * @param {string} file
 * @returns {unknown}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {string} packageName
 * @param {string} file in the package
 */
const program = (packageName, file) => join(dirname(require.resolve(`${packageName}/package.json`)), file);

mkdirSync(cache, { recursive: true });
// A report of an earlier run must not pass for one of this.
for (const file of [unitReport, endToEndReport, sumsFile]) rmSync(file, { force: true });

if (run('types and lint', ['.config/scripts/lint.mjs']) !== 0) complaints.push('the compiler or a linter complains');
const unitReporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`];
const unitCode = run('unit tests', [program('vitest', 'vitest.mjs'), 'run', '--config', '.config/vitest.config.ts', ...unitReporters]);

console.log('\n== build');
let built = true;
try {
  await build({ log: (line) => console.log(line) });
} catch (error) {
  built = false;
  complaints.push('the build failed');
  console.error(error instanceof Error ? error.message : error);
}

const missing = await installChromium((line) => console.log(line));
if (missing !== null) {
  console.error(missing);
  complaints.push('there is no Chromium');
}
const endToEndCode =
  built && missing === null ? run('end-to-end tests', [program('@playwright/test', 'cli.js'), 'test', '--config', 'e2e/playwright.config.ts']) : null;

const result = judgeRunners([
  { name: 'unit tests', sums: vitestSums(readReport(unitReport)), exitCode: unitCode },
  { name: 'end-to-end tests', sums: playwrightSums(readReport(endToEndReport)), exitCode: endToEndCode },
]);
complaints.push(...result.complaints);
const line = `${result.passed} passed, ${result.failed} failed`;
writeFileSync(sumsFile, `${line}\n`);
console.log('');
for (const complaint of complaints) console.error(`FAILED: ${complaint}`);
console.log(line);
process.exitCode = complaints.length > 0 ? 1 : 0;
