// `npm run package [-- --linux|--mac|--win ...]`: builds everything and makes installers of it; arguments go to electron-builder.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { root } from './bundles.mjs';

try {
  await build({ log: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const builder = join(dirname(createRequire(import.meta.url).resolve('electron-builder/package.json')), 'cli.js');
const args = ['--config', 'electron-builder.yml', '--publish', 'never', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [builder, ...args], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
