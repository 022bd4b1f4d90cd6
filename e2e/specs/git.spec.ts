import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digitsFile, sha256Of, TrackedRepository } from '../fixtures/gitRepository';
import { expect, test } from '../fixtures/test';

/** git itself, with the built program as its filter. No window: these run once, in the project of the served host. */
test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');

// Every step starts a program; on a busy machine that adds up.
test.setTimeout(300_000);

const MODEL = 'model.pt';
const digest = (name: string) => sha256Of(digitsFile(name));

let repository: TrackedRepository;
test.afterEach(() => repository?.dispose());

function begin(name?: string): void {
  repository = new TrackedRepository(name);
  repository.theta('install', '--local');
  repository.theta('track', '*.pt');
  repository.commit('Track checkpoints', '.gitattributes');
}

/** Commits these versions one after the other; the commit of each. */
function versions(...names: string[]): Map<string, string> {
  return new Map(
    names.map((name) => {
      repository.put(digitsFile(name), MODEL);
      return [name, repository.commit(name, MODEL)];
    }),
  );
}

test('add, checkout and reset give every version back, byte for byte, and status stays clean', () => {
  begin();
  const commits = versions('01_init', '02_digits', '03_head', '04_fish', '05_lora');
  expect(repository.git('status', '--porcelain')).toBe('');
  for (const [name, commit] of commits) {
    repository.git('checkout', '-q', commit);
    expect(repository.sha256(MODEL), name).toBe(digest(name));
    expect(repository.git('status', '--porcelain')).toBe('');
  }
  repository.git('checkout', '-q', 'main');
  repository.git('reset', '-q', '--hard', 'HEAD~3');
  expect(repository.sha256(MODEL)).toBe(digest('02_digits'));
  // Touched, but the same: the filter runs and finds nothing new.
  utimesSync(join(repository.folder, MODEL), new Date(), new Date(Date.now() - 86_400_000));
  expect(repository.git('status', '--porcelain')).toBe('');
  expect(repository.git('fsck', '--strict')).toBe('');
});

test('stash, rebase and bisect carry weights along', () => {
  begin();
  const commits = versions('01_init', '02_digits', '03_head');
  repository.put(digitsFile('04_fish'), MODEL);
  repository.git('stash', '-q');
  expect(repository.sha256(MODEL)).toBe(digest('03_head'));
  repository.git('stash', 'pop', '-q');
  expect(repository.sha256(MODEL)).toBe(digest('04_fish'));
  const tip = repository.commit('04_fish', MODEL);

  repository.git('checkout', '-q', '-b', 'notes', commits.get('01_init') ?? '');
  writeFileSync(join(repository.folder, 'notes.txt'), 'a note\n');
  repository.commit('A note', 'notes.txt');
  repository.git('rebase', '-q', 'notes', 'main');
  expect(repository.sha256(MODEL)).toBe(digest('04_fish'));
  // The commits that the sparse updates name are gone from every branch and from the object store.
  repository.git('reflog', 'expire', '--expire=now', '--all');
  repository.git('gc', '-q', '--prune=now');
  expect(repository.tryGit('cat-file', '-e', tip).code).not.toBe(0);
  rmSync(join(repository.folder, '.git', 'theta-desktop'), { recursive: true, force: true });
  for (const [revision, name] of [
    ['main', '04_fish'],
    ['main~1', '03_head'],
    ['main~2', '02_digits'],
  ] as const) {
    repository.git('checkout', '-q', '--detach', revision);
    expect(repository.sha256(MODEL), name).toBe(digest(name));
  }

  repository.git('checkout', '-q', 'main');
  const wanted = digest('02_digits');
  repository.git('bisect', 'start', 'main', commits.get('01_init') ?? '');
  const script = `test "$(sha256sum ${MODEL} | cut -d' ' -f1)" != ${wanted} && test "$(sha256sum ${MODEL} | cut -d' ' -f1)" = ${digest('01_init')}`;
  const found = repository.git('bisect', 'run', 'sh', '-c', script);
  expect(found).toContain('02_digits');
  repository.git('bisect', 'reset');
});

test('a clone, a shallow clone and a linked worktree check out', () => {
  begin('a repository with späces');
  versions('01_init', '02_digits', '03_head', '04_fish');
  const clone = (name: string, ...args: string[]) => {
    const folder = repository.beside(name);
    repository.gitIn(repository.folder, 'clone', '-q', '--no-checkout', ...args, `file://${encodeURI(repository.folder)}`, folder);
    for (const key of ['filter.theta.process', 'filter.theta.clean', 'filter.theta.smudge', 'filter.theta.required']) {
      repository.gitIn(folder, 'config', key, repository.git('config', key));
    }
    repository.gitIn(folder, 'checkout', '-q', 'main');
    return folder;
  };
  for (const folder of [clone('clone'), clone('shallow', '--depth', '1')]) {
    expect(repository.sha256(MODEL, folder)).toBe(digest('04_fish'));
    expect(repository.gitIn(folder, 'status', '--porcelain')).toBe('');
  }
  const tree = repository.beside('work tree');
  repository.git('worktree', 'add', '-q', tree, 'HEAD~1');
  expect(repository.sha256(MODEL, tree)).toBe(digest('03_head'));
  expect(repository.gitIn(tree, 'status', '--porcelain')).toBe('');
});

test('a renamed and moved file with sparse updates stays readable, also under names with spaces and other letters', () => {
  begin();
  versions('03_head', '04_fish');
  const name = 'modèles/ein Modell – 模型.pt';
  repository.git('mv', MODEL, 'renamed.pt');
  repository.commit('Rename');
  writeFileSync(join(repository.folder, 'x'), '');
  repository.put(join(repository.folder, 'renamed.pt'), name);
  repository.git('rm', '-q', 'renamed.pt');
  repository.commit('Move', name);
  repository.put(digitsFile('05_lora'), name);
  repository.commit('Change', name);
  for (const [revision, path, version] of [
    ['HEAD', name, '05_lora'],
    ['HEAD~1', name, '04_fish'],
    ['HEAD~2', 'renamed.pt', '04_fish'],
    ['HEAD~4', MODEL, '03_head'],
  ] as const) {
    repository.git('checkout', '-q', '--detach', revision);
    expect(repository.sha256(path), `${revision} ${path}`).toBe(digest(version));
    repository.git('checkout', '-q', 'main');
  }
});

test('two adds before one commit, and an amended commit', () => {
  begin();
  versions('01_init');
  repository.put(digitsFile('02_digits'), MODEL);
  repository.git('add', MODEL);
  repository.put(digitsFile('03_head'), MODEL);
  repository.git('add', MODEL);
  repository.commit('third');
  repository.put(digitsFile('04_fish'), MODEL);
  repository.git('add', MODEL);
  repository.git('commit', '-q', '--amend', '-m', 'amended');
  rmSync(join(repository.folder, MODEL));
  repository.git('checkout', '--', MODEL);
  expect(repository.sha256(MODEL)).toBe(digest('04_fish'));
});

test('git add of what is no checkpoint, or of a damaged one, fails and says why; nothing is staged', () => {
  begin();
  const file = join(repository.folder, MODEL);
  writeFileSync(file, 'not a checkpoint at all\n');
  let added = repository.tryGit('add', MODEL);
  expect(added.code).not.toBe(0);
  expect(added.err).toMatch(/model\.pt/);
  writeFileSync(file, readFileSync(digitsFile('01_init')).subarray(0, 30_000));
  added = repository.tryGit('add', MODEL);
  expect(added.code).not.toBe(0);
  expect(added.err).toMatch(/model\.pt/);
  expect(repository.git('diff', '--cached', '--name-only')).toBe('');
});

test('a missing object fails the checkout with the group and the object named, and the others stay', () => {
  begin();
  versions('01_init', '02_digits');
  const shown: unknown = JSON.parse(repository.theta('show', `HEAD:${MODEL}`, '--json'));
  expect(shown).toBeTruthy();
  const metadata: Record<string, { lfs_metadata: { oid: string } }> = JSON.parse(repository.git('cat-file', 'blob', `HEAD:${MODEL}`));
  const oid = metadata['fc1.weight']?.lfs_metadata.oid ?? '';
  const object = join(repository.folder, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
  expect(existsSync(object)).toBe(true);
  rmSync(object);
  rmSync(join(repository.folder, MODEL));
  const ended = repository.tryGit('checkout', '--', MODEL);
  expect(ended.code).not.toBe(0);
  expect(ended.err).toContain('fc1.weight');
  expect(ended.err).toContain(oid.slice(0, 10));
  repository.git('checkout', '-q', '-f', 'HEAD~1');
  expect(repository.sha256(MODEL)).toBe(digest('01_init'));
});
