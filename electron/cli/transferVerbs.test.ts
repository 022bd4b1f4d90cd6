import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { HOOKS, hookScript } from '../git/hooks/hookScript';
import { cloneOf, localObjects, removeObjects, servedRepository } from '../services/transfer/testing/servedRepository';
import { createInProcessPool } from '../workers/createInProcessPool';
import { parseUpdates } from './hook';
import { run } from './run';
import { runTheta } from './testing/runTheta';

const ZERO = '0'.repeat(40);

/** A run with something on its standard input. */
async function runWithInput(input: string, ...args: string[]) {
  const err: string[] = [];
  const streams = () => ({ input: Readable.from(input === '' ? [] : [Buffer.from(input)]), output: new Writable() });
  const code = await run(args, { out: () => {}, err: (text) => err.push(text), interactive: false, streams }, createInProcessPool);
  return { code, err: err.join('') };
}

describe('theta push', () => {
  it('uploads what would be pushed and says so', async () => {
    const { server, test } = await servedRepository('a-pt-linear');
    const first = await runTheta('-C', test.path, 'push', '--json');
    expect(first.code, first.err).toBe(0);
    const document = JSON.parse(first.out) as Record<string, unknown>;
    expect(document).toEqual({
      remote: `${server.remote}.git/info/lfs`,
      commits: 6,
      objects: server.objects.size,
      uploaded: server.objects.size,
      uploaded_bytes: expect.any(Number),
      notes: [],
    });
    const second = await runTheta('-C', test.path, 'push', 'origin', '--all');
    expect(second).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Uploaded 0 objects') });
    const unknown = await runTheta('-C', test.path, 'push', 'nowhere');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('no remote called nowhere') });
  });

  it('uploads whole files that Git LFS keeps too: no hook runs here that could', async () => {
    const { server, test, repository } = await servedRepository('a-pt-linear');
    await test.git(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    // sha256sum of “kept by Git LFS” and a newline.
    const oid = '46e02a6f04225346571ae3738e0e629f7268900073989dac7ad19972faec128e';
    const object = repository.lfs.pathOf(oid);
    await mkdir(dirname(object), { recursive: true });
    await writeFile(object, 'kept by Git LFS\n');
    await test.write('data.bin', `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 16\n`);
    await test.git(['add', 'data.bin']);
    await test.git(['commit', '-q', '-m', 'data']);
    const hooks = join(test.path, '.git', 'hooks');
    await mkdir(hooks);
    await writeFile(join(hooks, 'pre-push'), hookScript(HOOKS[0], 'theta'), { mode: 0o755 });
    await writeFile(join(hooks, 'pre-push.before-theta'), '#!/bin/sh\ngit lfs pre-push "$@"\n', { mode: 0o755 });
    const pushed = await runTheta('-C', test.path, 'push', '--json');
    expect(JSON.parse(pushed.out)).toMatchObject({ commits: 1, objects: 1, uploaded: 1, notes: [] });
    expect([...server.objects.keys()]).toEqual([oid]);
  });
});

describe('theta fetch', () => {
  it('downloads a version, or some groups of it', async () => {
    const served = await servedRepository('a-pt-linear');
    await served.test.git(['push', '-q', 'origin', 'HEAD:refs/heads/main']);
    expect((await runTheta('-C', served.test.path, 'push')).err).toContain('--all');
    expect((await runTheta('-C', served.test.path, 'push', '--all')).code).toBe(0);
    const clone = await cloneOf(served, '-b', 'main');
    const { code, out } = await runTheta('-C', clone.path, 'fetch', 'HEAD~5:model.pt', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      commit: await served.test.hash('HEAD~5'),
      paths: ['model.pt'],
      failed: [],
      present: 0,
      fetched: (await localObjects(clone)).size,
    });
    const shown = await runTheta('-C', clone.path, 'show', 'HEAD~5:model.pt', '--digest', '--json');
    const original = await runTheta('-C', served.test.path, 'show', 'HEAD~5:model.pt', '--digest', '--json');
    expect(shown).toEqual(original);
    served.server.objects.clear();
    await removeObjects(clone);
    const failed = await runTheta('-C', clone.path, 'fetch', 'origin', 'HEAD:model.pt');
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('group') });
    expect((await runTheta('-C', clone.path, 'fetch', 'HEAD:')).code).toBe(1);
  });
});

describe('theta hook', () => {
  it('pre-push uploads what git says is pushed', async () => {
    const { server, test } = await servedRepository('a-pt-linear');
    const head = await test.hash('HEAD');
    const line = `refs/heads/main ${head} refs/heads/main ${ZERO}\n`;
    expect((await runWithInput(line, '-C', test.path, 'hook', 'pre-push', 'origin', 'ignored')).code).toBe(0);
    expect(server.objects.size).toBeGreaterThan(0);
    const uploads = server.requests.length;
    expect((await runWithInput(`(delete) ${ZERO} refs/heads/x ${head}\n`, '-C', test.path, 'hook', 'pre-push', 'origin', 'x')).code).toBe(0);
    expect((await runWithInput('', '-C', test.path, 'hook', 'pre-push', 'origin', 'x')).code).toBe(0);
    expect(server.requests.length).toBe(uploads);
  });

  it('pre-push stops the push when an object cannot be uploaded', async () => {
    const { server, test } = await servedRepository('a-pt-linear');
    const line = `refs/heads/main ${await test.hash('HEAD')} refs/heads/main ${ZERO}\n`;
    server.interfere = ({ method }, response) => {
      if (method !== 'PUT') return null;
      response.writeHead(422).end();
      return true;
    };
    const refused = await runWithInput(line, '-C', test.path, 'hook', 'pre-push', 'origin', 'x');
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/group .*commit .*object /s) });
    expect((await runWithInput('garbage\n', '-C', test.path, 'hook', 'pre-push', 'origin', 'x')).code).toBe(1);
  });

  it('writes the files of commits that were made or made anew', async () => {
    const { test } = await servedRepository('a-pt-linear');
    const folder = join(test.path, '.git', 'theta', 'commits');
    await writeFile(join(test.path, 'notes.txt'), 'x');
    await test.git(['add', 'notes.txt']);
    await test.git(['commit', '-q', '-m', 'notes']);
    const made = await test.hash('HEAD');
    expect((await runWithInput('', '-C', test.path, 'hook', 'post-commit')).code).toBe(0);
    expect(await readdir(folder)).toContain(made);
    await test.git(['commit', '-q', '--amend', '-m', 'better']);
    const amended = await test.hash('HEAD');
    expect((await runWithInput(`${made} ${amended}\n`, '-C', test.path, 'hook', 'post-rewrite', 'amend')).code).toBe(0);
    expect(await readdir(folder)).toContain(amended);
    expect((await runWithInput('', '-C', test.path, 'hook', 'post-merge', '0')).code).toBe(0);
    expect((await runWithInput('', '-C', test.path, 'hook', 'post-checkout')).code).toBe(2);
  });

  it('reads refs whose names hold spaces on this side', () => {
    expect(parseUpdates(`HEAD^{/a b} ${'a'.repeat(40)} refs/heads/x ${'b'.repeat(64)}\n`)).toEqual([
      { localRef: 'HEAD^{/a b}', localOid: 'a'.repeat(40), remoteRef: 'refs/heads/x', remoteOid: 'b'.repeat(64) },
    ]);
  });
});
