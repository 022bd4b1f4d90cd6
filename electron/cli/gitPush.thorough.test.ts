import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { HOOKS, hookScript } from '../git/hooks/hookScript';
import { quoteForShell } from '../git/install/programCommand';
import { makeRepository, TestRepository } from '../git/testing/testRepository';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
let program: string;

/** The command as it is built for users, in a folder of its own. */
beforeAll(async () => {
  program = await realpath(await mkdtemp(join(tmpdir(), 'theta-push-')));
  await writeFile(join(program, 'package.json'), '{"version":"0.0.0","type":"module"}');
  const address = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);
  const script = `
    import { bundles } from ${address('.config/scripts/bundles.mjs')};
    import { build } from ${address('node_modules/vite/dist/node/index.js')};
    await build(bundles.find(({ name }) => name === 'cli').config(${JSON.stringify(join(program, 'dist', 'cli'))}, 'production'));`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
});
afterAll(() => rm(program, { recursive: true, force: true }));

async function withHooks(name: string): Promise<{ readonly test: TestRepository; readonly bare: TestRepository }> {
  const unpacked = await unpackRepository(name);
  const test = new TestRepository(unpacked.path);
  const bare = await makeRepository('--bare');
  onTestFinished(async () => {
    await unpacked.dispose();
    await bare.dispose();
  });
  const folder = join(test.path, '.git', 'hooks');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const command = [process.execPath, join(program, 'dist', 'cli', 'theta.cjs')].map(quoteForShell).join(' ');
  for (const hook of HOOKS) await writeFile(join(folder, hook.name), hookScript(hook, command), { mode: 0o755 });
  await test.git(['remote', 'add', 'origin', `file://${bare.path}`]);
  return { test, bare };
}

async function objectsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'lfs', 'objects'), { recursive: true }).catch(() => []);
  return names
    .map((path) => path.slice(-64))
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .sort();
}

it('git push brings the objects along, git commit the file of the commit, and a branch can be deleted', async () => {
  const { test, bare } = await withHooks('b-st-merge');
  await test.git(['push', '-q', 'origin', 'HEAD:refs/heads/main', 'HEAD~1:refs/heads/other']);
  expect(await bare.git(['rev-parse', 'main'])).toBe(await test.hash('HEAD'));
  expect(await objectsIn(bare.path)).toEqual(await objectsIn(join(test.path, '.git')));
  await test.git(['push', '-q', 'origin', ':refs/heads/other']);
  expect(await bare.git(['branch', '--list', 'other'])).toBe('');
  await test.write('notes.txt', 'x');
  await test.git(['add', 'notes.txt']);
  await test.git(['commit', '-q', '-m', 'notes']);
  expect(await readdir(join(test.path, '.git', 'theta', 'commits'))).toContain(await test.hash('HEAD'));
  await test.git(['commit', '-q', '--amend', '-m', 'better notes']);
  expect(await readdir(join(test.path, '.git', 'theta', 'commits'))).toContain(await test.hash('HEAD'));
  const linked = join(test.path, '..', 'linked');
  await test.git(['worktree', 'add', '-q', '--no-checkout', '-b', 'aside', linked]);
  await test.git(['push', '-q', 'origin', 'aside'], { folder: linked });
  expect(await bare.git(['rev-parse', 'aside'])).toBe(await test.hash('HEAD'));
});

it('git push fails, and moves no ref, when an object is missing on both sides', async () => {
  const { test, bare } = await withHooks('a-pt-linear');
  await rm(join(test.path, '.git', 'lfs', 'objects'), { recursive: true });
  await expect(test.git(['push', '-q', 'origin', 'HEAD:refs/heads/main'])).rejects.toThrow(
    /neither on this machine nor on the server.*group .*, commit .*, object /s,
  );
  expect(await bare.git(['branch', '--list'])).toBe('');
});
