import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HOOKS, hookScript } from '../../git/hooks/hookScript';
import { temporaryFolder } from '../../git/testing/testRepository';
import { type PushRequest, pushObjects } from './pushObjects';
import { servedRepository } from './testing/servedRepository';

const ZERO = '0'.repeat(40);

const GIT_LFS_HOOK = '#!/bin/sh\ngit lfs pre-push "$@"\n';
const GIT_THETA_HOOK = '#!/bin/sh\ngit theta pre-push "$@"\n';
const OUR_HOOK = hookScript(HOOKS[0], 'theta');

/** A commit with a file that Git LFS keeps, whose object is in the store; the remote has all that was before. */
async function withLfsFile() {
  const served = await servedRepository('a-pt-linear');
  const { test, repository } = served;
  await test.git(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
  const content = 'kept by Git LFS\n';
  // sha256sum of the content.
  const oid = '46e02a6f04225346571ae3738e0e629f7268900073989dac7ad19972faec128e';
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
  const blob = await test.git(['hash-object', '-w', '--stdin'], { input: pointer });
  const commit = await test.git(['commit-tree', await test.git(['mktree'], { input: `100644 blob ${blob}\tbig.bin\n` }), '-p', 'HEAD', '-m', 'big']);
  const object = repository.lfs.pathOf(oid);
  await mkdir(join(object, '..'), { recursive: true });
  await writeFile(object, content);
  const updates = [{ localRef: 'refs/heads/main', localOid: commit, remoteRef: 'refs/heads/main', remoteOid: ZERO }];
  const request: PushRequest = { remote: null, updates, interactive: false };
  const hooks = join(test.path, '.git', 'hooks');
  await mkdir(hooks, { recursive: true });
  return { ...served, oid, commit, object, request, hooks, write: (name: string, text: string) => writeFile(join(hooks, name), text, { mode: 0o755 }) };
}

/** Puts a git-lfs that must not be run on the search path, or takes all from it but git. */
async function stubGitLfs(present: boolean): Promise<void> {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  if (present) await writeFile(join(folder, process.platform === 'win32' ? 'git-lfs.exe' : 'git-lfs'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  else await symlink(spawnSync('which', ['git']).stdout.toString().trim(), join(folder, 'git'));
  vi.stubEnv('PATH', present ? `${folder}${delimiter}${process.env.PATH ?? ''}` : folder);
}

describe('files that Git LFS keeps', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['no hook', {}],
    ['our hook alone', { 'pre-push': OUR_HOOK }],
    ['git-theta’s hook', { 'pre-push': GIT_THETA_HOOK }],
    ['git-theta’s hook before ours', { 'pre-push': OUR_HOOK, 'pre-push.before-theta': GIT_THETA_HOOK }],
    ['git-theta’s hook over ours, whose former ones do not run then', { 'pre-push': GIT_THETA_HOOK, 'pre-push.before-theta': GIT_LFS_HOOK }],
    ['another program’s hook that calls both', { 'pre-push': '#!/bin/sh\ngit lfs pre-push "$@"\ntheta hook pre-push "$@"\n' }],
    ['a former hook that only speaks of git-lfs', { 'pre-push': OUR_HOOK, 'pre-push.before-theta': '#!/bin/sh\n# git lfs pre-push "$@"\n' }],
  ])('are uploaded although git-lfs is on the search path: %s', async (_, hooks) => {
    const { server, repository, oid, request, write } = await withLfsFile();
    await stubGitLfs(true);
    for (const [name, content] of Object.entries(hooks)) await write(name, content);
    expect(await pushObjects(repository, request)).toMatchObject({ objects: 1, uploaded: 1 });
    expect([...server.objects.keys()]).toEqual([oid]);
    // Already there: nothing is sent twice.
    expect(await pushObjects(repository, request)).toMatchObject({ objects: 1, uploaded: 0 });
  });

  it.each(['pre-push.before-theta', 'pre-push.before-theta-2'])('are left to git-lfs where our hook has run it, and only then: %s', async (name) => {
    const { server, repository, request, hooks, write } = await withLfsFile();
    await stubGitLfs(true);
    await write('pre-push', OUR_HOOK);
    await write('pre-push.before-theta', GIT_THETA_HOOK);
    await write(name, GIT_LFS_HOOK);
    expect(await pushObjects(repository, request)).toMatchObject({ objects: 0, where: null });
    expect(server.objects.size).toBe(0);
    // “theta push” runs no hook.
    expect(await pushObjects(repository, { ...request, pointers: 'always' })).toMatchObject({ uploaded: 1 });
    server.objects.clear();
    await chmod(join(hooks, name), 0o644);
    if (process.platform !== 'win32') expect(await pushObjects(repository, request)).toMatchObject({ uploaded: 1 });
  });

  it('are left to git-lfs by hooks where core.hooksPath leads, not by those that git does not run', async () => {
    const { test, repository, request, write } = await withLfsFile();
    await stubGitLfs(true);
    await write('pre-push', OUR_HOOK);
    await write('pre-push.before-theta', GIT_LFS_HOOK);
    const elsewhere = await temporaryFolder();
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    await test.git(['config', 'core.hooksPath', elsewhere]);
    await writeFile(join(elsewhere, 'pre-push'), '#!/bin/sh\ntheta hook pre-push "$@"\n', { mode: 0o755 });
    expect(await pushObjects(repository, request)).toMatchObject({ objects: 1, uploaded: 1 });
    await writeFile(join(elsewhere, 'pre-push'), OUR_HOOK);
    await writeFile(join(elsewhere, 'pre-push.before-theta'), GIT_LFS_HOOK, { mode: 0o755 });
    expect(await pushObjects(repository, request)).toMatchObject({ objects: 0 });
  });

  it.skipIf(process.platform === 'win32')('are uploaded where the hook would find no git-lfs', async () => {
    const { repository, request, write } = await withLfsFile();
    await stubGitLfs(false);
    await write('pre-push', OUR_HOOK);
    await write('pre-push.before-theta', `#!/bin/sh\ngit lfs pre-push "$@"\n`);
    expect(await pushObjects(repository, request)).toMatchObject({ uploaded: 1 });
  });

  it('stop a push when their object is on neither side', async () => {
    const { server, repository, oid, commit, object, request } = await withLfsFile();
    await rm(object);
    await expect(pushObjects(repository, request)).rejects.toMatchObject({ code: 'missing-object', place: { file: 'big.bin', commit, oid } });
    server.objects.set(oid, Buffer.alloc(0));
    expect(await pushObjects(repository, request)).toMatchObject({ uploaded: 0, notes: [] });
  });
});
