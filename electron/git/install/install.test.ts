import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import { openRepository } from '../openRepository';
import { makeRepository, temporaryFolder } from '../testing/testRepository';
import { userHome } from '../testing/userHome';
import { checkProgram } from './checkProgram';
import { install } from './install';
import { quoteForShell } from './programCommand';
import type { InstallTarget } from './readTarget';
import type { InstallScope } from './thetaSettings';
import { uninstall } from './uninstall';

const PROGRAM = '"/usr/bin/node" "/opt/theta/theta.mjs"';

/** What `git theta install` of git-theta 0.2.0 writes. */
const GIT_THETA = `[filter "theta"]
	clean = git-theta-filter clean %f
	smudge = git-theta-filter smudge %f
	required = true
[merge "theta"]
	name = Merge Models with Git-Theta
	driver = git-theta-merge %O %A %B %P
[diff "theta"]
	command = git-theta-diff
`;

let home = '';
beforeEach(async () => {
  home = await userHome();
});

async function setUp() {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  const opened = await openRepository(test.path, { backend: 'native' });
  await opened.close();
  const { place } = opened;
  const target = (scope: InstallScope, program = PROGRAM): InstallTarget => ({
    git: { executable: 'git', folder: test.path, place: [`--git-dir=${place.gitDir}`] },
    place,
    scope,
    program,
  });
  const env = { GIT_CONFIG_GLOBAL: join(home, 'config') };
  return {
    test,
    target,
    files: { global: join(home, 'config'), local: join(test.path, '.git', 'config') },
    list: async (scope: InstallScope) =>
      (await test.git(['config', `--${scope}`, '--list'], { env }).catch(() => '')).split('\n').filter((line) => line !== ''),
    get: (key: string) => test.git(['config', key], { env }),
  };
}

const SETTINGS = [
  `filter.theta.process=${PROGRAM} filter-process`,
  `filter.theta.clean=${PROGRAM} clean -- %f`,
  `filter.theta.smudge=${PROGRAM} smudge -- %f`,
  'filter.theta.required=true',
  `diff.theta.command=${PROGRAM} diff-driver --`,
  `diff.theta.textconv=${PROGRAM} textconv --`,
  'diff.theta.cachetextconv=false',
  'merge.theta.name=merge of checkpoints, parameter group by parameter group (Theta Desktop)',
  `merge.theta.driver=${PROGRAM} merge-driver -- %O %A %B %P %L`,
];

describe('install', () => {
  it.each(['global', 'local'] as const)('writes the settings (%s), once, and takes them away', async (scope) => {
    const { target, list, files } = await setUp();
    const before = await readFile(files[scope], 'utf8').catch(() => '');
    const first = await install(target(scope), { force: false });
    expect((await list(scope)).filter((line) => !line.startsWith('core.')).toSorted()).toEqual([...SETTINGS, `theta.program=${PROGRAM}`].toSorted());
    expect(first.changed).toHaveLength(SETTINGS.length);
    expect(first.active.map(({ task, program }) => [task, program])).toEqual([
      ['filter', 'theta'],
      ['diff', 'theta'],
      ['merge', 'theta'],
    ]);
    expect(first.notes).toEqual([]);
    expect(first.hooks?.kind).toBe(scope === 'local' ? 'own' : undefined);
    const written = await readFile(files[scope], 'utf8');
    const second = await install(target(scope), { force: false });
    expect(second.changed).toEqual([]);
    expect(await readFile(files[scope], 'utf8')).toBe(written);

    const gone = await uninstall(target(scope));
    expect(gone.changed).toHaveLength(SETTINGS.length);
    expect(gone.kept).toEqual([]);
    expect(gone.active.map(({ program }) => program)).toEqual(['none', 'none', 'none']);
    expect(await readFile(files[scope], 'utf8')).toBe(before);
    expect((await uninstall(target(scope))).changed).toEqual([]);
  });

  it('follows the program to another place without being told to', async () => {
    const { target, list, get } = await setUp();
    await install(target('global', '"/old/node" "/old/theta.mjs"'), { force: false });
    const moved = await install(target('global'), { force: false });
    expect(moved.changed.map(({ key }) => key)).toEqual([
      'filter.theta.process',
      'filter.theta.clean',
      'filter.theta.smudge',
      'diff.theta.command',
      'diff.theta.textconv',
      'merge.theta.driver',
    ]);
    expect(await get('theta.program')).toBe(PROGRAM);
    expect((await list('global')).filter((line) => line.includes('former') || line.includes('/old/'))).toEqual([]);
    await uninstall(target('global', '"/third/node" "/third/theta.mjs"'));
    expect(await list('global')).toEqual([]);
  });

  it.each(['global', 'local'] as const)('replaces git-theta (%s) only when told to, and puts it back', async (scope) => {
    const { target, files, list, get } = await setUp();
    await writeFile(files[scope], GIT_THETA, { flag: 'a' });
    const before = await list(scope);
    const refusal = await install(target(scope), { force: false }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringContaining('git-theta is set up'), hint: expect.stringContaining('--force') });
    expect(refusal instanceof CheckpointError ? refusal.detail : '').toContain('filter.theta.clean = git-theta-filter clean %f');
    expect(await list(scope)).toEqual(before);

    const report = await install(target(scope), { force: true });
    expect(await get('filter.theta.clean')).toBe(`${PROGRAM} clean -- %f`);
    expect(await get('theta.former.filter.theta.clean')).toBe('git-theta-filter clean %f');
    expect(report.notes).toEqual([]);
    await install(target(scope), { force: true });
    expect(await get('theta.former.filter.theta.clean')).toBe('git-theta-filter clean %f');

    await uninstall(target(scope));
    expect((await list(scope)).toSorted()).toEqual(before.toSorted());
  });

  it('says which program runs when git-theta stands in the other configuration, and how to choose', async () => {
    const { target, files } = await setUp();
    await writeFile(files.global, GIT_THETA);
    const local = await install(target('local'), { force: false });
    expect(local.active.map(({ program }) => program)).toEqual(['theta', 'theta', 'theta']);
    expect(local.notes[0]).toBe(`To store and check out checkpoints, git runs Theta Desktop: filter.theta.process = ${PROGRAM} filter-process (local).`);
    expect(local.notes[1]).toBe(
      '  Not used: git-theta, filter.theta.clean = git-theta-filter clean %f (global), because git prefers filter.theta.process to clean and smudge.',
    );
    expect(local.notes.join('\n')).toContain('diff.theta.command = git-theta-diff (global), because local settings come first.');
    expect(local.notes.join('\n')).toContain('“theta uninstall”');
    expect(local.notes.at(-1)).toContain('hooks');
    await uninstall(target('local'));

    // The other way round: its drivers win, but the process wins over its filter.
    await rm(files.global);
    await writeFile(files.local, GIT_THETA, { flag: 'a' });
    const global = await install(target('global'), { force: false });
    expect(global.active.map(({ task, program }) => [task, program])).toEqual([
      ['filter', 'theta'],
      ['diff', 'git-theta'],
      ['merge', 'git-theta'],
    ]);
    expect(global.notes).toContain('To merge checkpoints, git runs git-theta: merge.theta.driver = git-theta-merge %O %A %B %P (local).');
    expect(global.notes.join('\n')).toContain('theta install --local --force');
  });

  it('says so when another filter process comes first', async () => {
    const { target, test } = await setUp();
    await test.git(['config', 'filter.theta.process', '/opt/other/run']);
    const report = await install(target('global'), { force: false });
    expect(report.active[0]).toMatchObject({ task: 'filter', program: 'other', setting: { value: '/opt/other/run', scope: 'local' } });
    expect(report.notes[0]).toBe('To store and check out checkpoints, git runs another program: filter.theta.process = /opt/other/run (local).');
  });

  it('keeps several values of a key and what others wrote afterwards', async () => {
    const { target, test, list } = await setUp();
    await test.git(['config', '--add', 'filter.theta.clean', 'one "x" \\ %f']);
    await test.git(['config', '--add', 'filter.theta.clean', 'two\nlines']);
    await install(target('local'), { force: true });
    await test.git(['config', 'merge.theta.driver', 'somebody else']);
    const report = await uninstall(target('local'));
    expect(report.kept).toEqual([{ key: 'merge.theta.driver', value: 'somebody else' }]);
    expect((await list('local')).filter((line) => !line.startsWith('core.'))).toEqual([
      'filter.theta.clean=one "x" \\ %f',
      'filter.theta.clean=two',
      'lines',
      'merge.theta.driver=somebody else',
    ]);
  });

  it('puts the percent signs of its own path past git', async () => {
    const { target, test, files } = await setUp();
    const folder = await temporaryFolder();
    const path = join(folder, `50%f of "it" $x`);
    await writeFile(path, '#!/bin/sh\n[ "$1" = --version ] && echo 1.2.3 && exit\necho "$@" >&2\n[ "$1" = filter-process ] && exit 1\ncat\n', { mode: 0o755 });
    const program = quoteForShell(path);
    await checkProgram(target('local').git, program, { version: '1.2.3' });
    await expect(checkProgram(target('local').git, program, { version: '1.2.4' })).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(checkProgram(target('local').git, '"/nowhere/node"', { version: '1.2.3' })).rejects.toMatchObject({ code: 'invalid-request' });
    await install(target('global', program), { force: false });
    await test.write('.gitattributes', 'a* filter=theta\n');
    await test.write('a b.pt', 'content');
    await test.git(['config', '--file', files.global, '--unset', 'filter.theta.process']);
    await test.git(['add', 'a b.pt'], { env: { GIT_CONFIG_GLOBAL: files.global } });
    expect(await test.git(['cat-file', 'blob', ':a b.pt'])).toBe('content');
  });

  it('says what is in the way of writing', async () => {
    const { target, files } = await setUp();
    await writeFile(`${files.local}.lock`, '');
    await expect(install(target('local'), { force: false })).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('.lock') });
    await rm(`${files.local}.lock`);
    await expect(install({ ...target('local'), place: null }, { force: false })).rejects.toMatchObject({ code: 'invalid-request' });
    await chmod(home, 0o500);
    // The superuser may write everywhere.
    if (process.getuid?.() !== 0) await expect(install(target('global'), { force: false })).rejects.toMatchObject({ code: 'permission' });
    await chmod(home, 0o700);
  });

  it('goes on after a halt at any setting', async () => {
    const { target, files, list } = await setUp();
    await writeFile(files.global, GIT_THETA);
    const before = await list('global');
    await install(target('global'), { force: true });
    const whole = (await list('global')).toSorted();
    // The last changes had not been made.
    const text = await readFile(files.global, 'utf8');
    await writeFile(files.global, text.replace(/\tdriver = .*merge-driver.*\n/, '\tdriver = git-theta-merge %O %A %B %P\n').replace(/\ttextconv = .*\n/, ''));
    await install(target('global'), { force: true });
    expect((await list('global')).toSorted()).toEqual(whole);
    await uninstall(target('global'));
    expect((await list('global')).toSorted()).toEqual(before.toSorted());
  });
});
