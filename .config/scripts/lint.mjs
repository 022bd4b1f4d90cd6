// Runs every linter, says how each went, and fails when one fails.
import { spawnSync } from 'node:child_process';

const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
let failed = false;

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {(output: string) => string | null} [judge] what is wrong with the output of a run that reports success
 */
function run(name, args, judge) {
  const started = Date.now();
  const result = spawnSync(npx, ['--no-install', ...args], { encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 64 << 20 });
  const output = `${result.stdout}${result.stderr}`;
  const complaint = result.status === 0 ? (judge?.(output) ?? null) : 'failed';
  console.log(`${complaint === null ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (complaint === null) return;
  failed = true;
  process.stdout.write(`${output}\n${complaint}\n`);
}

/**
 * With a TypeScript that dependency-cruiser cannot load it cruises nothing and reports success, so the count is held.
 * @param {string} output
 */
function enoughModules(output) {
  const modules = Number(/\((\d+) modules, (\d+) dependencies cruised\)/.exec(output)?.[1] ?? 0);
  return modules >= 100 ? null : `dependency-cruiser saw ${modules} modules; the layer rules were not checked`;
}

run('format and lint (biome)', ['biome', 'check', '--error-on-warnings', '.']);
run('promises (eslint)', ['eslint', '--config', '.config/eslint.config.mjs', '--max-warnings', '0', 'shared', 'electron', 'renderer', 'e2e', 'bench']);
run('layers and cycles (dependency-cruiser)', ['depcruise', '--config', '.config/dependency-cruiser.cjs', 'shared', 'electron', 'renderer'], enoughModules);
run('unused code (knip)', ['knip', '--config', '.config/knip.json']);
process.exit(failed ? 1 : 0);
