// `npm run build`: builds the bundles whose sources changed. `--force` builds all of them, names build only those.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as viteBuild } from 'vite';
import { hashInputs } from './buildStamp.mjs';
import { bundles, root } from './bundles.mjs';
import { compileCode } from './compileCode.mjs';

/** What says how bundles are built, beside their sources. */
const RECIPE = [
  'package-lock.json',
  '.config/scripts/bundles.mjs',
  '.config/scripts/build.mjs',
  '.config/scripts/compileCode.mjs',
  'electron/tsconfig.json',
  'renderer/tsconfig.json',
];

/**
 * @typedef {object} BuildOptions
 * @property {readonly string[] | undefined} [only] names of bundles; default all
 * @property {boolean} [force] also those whose sources are unchanged
 * @property {'production' | 'development'} [mode]
 * @property {(line: string) => void} [log]
 */

/**
 * Builds what is missing or outdated into `dist/`, each bundle complete or not at all.
 *
 * @param {BuildOptions} [options]
 * @returns {Promise<string[]>} names of the bundles that were built
 */
export async function build({ only = bundles.map(({ name }) => name), force = false, mode = 'production', log = () => {} } = {}) {
  // All of them come to their end, so that one that fails neither hides another's failure nor leaves its work half done.
  const results = await Promise.allSettled(
    bundles
      .filter(({ name }) => only.includes(name))
      .map(async (bundle) => {
        const stampFile = join(root, '.cache', 'build', `${bundle.name}.txt`);
        const stamp = `${mode} ${bundle.compiled === true ? process.versions.v8 : ''} ${await hashInputs(root, bundle.sources, RECIPE)}`;
        const upToDate = existsSync(join(root, 'dist', bundle.name, bundle.main)) && (await readStamp(stampFile)) === stamp;
        if (upToDate && !force) return null;
        const missing = Object.values(bundle.entries).filter((path) => !existsSync(join(root, path)));
        if (missing.length > 0) throw new Error(`${bundle.name} cannot be built: ${missing.join(', ')} is missing`);
        const started = performance.now();
        await buildBundle(bundle, mode);
        await mkdir(join(root, '.cache', 'build'), { recursive: true });
        await writeFile(stampFile, stamp);
        log(`built ${bundle.name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
        return bundle.name;
      }),
  );
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason instanceof Error ? result.reason.message : String(result.reason)] : [],
  );
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return results.flatMap((result) => (result.status === 'fulfilled' && result.value !== null ? [result.value] : []));
}

/**
 * @param {import('./bundles.mjs').Bundle} bundle
 * @param {'production' | 'development'} mode
 */
async function buildBundle(bundle, mode) {
  const target = join(root, 'dist', bundle.name);
  // Beside the target, so that nobody ever finds half a bundle, also when two builds run at once.
  const fresh = join(root, 'dist', `.${bundle.name}-${process.pid}`);
  const old = `${fresh}-old`;
  try {
    await viteBuild(bundle.config(fresh, mode));
    if (!existsSync(join(fresh, bundle.main))) throw new Error(`${bundle.name} was built without its ${bundle.main}`);
    if (bundle.compiled === true && mode === 'production') await compileCode(fresh);
    if (existsSync(target)) await rename(target, old);
    await rename(fresh, target);
  } finally {
    await Promise.all([rm(fresh, { recursive: true, force: true }), rm(old, { recursive: true, force: true })]);
  }
}

/** @param {string} file */
async function readStamp(file) {
  return readFile(file, 'utf8').catch(() => '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const unknown = names.filter((name) => !bundles.some((bundle) => bundle.name === name));
  if (unknown.length > 0) {
    console.error(`There is no bundle ${unknown.join(', ')}; there are ${bundles.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  try {
    const built = await build({ ...(names.length > 0 ? { only: names } : {}), force: process.argv.includes('--force'), log: (line) => console.log(line) });
    if (built.length === 0) console.log('everything is built');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
