// Runs the compiler and every linter, two at a time, says how each went, and fails when one fails.
import { spawn } from 'node:child_process';

const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {(output: string) => string | null} [judge] what is wrong with the output of a run that reports success
 * @returns {Promise<boolean>} whether it found nothing
 */
async function run(name, args, judge) {
  const started = Date.now();
  const child = spawn(npx, ['--no-install', ...args], { shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('close', resolve);
  });
  const complaint = code === 0 ? (judge?.(output) ?? null) : 'failed';
  console.log(`${complaint === null ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (complaint !== null) process.stdout.write(`${output}\n${complaint}\n`);
  return complaint === null;
}

/**
 * With a TypeScript that dependency-cruiser cannot load it cruises nothing and reports success, so the count is held.
 * @param {string} output
 */
function enoughModules(output) {
  const modules = Number(/\((\d+) modules, (\d+) dependencies cruised\)/.exec(output)?.[1] ?? 0);
  return modules >= 400 ? null : `dependency-cruiser saw ${modules} modules; the layer rules were not checked`;
}

const results = await Promise.all([
  run('promises (eslint)', ['eslint', '--config', '.config/eslint.config.mjs', '--max-warnings', '0', 'shared', 'electron', 'renderer', 'e2e', 'bench']),
  run('format and lint (biome)', ['biome', 'check', '--error-on-warnings', '.'])
    .then(async (ok) => (await run('types (tsc)', ['tsc', '-b', '--pretty', 'false'])) && ok)
    .then(
      async (ok) =>
        (await run(
          'layers and cycles (dependency-cruiser)',
          ['depcruise', '--config', '.config/dependency-cruiser.cjs', 'shared', 'electron', 'renderer'],
          enoughModules,
        )) && ok,
    )
    .then(async (ok) => (await run('unused code (knip)', ['knip', '--config', '.config/knip.json'])) && ok),
]);
process.exit(results.every(Boolean) ? 0 : 1);
