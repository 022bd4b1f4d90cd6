import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LfsServer } from '../../e2e/fixtures/lfsServer';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { HOOKS, hookScript } from '../git/hooks/hookScript';
import { quoteForShell } from '../git/install/programCommand';
import { makeRepository, TestRepository } from '../git/testing/testRepository';

const gitLfs = spawnSync('git', ['lfs', 'version']).status === 0;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** sha256sum of “kept by Git LFS” and a newline. */
const DATA = '46e02a6f04225346571ae3738e0e629f7268900073989dac7ad19972faec128e';
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

async function withHooks(
  name: string,
  former: Readonly<Record<string, string>> = {},
): Promise<{ readonly test: TestRepository; readonly bare: TestRepository }> {
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
  for (const [hook, content] of Object.entries(former)) await writeFile(join(folder, `${hook}.before-theta`), content, { mode: 0o755 });
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

/** With git-lfs on the search path, which no push may take for a hook that runs it. */
describe.skipIf(!gitLfs)('git push in a repository with files of Git LFS, where git-lfs is installed', () => {
  /** In place of git-theta, which need not be here and uploads none of these files. */
  const GIT_THETA = '#!/bin/sh\ncat >/dev/null # git theta pre-push "$@"\n';

  async function pushed(hook: 'absent' | 'git-theta' | 'git-lfs') {
    const server = await LfsServer.start();
    onTestFinished(() => server.stop());
    const { test, bare } = await withHooks('a-pt-linear', hook === 'git-theta' ? { 'pre-push': GIT_THETA } : {});
    if (hook === 'git-lfs') {
      // Its own text, from a repository in which nothing else was set up.
      const other = await makeRepository();
      onTestFinished(() => other.dispose());
      await other.git(['lfs', 'install', '--local']);
      await rename(join(other.path, '.git', 'hooks', 'pre-push'), join(test.path, '.git', 'hooks', 'pre-push.before-theta'));
    }
    await test.git(['config', 'remote.origin.lfsurl', `${server.remote}.git/info/lfs`]);
    await test.git(['config', 'lfs.locksverify', 'false']);
    await test.git(['config', 'filter.lfs.clean', 'git-lfs clean -- %f']);
    await test.git(['config', 'filter.lfs.smudge', 'git-lfs smudge -- %f']);
    await test.write('.gitattributes', 'model.pt filter=theta diff=theta merge=theta -text\n*.bin filter=lfs diff=lfs merge=lfs -text\n');
    await test.write('data.bin', 'kept by Git LFS\n');
    await test.git(['add', '.gitattributes', 'data.bin']);
    await test.git(['commit', '-q', '-m', 'data']);
    expect(await test.git(['show', 'HEAD:data.bin'])).toContain(DATA);
    await test.git(['push', '-q', 'origin', 'HEAD:refs/heads/main']);
    expect(await bare.git(['rev-parse', 'main'])).toBe(await test.hash('HEAD'));
    expect(new Set(server.objects.keys())).toEqual(new Set(await objectsIn(join(test.path, '.git'))));
    const uploader = server.requests.find(({ method, path }) => method === 'PUT' && path.includes(DATA));
    return uploader?.headers['user-agent'] ?? '';
  }

  it.each(['absent', 'git-theta'] as const)('the program uploads their objects; hook that was there before: %s', async (hook) => {
    expect(await pushed(hook)).not.toContain('git-lfs/');
  });

  it('git-lfs uploads them by its own hook, which runs first', async () => {
    expect(await pushed('git-lfs')).toContain('git-lfs/');
  });
});
