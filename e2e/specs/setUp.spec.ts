import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digitsFile, sha256Of, TrackedRepository } from '../fixtures/gitRepository';
import { expect, test } from '../fixtures/test';

/** How git comes to run the built program, with real git. */
test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');
test.setTimeout(300_000);

const MODEL = 'model.pt';
const gitLfs = spawnSync('git', ['lfs', 'version']).status === 0;

let repository: TrackedRepository;
test.beforeEach(() => {
  repository = new TrackedRepository();
});
test.afterEach(() => repository.dispose());

const hooks = () => readdirSync(join(repository.folder, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));

function bareRemote(): string {
  const remote = repository.beside('remote.git');
  repository.gitIn(repository.folder, 'init', '-q', '--bare', '-b', 'main', remote);
  repository.git('remote', 'add', 'origin', `file://${remote}`);
  return remote;
}

function objectPath(folder: string, oid: string): string {
  return join(folder, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}

test('theta track alone sets git up; in a fresh clone theta install --local makes checkpoints of the metadata', () => {
  const remote = bareRemote();
  expect(repository.theta('track', '*.pt')).toContain('git in this repository now runs Theta Desktop');
  expect(hooks()).toContain('pre-push');
  repository.put(digitsFile('02_digits'), MODEL);
  repository.commit('02_digits', '.gitattributes', MODEL);
  expect(repository.git('cat-file', 'blob', `HEAD:${MODEL}`)).toContain('"lfs_metadata"');
  repository.git('push', '-q', 'origin', 'main');

  const clone = repository.beside('clone');
  repository.gitIn(repository.folder, 'clone', '-q', `file://${remote}`, clone);
  expect(readFileSync(join(clone, MODEL), 'utf8')).toContain('"lfs_metadata"');
  expect(repository.theta('-C', clone, 'install', '--local')).toContain(`Checked out as checkpoints, where metadata lay in the work tree: ${MODEL}`);
  expect(repository.sha256(MODEL, clone)).toBe(sha256Of(digitsFile('02_digits')));
  expect(repository.gitIn(clone, 'status', '--porcelain')).toBe('');
  expect(repository.theta('-C', clone, 'install', '--local')).not.toContain('Checked out');
});

test('after theta install --global the first add in a repository brings the hooks', () => {
  repository.theta('install', '--global');
  writeFileSync(join(repository.folder, '.gitattributes'), '*.pt filter=theta diff=theta merge=theta -text\n');
  expect(hooks()).toEqual([]);
  repository.put(digitsFile('01_init'), MODEL);
  repository.git('add', MODEL);
  expect(hooks().sort()).toEqual(['post-commit', 'post-merge', 'post-rewrite', 'pre-push']);
  expect(repository.tryGit('config', '--local', '--get-regexp', '^filter').out).toBe('');
});

test('a push brings files of Git LFS along although git-lfs, which is installed, has no hook here', () => {
  test.skip(!gitLfs, 'git-lfs is not on this machine');
  const remote = bareRemote();
  repository.theta('install', '--local');
  repository.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
  writeFileSync(join(repository.folder, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  writeFileSync(join(repository.folder, 'data.bin'), 'kept by Git LFS\n');
  repository.commit('data', '.gitattributes', 'data.bin');
  expect(hooks().filter((name) => name.includes('before-theta'))).toEqual([]);
  repository.git('push', '-q', 'origin', 'main');
  expect(existsSync(objectPath(remote, sha256Of(join(repository.folder, 'data.bin'))))).toBe(true);
});

test('theta track --convert-lfs takes over a checkpoint whose line stands in a folder further down', () => {
  writeFileSync(join(repository.folder, '.gitattributes'), '*.txt text\n');
  repository.put(digitsFile('01_init'), `sub/${MODEL}`);
  writeFileSync(join(repository.folder, 'sub', '.gitattributes'), '*.pt filter=lfs diff=lfs merge=lfs -text\n');
  repository.commit('as it was', '.');
  expect(repository.tryTheta('track', '*.pt')).toMatchObject({ code: 1, err: expect.stringContaining('line 1 of sub/.gitattributes') });
  expect(repository.theta('track', '--convert-lfs', '*.pt')).toContain('versions from the next add on are kept group by group');
  repository.put(digitsFile('02_digits'), `sub/${MODEL}`);
  repository.commit('as a checkpoint', `sub/${MODEL}`);
  expect(repository.git('cat-file', 'blob', `HEAD:sub/${MODEL}`)).toContain('"lfs_metadata"');
});
