import { execFile } from 'node:child_process';
import { access, readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, TestRepository, temporaryFolder } from '../../testing/testRepository';
import { contents, pointerOf, startServer, transferSetup } from './testing/transferSetup';

const gitLfs = await Promise.any((process.env.PATH ?? '').split(delimiter).map((folder) => access(join(folder, 'git-lfs')))).then(
  () => true,
  () => false,
);

async function lfs(folder: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const { stdout } = await promisify(execFile)('git', ['lfs', ...args], { cwd: folder, env });
  return stdout;
}

/** git-lfs is the judge, where it is installed: what one client stores, the other gets. */
describe.skipIf(!gitLfs)('with git-lfs as the other client', () => {
  const login = { username: 'ada', password: 'secret' };

  it('git-lfs downloads what we uploaded', async () => {
    const server = await startServer({ login });
    const here = await transferSetup(server.remote.replace('//', '//ada:secret@'));
    const all = contents(3, 200_000);
    const objects = await Promise.all(all.map((content) => here.keep(content)));
    expect((await here.move('upload', objects)).failed).toEqual([]);
    for (const [index, { oid, bytes }] of objects.entries()) {
      await here.test.write(`file${index}.bin`, `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes}\n`);
    }
    await here.test.commit('pointers', { '.gitattributes': '*.bin filter=lfs -text\n' });
    await rm(here.store.folder, { recursive: true });
    await lfs(here.test.path, 'fetch', 'origin', 'HEAD');
    for (const [index, { oid }] of objects.entries()) expect(all[index]?.equals(await readFile(here.store.pathOf(oid)))).toBe(true);
  });

  it('we download what git-lfs uploaded', async () => {
    const server = await startServer({ login });
    const here = await transferSetup(server.remote.replace('//', '//ada:secret@'));
    const all = contents(3, 200_000);
    const objects = await Promise.all(all.map((content) => here.keep(content)));
    await lfs(here.test.path, 'push', '--object-id', 'origin', ...objects.map(({ oid }) => oid));
    expect(server.objects.size).toBe(3);
    await rm(here.store.folder, { recursive: true });
    expect((await here.move('download', objects)).failed).toEqual([]);
    for (const [index, { oid }] of objects.entries()) expect(all[index]?.equals(await readFile(here.store.pathOf(oid)))).toBe(true);
  });

  it('we find in a repository of this machine what git-lfs put there, and the reverse', async () => {
    const remote = await makeRepository('--bare');
    onTestFinished(() => remote.dispose());
    const here = await transferSetup(`file://${remote.path}`);
    const [theirs = Buffer.alloc(0), ours = Buffer.alloc(0)] = contents(2, 100_000);
    await here.test.git(['config', 'filter.lfs.clean', 'git-lfs clean -- %f']);
    await here.test.commit('theirs', { '.gitattributes': '*.bin filter=lfs -text\n', 'a.bin': theirs });
    await here.test.git(['push', '-q', 'origin', 'main']);
    await lfs(here.test.path, 'push', 'origin', 'main');
    await rm(here.store.folder, { recursive: true });
    expect((await here.move('download', [pointerOf(theirs)])).failed).toEqual([]);
    expect(theirs.equals(await readFile(here.store.pathOf(pointerOf(theirs).oid)))).toBe(true);

    const object = await here.keep(ours);
    expect((await here.move('upload', [object])).failed).toEqual([]);
    const clone = new TestRepository(await temporaryFolder());
    onTestFinished(() => clone.dispose());
    await clone.git(['clone', '-q', `file://${remote.path}`, '.']);
    await clone.commit('ours', { 'b.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${object.oid}\nsize ${object.bytes}\n` });
    await lfs(clone.path, 'fetch', 'origin', 'HEAD');
    const path = join(clone.path, '.git', 'lfs', 'objects', object.oid.slice(0, 2), object.oid.slice(2, 4), object.oid);
    expect(ours.equals(await readFile(path))).toBe(true);
  });
});
