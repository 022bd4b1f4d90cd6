import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digitsFile, sha256Of, TrackedRepository } from '../fixtures/gitRepository';
import { expect, test } from '../fixtures/test';
import { unpackRepository } from '../fixtures/unpackRepository';

/** Kinds of files and repositories on which git-theta fails, with real git running the built program. */
test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');
test.setTimeout(300_000);

const MODEL = 'model.pt';
const gitLfs = spawnSync('git', ['lfs', 'version']).status === 0;

let repository: TrackedRepository;
test.beforeEach(() => {
  repository = new TrackedRepository();
});
test.afterEach(() => repository.dispose());

function begin(...patterns: string[]): void {
  repository.theta('install', '--local');
  repository.theta('track', '--', ...patterns);
  repository.commit('Track checkpoints', '.gitattributes');
}

function objectPath(folder: string, oid: string): string {
  return join(folder, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}

test('files of Git LFS in the same repository are still pushed, and git-theta’s objects with them', () => {
  test.skip(!gitLfs, 'git-lfs is not on this machine');
  const remote = repository.beside('remote.git');
  repository.gitIn(repository.folder, 'init', '-q', '--bare', '-b', 'main', remote);
  repository.git('remote', 'add', 'origin', `file://${remote}`);
  repository.git('lfs', 'install', '--local');
  writeFileSync(join(repository.folder, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  begin('*.pt');
  writeFileSync(join(repository.folder, 'data.bin'), 'kept by Git LFS\n');
  repository.put(digitsFile('01_init'), MODEL);
  repository.commit('both', 'data.bin', MODEL);
  repository.git('push', '-q', 'origin', 'main');

  const large = sha256Of(join(repository.folder, 'data.bin'));
  expect(existsSync(objectPath(remote, large))).toBe(true);
  const metadata: Record<string, { lfs_metadata: { oid: string } }> = JSON.parse(repository.git('cat-file', 'blob', `HEAD:${MODEL}`));
  expect(Object.keys(metadata).length).toBeGreaterThan(5);
  for (const [name, entry] of Object.entries(metadata)) expect(existsSync(objectPath(remote, entry.lfs_metadata.oid)), name).toBe(true);
});

test('names that begin with a dash, and have spaces and other letters', () => {
  begin('*.pt');
  const names = ['-leading dash.pt', '--update-type.pt', 'ein Ordner/-ä 模型 "x".pt'];
  for (const [index, name] of names.entries()) repository.put(digitsFile(['01_init', '02_digits', '03_head'][index] ?? ''), name);
  repository.theta('add', '--', names[0] ?? '');
  repository.git('add', '--', '.');
  repository.commit('odd names');
  for (const name of names) {
    expect(repository.git('cat-file', 'blob', `HEAD:${name}`)).toContain('"lfs_metadata"');
    rmSync(join(repository.folder, name));
  }
  repository.git('checkout', '--', '.');
  for (const [index, name] of names.entries()) expect(repository.sha256(name)).toBe(sha256Of(digitsFile(['01_init', '02_digits', '03_head'][index] ?? '')));
  expect(repository.git('status', '--porcelain')).toBe('');
});

test('metadata with the markers of a text merge is not committed as a checkpoint', () => {
  begin('*.pt');
  repository.put(digitsFile('01_init'), MODEL);
  repository.commit('first', MODEL);
  const metadata = repository.git('cat-file', 'blob', `HEAD:${MODEL}`);
  writeFileSync(join(repository.folder, MODEL), `<<<<<<< ours\n${metadata}\n=======\n{}\n>>>>>>> theirs\n`);
  const added = repository.tryGit('add', MODEL);
  expect(added.code).not.toBe(0);
  expect(added.err).toContain('conflict markers');
  expect(repository.git('diff', '--cached', '--name-only')).toBe('');
});

test('a repository of git-theta is checked out at every commit, and stays clean when a file is touched', async () => {
  const theirs = await unpackRepository('a-pt-linear');
  try {
    const git = (...args: string[]) => repository.gitIn(theirs.path, ...args);
    // The filter of this repository is git-theta's until ours is installed in its place.
    for (const key of ['clean', 'smudge', 'required']) spawnSync('git', ['-C', theirs.path, 'config', '--unset-all', `filter.theta.${key}`]);
    repository.theta('install', '--local');
    for (const key of ['filter.theta.process', 'filter.theta.clean', 'filter.theta.smudge', 'filter.theta.required'])
      git('config', key, repository.git('config', key));
    const commits = git('rev-list', '--reverse', 'HEAD').split('\n');
    for (const commit of commits) {
      git('checkout', '-q', '-f', '--detach', commit);
      const file = join(theirs.path, MODEL);
      expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
      utimesSync(file, new Date(), new Date(Date.now() - 86_400_000));
      expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
    }
  } finally {
    await theirs.dispose();
  }
});
