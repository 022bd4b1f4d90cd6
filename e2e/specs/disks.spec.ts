import { copyFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { digitsFile, type Ended, sha256Of, TrackedRepository } from '../fixtures/gitRepository';
import { putBack } from '../fixtures/killedCommand';
import { MountedDisk } from '../fixtures/mountedDisk';
import { checkedOut, faultsOf } from '../fixtures/soundRepository';
import { expect, test } from '../fixtures/test';

/** Repositories on disks that are full or read-only, with git itself and the built program. Where no disk can be mounted, these are skipped. */
test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');
test.setTimeout(600_000);

const MODEL = 'model.pt';
const DISK_KIB = 2048;
const digest = (name: string) => sha256Of(digitsFile(name));

let disk: MountedDisk | null = null;
let repository: TrackedRepository;

test.beforeEach(() => {
  repository = new TrackedRepository('disk/repository', (base) => {
    disk = MountedDisk.mount(join(base, 'disk'), DISK_KIB);
  });
  repository.theta('install', '--local');
  repository.theta('track', '*.pt');
  repository.commit('Track', '.gitattributes');
  put('02_digits');
  repository.commit('02_digits', MODEL);
  put('03_head');
  repository.commit('03_head', MODEL);
});

test.afterEach(() => {
  disk?.unmount();
  disk = null;
  repository.dispose();
});

function theDisk(): MountedDisk {
  test.skip(disk === null, 'no disk can be mounted here');
  if (disk === null) throw new Error('there is no disk');
  return disk;
}

function put(version: string): void {
  copyFileSync(digitsFile(version), join(repository.folder, MODEL));
}

interface FullCase {
  readonly prepare?: () => unknown;
  readonly run: () => Ended;
  /** Looks at what a run that succeeded has made. */
  readonly check: () => void;
}

const CASES: Readonly<Record<string, FullCase>> = {
  'theta add': {
    prepare: () => put('06_ia3'),
    run: () => repository.tryTheta('add', MODEL),
    check: () => expect(checkedOut(repository, `:${MODEL}`)).toBe(digest('06_ia3')),
  },
  'git add': {
    prepare: () => put('06_ia3'),
    run: () => repository.tryGit('add', MODEL),
    check: () => expect(checkedOut(repository, `:${MODEL}`)).toBe(digest('06_ia3')),
  },
  'git checkout': {
    prepare: () => repository.git('branch', 'before', 'HEAD~1'),
    run: () => repository.tryGit('checkout', '-q', '-f', 'before'),
    check: () => expect(repository.sha256(MODEL)).toBe(digest('02_digits')),
  },
  'theta add with a declared update': {
    prepare: () => {
      put('04_fish');
      repository.commit('04_fish', MODEL);
    },
    run: () => repository.tryTheta('add', MODEL, '--update-type', 'low-rank', '--update-data', digitsFile('05_lora_factors')),
    check: () => expect(checkedOut(repository, `:${MODEL}`)).toBe(repository.sha256(MODEL)),
  },
};

for (const [name, { prepare, run, check }] of Object.entries(CASES)) {
  test(`a disk that becomes full anywhere in ${name} is told as such, nothing is lost, and it works with more space`, () => {
    const small = theDisk();
    prepare?.();
    const head = repository.git('rev-parse', 'HEAD');
    const version = checkedOut(repository, `HEAD:${MODEL}`);
    const work = repository.sha256(MODEL);
    const template = repository.beside('template');
    putBack(template, repository.folder);
    let failures = 0;
    for (let free = 0, succeeded = false; !succeeded; free += free < 48 ? 8 : 24) {
      putBack(repository.folder, template);
      small.leave(free);
      const ended = run();
      small.makeSpace();
      succeeded = ended.code === 0;
      const where = `with ${free} KiB: ${ended.err}`;
      // git itself leaves the beginning of a file that it could not write to its end; it cannot be read as a checkpoint then.
      if (!succeeded && name === 'git checkout') rmSync(join(repository.folder, MODEL), { force: true });
      expect(faultsOf(repository, { files: [MODEL, '.gitattributes'] }), where).toEqual([]);
      if (!succeeded) {
        failures++;
        expect(ended.err, where).toMatch(/disk (?:of the repository )?is full|no space left on device|are needed for|unable to write file/i);
        expect(ended.err, where).toContain(name.startsWith('theta') ? repository.folder : MODEL);
        expect(checkedOut(repository, `${head}:${MODEL}`)).toBe(version);
        // Told to go by force, git goes on without the files that it could not write.
        if (name !== 'git checkout') {
          expect(repository.git('rev-parse', 'HEAD')).toBe(head);
          expect(repository.sha256(MODEL), where).toBe(work);
        }
        expect(run(), where).toMatchObject({ code: 0 });
      }
      check();
    }
    expect(failures).toBeGreaterThan(2);
  });
}

test('a read-only repository is read, and everything that writes says that it cannot', () => {
  const small = theDisk();
  const outside = repository.beside('outside.pt');
  repository.git('branch', 'other', 'HEAD~1');
  // Looked at again, and found unchanged.
  utimesSync(join(repository.folder, MODEL), new Date(), new Date(Date.now() - 1e8));
  small.setReadOnly(true);

  expect(repository.theta('show', `HEAD:${MODEL}`, '--digest')).toContain('fc1.weight');
  expect(repository.theta('log', MODEL)).toContain('03_head');
  repository.theta('export', `HEAD~1:${MODEL}`, outside);
  expect(sha256Of(outside)).toBe(digest('02_digits'));
  expect(checkedOut(repository, `HEAD~1:${MODEL}`)).toBe(digest('02_digits'));
  expect(repository.git('diff', 'HEAD~1', '--', MODEL)).toContain('classifier.weight');
  expect(repository.git('status', '--porcelain')).toBe('');
  expect(repository.theta('status')).toBe('No checkpoint differs from HEAD.\n');
  expect(repository.theta('ls-files')).toContain(MODEL);

  const refused = (ended: Ended) => {
    expect(ended.code, ended.err).not.toBe(0);
    expect(ended.err).toMatch(/read-only|not allowed/i);
  };
  refused(repository.tryTheta('add', MODEL));
  refused(repository.tryTheta('track', '*.bin'));
  refused(repository.tryTheta('install', '--local'));
  refused(repository.tryGit('add', '--renormalize', MODEL));
  refused(repository.tryGit('checkout', 'other'));
  refused(repository.tryGit('merge', 'other', '--no-ff', '-m', 'merge'));
  refused(repository.tryTheta('export', `HEAD:${MODEL}`, join(repository.folder, 'out.pt')));

  small.setReadOnly(false);
  expect(faultsOf(repository, { files: [MODEL, '.gitattributes'] })).toEqual([]);
  put('04_fish');
  small.setReadOnly(true);
  // Even what would be stored can be looked at.
  expect(repository.theta('add', MODEL, '--dry-run')).toContain('would be stored');
  refused(repository.tryTheta('add', MODEL));
  refused(repository.tryGit('add', MODEL));
  small.setReadOnly(false);
  expect(repository.commit('04_fish', MODEL)).toMatch(/^[0-9a-f]{40}$/);
});

test('a read-only remote is told as such, and one that is full', () => {
  const small = theDisk();
  const other = new TrackedRepository();
  try {
    other.theta('install', '--local');
    other.theta('track', '*.pt');
    other.commit('Track', '.gitattributes');
    other.put(digitsFile('04_fish'), MODEL);
    other.commit('04_fish', MODEL);
    const remote = join(small.folder, 'remote.git');
    other.gitIn(small.folder, 'init', '-q', '--bare', remote);
    other.git('remote', 'add', 'origin', remote);
    small.setReadOnly(true);
    const refused = other.tryGit('push', '-q', 'origin', 'main');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(/read-only|not allowed/i);
    small.setReadOnly(false);
    small.leave(16);
    const full = other.tryGit('push', '-q', 'origin', 'main');
    expect(full.code).not.toBe(0);
    expect(full.err).toMatch(/full|no space/i);
    small.makeSpace();
    expect(other.tryGit('push', '-q', 'origin', 'main').code).toBe(0);
    expect(other.gitIn(remote, 'fsck', '--strict')).toBe('');
  } finally {
    other.dispose();
  }
});
