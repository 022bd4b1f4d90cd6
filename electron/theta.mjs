#!/usr/bin/env node
// The `theta` command: the built program, which is built first in a clone that has none yet.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const built = (/** @type {string} */ path) => existsSync(new URL(`../dist/${path}`, import.meta.url));

if (!['cli/theta.cjs', 'cli/run.cjs', 'filter/filter.cjs', 'worker/worker.cjs', 'worker/serveTasks.cjs', 'renderer/index.html'].every(built)) {
  try {
    const { build } = await import('../.config/scripts/build.mjs');
    // Standard output belongs to the command.
    await build({ only: ['cli', 'filter', 'worker', 'renderer'], log: (line) => console.error(line) });
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    console.error(missing ? 'Theta is not built and cannot be built here: run “npm ci” in its folder first.' : error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
createRequire(import.meta.url)('../dist/cli/theta.cjs');
