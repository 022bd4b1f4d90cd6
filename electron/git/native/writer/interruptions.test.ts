import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pathExists } from '../../../bytes/pathExists';
import { temporaryFolder } from '../../testing/testRepository';
import { failedHook } from './hookTrace';
import { clearOwnLock, lockTime } from './indexLock';
import { runWriter } from './runWriter';
import { reversingFilter } from './testing/reversingFilter';
import { isolate, openFixture } from './testing/writerFixture';

async function appears(path: string): Promise<void> {
  while (!(await pathExists(path))) await delay(5);
}

/** A program in the place of git. */
async function pretender(script: string) {
  isolate();
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const executable = join(folder, 'git');
  await writeFile(executable, `#!/bin/sh\n${script}\n`);
  await chmod(executable, 0o755);
  const place = { workTree: folder, gitDir: folder, commonDir: folder, bare: false, shallow: false };
  return { folder, lock: join(folder, 'index.lock'), context: { command: { executable, folder, place: [] }, place, workTree: folder, filters: [] } };
}

describe('a lock that another program held for a moment', () => {
  const failing = (count: number) =>
    `echo x >> tries; test $(wc -l < tries) -gt ${count} || { echo "fatal: Unable to create '$PWD/index.lock': File exists." >&2; exit 128; }`;

  it('is waited for', async () => {
    const { folder, context } = await pretender(failing(2));
    expect((await runWriter(context, [], { what: 'try' })).code).toBe(0);
    expect(await readFile(join(folder, 'tries'), 'utf8')).toBe('x\nx\nx\n');
  });

  it('is reported when it always comes back', async () => {
    const { lock, context } = await pretender(failing(1000));
    await expect(runWriter(context, [], { what: 'try' })).rejects.toMatchObject({ code: 'conflict', place: { file: lock } });
  });
});

describe('cancelling', () => {
  it('stops a commit in its hook, leaves no lock and nothing committed', async () => {
    const fixture = await openFixture();
    await fixture.stage({ a: '1', b: '2' });
    const started = join(fixture.scratch, 'started');
    await fixture.hook('pre-commit', `echo $$ > '${started}.pid'; mv '${started}.pid' '${started}'; exec sleep 600`);
    for (const paths of [['a'], ['a', 'b']]) {
      await rm(started, { force: true });
      const controller = new AbortController();
      const commit = fixture.writer.commit({ paths, message: 'never', author: null, signal: controller.signal });
      await Promise.all([expect(commit).rejects.toMatchObject({ code: 'cancelled' }), appears(started).then(() => controller.abort())]);
      // git does not stop its hooks.
      process.kill(Number(await readFile(started, 'utf8')));
      expect((await readdir(join(fixture.folder, '.git'))).filter((name) => name.endsWith('.lock'))).toEqual([]);
    }
    expect(await readdir(join(fixture.folder, '.git', 'theta-desktop'))).toEqual([]);
    expect(await fixture.git('rev-list', '--count', 'HEAD')).toBe('1');
    expect(await fixture.git('status', '--porcelain')).toBe('A  a\nA  b');
  });

  it('that comes after the commit was made does not hide it', async () => {
    const fixture = await openFixture();
    await fixture.stage({ a: '1' });
    const started = join(fixture.scratch, 'started');
    await fixture.hook('post-commit', `echo $$ > '${started}.pid'; mv '${started}.pid' '${started}'; exec sleep 600`);
    const controller = new AbortController();
    const commit = fixture.writer.commit({ paths: ['a'], message: 'made', author: null, signal: controller.signal });
    await appears(started);
    controller.abort();
    expect(await commit).toBe(await fixture.git('rev-parse', 'HEAD'));
    process.kill(Number(await readFile(started, 'utf8')));
    expect(await fixture.git('log', '-1', '--format=%s')).toBe('made');
  });

  it('in the middle of a switch puts the files back', async () => {
    const started = join(await temporaryFolder(), 'started');
    onTestFinished(() => rm(join(started, '..'), { recursive: true, force: true }));
    const { command } = await reversingFilter(join(started, '..'));
    const fixture = await openFixture({ filter: `SLOW=m.pt STARTED='${started}' ${command}` });
    await fixture.git('switch', '--quiet', '-c', 'other');
    await fixture.stage({ 'a file': '1', 'm.pt': 'm', readme: 'theirs\n' });
    await fixture.writer.commit({ paths: ['a file', 'm.pt', 'readme'], message: 'other', author: null });
    await fixture.git('switch', '--quiet', 'main');
    const controller = new AbortController();
    await Promise.all([
      expect(fixture.writer.switchBranch('other', controller.signal)).rejects.toMatchObject({ code: 'cancelled' }),
      appears(started).then(() => controller.abort()),
    ]);
    expect(await fixture.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(await fixture.writer.status()).toEqual([]);
    expect(await fixture.has('a file')).toBe(false);
    expect(await pathExists(join(fixture.folder, '.git', 'index.lock'))).toBe(false);
  });

  it('before the start does nothing', async () => {
    const fixture = await openFixture();
    await fixture.write('a', '1');
    await expect(fixture.writer.stagePlain(['a'], AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(await fixture.git('status', '--porcelain')).toBe('?? a');
  });

  it('kills a git that does not stop, and removes the lock that it held', async () => {
    const { folder, lock, context } = await pretender("trap '' TERM; : > index.lock; while :; do :; done");
    const controller = new AbortController();
    const run = runWriter(context, [], { what: 'stop', signal: controller.signal, patience: 50 });
    await Promise.all([expect(run).rejects.toMatchObject({ code: 'cancelled' }), appears(lock).then(() => controller.abort())]);
    expect(await readdir(folder)).toEqual(['git']);
  });

  it('never removes a lock that may be of another program', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const lock = join(folder, 'index.lock');
    await writeFile(lock, '');
    const time = (await lockTime(lock)) ?? 0;
    await clearOwnLock(lock, { before: time, started: time - 10, ended: time + 10 });
    await clearOwnLock(lock, { before: null, started: time + 5000, ended: time + 9000 });
    await clearOwnLock(lock, { before: null, started: time - 9000, ended: time - 5000 });
    expect(await pathExists(lock)).toBe(true);
    await clearOwnLock(lock, { before: null, started: time - 10, ended: time + 10 });
    expect(await pathExists(lock)).toBe(false);
  });
});

describe('the failed hook', () => {
  const event = (fields: object) => `${JSON.stringify({ sid: 'a', ...fields })}\n`;

  it('is the last hook of git itself that did not end well', () => {
    const hook = (id: number, name: string, code: number) =>
      event({ event: 'child_start', child_id: id, child_class: 'hook', hook_name: name }) + event({ event: 'child_exit', child_id: id, code });
    expect(failedHook(hook(0, 'pre-commit', 0) + hook(1, 'commit-msg', 1))).toBe('commit-msg');
    expect(failedHook(hook(0, 'pre-commit', 0))).toBe(null);
    expect(failedHook(`${hook(0, 'pre-commit', 1).replaceAll('"sid":"a"', '"sid":"a/b"')}not json\n{"event":`)).toBe(null);
    expect(failedHook(event({ event: 'child_start', child_id: 0, child_class: 'editor' }) + event({ event: 'child_exit', child_id: 0, code: 1 }))).toBe(null);
  });
});

describe('without permission', () => {
  it.skipIf(process.getuid?.() === 0)('says so', async () => {
    const fixture = await openFixture();
    await fixture.write('a', '1');
    const gitDir = join(fixture.folder, '.git');
    const { mode } = await stat(gitDir);
    await chmod(gitDir, 0o555);
    await expect(fixture.writer.stagePlain(['a'])).rejects.toMatchObject({ code: 'permission' });
    await chmod(gitDir, mode);
  });
});
