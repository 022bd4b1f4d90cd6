import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { runTheta } from './testing/runTheta';

const file = fileURLToPath(new URL('../../e2e/fixtures/checkpoints/safetensors/plain.safetensors', import.meta.url));

let repository: { readonly path: string; dispose(): Promise<void> };
let folder: string;
beforeAll(async () => {
  repository = await unpackRepository('e-two-files');
  folder = await mkdtemp(join(tmpdir(), 'theta-cli-'));
});
afterAll(async () => {
  await repository?.dispose();
  await rm(folder, { recursive: true, force: true });
});

describe('exit codes', () => {
  it.each([
    [['show']],
    [['show', 'a', 'b']],
    [['nothing']],
    [['show', file, '--no-such-option']],
    [['log', '-n', '0']],
    [['serve', '--port', '99999']],
    [[]],
    [['--git', 'cvs', 'log']],
    [['export', file, join(tmpdir(), 'x.xyz'), '--format', 'tiff']],
  ])('2 for the wrong usage %j, said on stderr', async (args) => {
    const { code, out, err } = await runTheta(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).not.toBe('');
  });

  it.each([
    [['show', 'no-such-file.pt'], /no-such-file\.pt/],
    [['show', 'HEAD:no.pt'], /no\.pt/],
    [['show', 'no-such-branch:models/one/net.pt'], /no-such-branch/],
    [['show', '--output=x:net.pt'], /./],
    [['log', 'no.pt'], /no\.pt/],
    [['serve', 'no-such-folder'], /no-such-folder/],
  ])('1 for the error of %j, said on stderr', async (args, words) => {
    const { code, out, err } = await runTheta('-C', repository.path, ...(args[1]?.startsWith('--output') ? [args[0] ?? '', '--', args[1]] : args));
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(words);
  });

  it('1 outside of a repository, with what to do', async () => {
    const { code, err } = await runTheta('-C', folder, 'log');
    expect(code).toBe(1);
    expect(err).toMatch(/repository/);
  });

  it('0 for help and version', async () => {
    const version: { version: string } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runTheta('--version')).toEqual({ code: 0, out: `${version.version}\n`, err: '' });
    expect((await runTheta('--help')).code).toBe(0);
    expect((await runTheta('export', '--help')).out).toContain('--force');
  });
});

describe('names of versions', () => {
  it('start at the root of the repository, or at the current folder with ./', async () => {
    const inside = join(repository.path, 'models');
    const whole = await runTheta('-C', inside, 'show', 'HEAD~3:models/one/net.pt', '--json');
    const relative = await runTheta('-C', inside, 'show', 'HEAD~3:./one/net.pt', '--json');
    expect(whole.code, whole.err).toBe(0);
    expect(JSON.parse(relative.out)).toEqual(JSON.parse(whole.out));
  });

  it('prefer a file that exists', async () => {
    const odd = join(folder, 'HEAD:net.safetensors');
    await writeFile(odd, await readFile(file));
    const { out } = await runTheta('-C', folder, 'show', 'HEAD:net.safetensors', '--json');
    expect(JSON.parse(out)).toMatchObject({ commit: null, format: 'safetensors' });
  });
});

describe('log', () => {
  it('lists what git lists, newest first', async () => {
    const { out } = await runTheta('-C', repository.path, 'log', '--json');
    const listed: { commit: string; parents: string[] }[] = JSON.parse(out);
    const git = execFileSync('git', ['-C', repository.path, 'log', '--all', '--format=%H'], { encoding: 'utf8' }).trim().split('\n');
    expect(listed.map(({ commit }) => commit)).toEqual(git);
    expect(JSON.parse((await runTheta('-C', repository.path, 'log', '--json', '-n', '2')).out)).toHaveLength(2);
  });

  it('with a path lists the commits that changed it, as git does', async () => {
    const path = 'models/two/deep/net.pt';
    const listed: { commit: string }[] = JSON.parse((await runTheta('-C', repository.path, 'log', path, '--json')).out);
    const git = execFileSync('git', ['-C', repository.path, 'log', '--all', '--format=%H', '--', path], { encoding: 'utf8' }).trim().split('\n');
    expect(listed.map(({ commit }) => commit)).toEqual(git);
  });

  it('takes a path from the current folder, or from the root', async () => {
    const log = (cwd: string, path: string) => runTheta('-C', join(repository.path, cwd), 'log', path, '--json');
    const { out } = await log('.', 'models/two/deep/net.pt');
    expect((await log('models/two', 'deep/net.pt')).out).toBe(out);
    expect((await log('models/one', '../two/deep/net.pt')).out).toBe(out);
    expect((await log('models/one', 'models/two/deep/net.pt')).out).toBe(out);
    expect(await log('models/one', 'deep/net.pt')).toMatchObject({ code: 1, out: '' });
  });
});

describe('export', () => {
  it('does not replace a file without --force, and leaves nothing else behind', async () => {
    const target = join(folder, 'there.safetensors');
    await writeFile(target, 'mine');
    const refused = await runTheta('-C', repository.path, 'export', 'HEAD~3:models/one/net.pt', target);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('--force');
    expect(await readFile(target, 'utf8')).toBe('mine');
    const replaced = await runTheta('-C', repository.path, 'export', 'HEAD~3:models/one/net.pt', target, '--force');
    expect(replaced.code, replaced.err).toBe(0);
    expect((await stat(target)).size).toBeGreaterThan(100);
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('copies a file on disk byte for byte when no other format is asked for', async () => {
    const target = join(folder, 'copy.safetensors');
    expect((await runTheta('export', file, target)).code).toBe(0);
    expect(await readFile(target)).toEqual(await readFile(file));
  });

  it('takes the format from the name, or as told', async () => {
    const named = join(folder, 'named.npz');
    const told = join(folder, 'told.bin');
    expect((await runTheta('export', file, named)).code).toBe(0);
    expect(await runTheta('export', file, told, '--format', 'npz')).toMatchObject({ code: 0, err: expect.stringContaining(`Wrote ${told}: npz, `) });
    for (const path of [named, told]) expect(JSON.parse((await runTheta('show', path, '--json')).out).format).toBe('npz');
  });
});
