import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HOOKS } from '../../git/hooks/hookScript';
import { openGitWriter } from '../../git/native/writer/openGitWriter';
import { reversingFilter } from '../../git/native/writer/testing/reversingFilter';
import { makeRepository, type TestRepository, temporaryFolder } from '../../git/testing/testRepository';
import { userHome } from '../../git/testing/userHome';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { openOne } from '../repositories/repositoryCache';
import { commitCheckpoints } from './commitCheckpoints';
import { ensureHooks, ensureInstalled } from './ensureInstalled';
import { floats, safetensorsFile } from './testing/safetensorsFile';

const checked = vi.hoisted(() => vi.fn(async () => {}));
// What git would start is tried in the test of checkProgram; here there is no program.
vi.mock('../../git/install/checkProgram', () => ({ checkProgram: checked }));

const program = { command: "'/opt/the theta'", version: '1.2.3' };
const NAMES = HOOKS.map(({ name }) => name).toSorted();

let home: string;
let test: TestRepository;
beforeEach(async () => {
  checked.mockClear();
  home = await userHome();
  test = await makeRepository();
  onTestFinished(() => test.dispose());
});

const local = (key: string) => test.git(['config', '--local', key]).catch(() => null);

async function hooks(): Promise<readonly string[]> {
  return (await readdir(join(test.path, '.git', 'hooks')).catch(() => [])).filter((name) => !name.endsWith('.sample')).toSorted();
}

async function ensure(): Promise<readonly string[]> {
  const repository = await openOne(test.path);
  onTestFinished(() => repository.dispose());
  return ensureInstalled(repository, program);
}

describe('ensureInstalled', () => {
  it('sets up a repository in which nothing is, with hooks, and does nothing the second time', async () => {
    expect(await ensure()).toEqual(['git in this repository now runs Theta Desktop for tracked files (theta install --local).']);
    expect(checked).toHaveBeenCalledWith(expect.anything(), program.command, { version: program.version });
    expect(await local('filter.theta.process')).toBe(`${program.command} filter-process`);
    expect(await hooks()).toEqual(NAMES);
    const config = await readFile(join(test.path, '.git', 'config'), 'utf8');
    expect(await ensure()).toEqual([]);
    expect(await readFile(join(test.path, '.git', 'config'), 'utf8')).toBe(config);
  });

  it.each(['filter.theta.process', 'filter.theta.clean'])('leaves a repository alone in which another program is set up by %s', async (key) => {
    await test.git(['config', key, 'git-theta-filter clean %f']);
    expect(await ensure()).toEqual([]);
    expect(await local(key)).toBe('git-theta-filter clean %f');
    expect(await local('theta.program')).toBeNull();
    expect(await hooks()).toEqual([]);
    expect(checked).not.toHaveBeenCalled();
  });

  it('sets up when what is there would not make git run a filter', async () => {
    await test.git(['config', 'filter.theta.required', 'true']);
    expect(await ensure()).toHaveLength(1);
    expect(await local('filter.theta.process')).toBe(`${program.command} filter-process`);
  });

  it('sets up nothing when git could not start the program', async () => {
    checked.mockRejectedValueOnce(new Error('cannot start'));
    await expect(ensure()).rejects.toThrow('cannot start');
    expect(await local('filter.theta.process')).toBeNull();
    expect(await hooks()).toEqual([]);
  });

  it('adds the hooks where the program is set up for all repositories', async () => {
    await writeFile(join(home, 'config'), `[theta]\n\tprogram = x\n[filter "theta"]\n\tprocess = x filter-process\n`);
    expect(await ensure()).toEqual([]);
    expect(await local('filter.theta.process')).toBeNull();
    expect(await hooks()).toEqual(NAMES);
    expect(await readFile(join(test.path, '.git', 'hooks', 'pre-push'), 'utf8')).toContain(`${program.command} hook pre-push "$@"`);
  });

  it('is part of a commit in the window, which says so', async () => {
    const scratch = await temporaryFolder();
    onTestFinished(() => rm(scratch, { recursive: true }));
    const { command } = await reversingFilter(scratch);
    await test.git(['config', 'user.name', 'Ada']);
    await test.git(['config', 'user.email', 'ada@example.org']);
    await test.commit('first', { notes: 'x' });
    // The hooks of this commit are to find a program.
    const runnable = { command: 'true', version: '1.2.3' };
    const source = join(scratch, 'new');
    await writeFile(source, safetensorsFile({ weight: floats(new Float32Array([1, 2, 3])) }));
    const repository = await openOne(test.path);
    onTestFinished(() => repository.dispose());
    const writer = await openGitWriter(repository.git, { filterCommand: { process: command, clean: command, smudge: command } });
    const items = [{ source, path: 'model.safetensors', update: 'auto' as const, updateData: null }];
    const work = { repository, writer, pool: createInProcessPool(), items, author: null, newBranch: null, convertLfs: false };
    const { notes } = await commitCheckpoints({ ...work, message: 'model', program: runnable });
    expect(notes).toContain('git in this repository now runs Theta Desktop for tracked files (theta install --local).');
    expect(await local('filter.theta.process')).toBe('true filter-process');
    expect(await hooks()).toEqual(NAMES);
    expect(await test.git(['show', 'HEAD:model.safetensors'])).toContain('"lfs_metadata"');
  });
});

describe('ensureHooks', () => {
  async function ensureThem(): Promise<readonly string[]> {
    const repository = await openOne(test.path);
    onTestFinished(() => repository.dispose());
    return ensureHooks(repository, program.command);
  }

  it('writes none where the filter is another program’s', async () => {
    await test.git(['config', 'filter.theta.clean', 'git-theta-filter clean %f']);
    expect(await ensureThem()).toEqual([]);
    expect(await hooks()).toEqual([]);
  });

  it('puts ours back over one that git-theta has written, which then runs first', async () => {
    await test.git(['config', 'theta.program', program.command]);
    expect(await ensureThem()).toEqual([]);
    await writeFile(join(test.path, '.git', 'hooks', 'pre-push'), '#!/bin/sh\ngit theta pre-push "$@"\n');
    await ensureThem();
    expect(await hooks()).toEqual([...NAMES, 'pre-push.before-theta'].toSorted());
    expect(await readFile(join(test.path, '.git', 'hooks', 'pre-push'), 'utf8')).toContain(program.command);
  });

  it('says what to do by hand where core.hooksPath leads out of the repository', async () => {
    await test.git(['config', 'theta.program', program.command]);
    await test.git(['config', 'core.hooksPath', home]);
    expect((await ensureThem()).join('\n')).toContain(`pre-push: ${program.command} hook pre-push "$@"`);
    expect(await hooks()).toEqual([]);
    expect(await readdir(home)).not.toContain('pre-push');
  });
});
