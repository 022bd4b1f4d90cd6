import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommitDriver } from '../fixtures/buildCommitDriver';
import type { DrivenCommit } from '../fixtures/commitDriver';
import { digitsFile, sha256Of, TrackedRepository } from '../fixtures/gitRepository';
import { type Death, type KillableCommand, type Killed, putBack, runKilled } from '../fixtures/killedCommand';
import { age, checkedOut, faultsOf, staleLocks } from '../fixtures/soundRepository';
import { expect, test } from '../fixtures/test';

/**
 * A program that is killed between any two of its calls that change something: the repository is valid, nothing committed is lost, and the same
 * command succeeds afterwards. A sample of all points; `THETA_EVERY_POINT` takes them all: at `0`
 * git dies with every second one, at `1` with the others.
 */
test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');
test.skip(process.platform === 'win32', 'process groups are needed');
test.setTimeout(process.env.THETA_EVERY_POINT === undefined ? 300_000 : 7_200_000);

const MODEL = 'model.pt';
const THETA = fileURLToPath(new URL('../../electron/theta.mjs', import.meta.url));
/** Deaths of each command. */
const DEATHS = 4;
const digest = (name: string) => sha256Of(digitsFile(name));
const any = (names: readonly string[]) => names.map(digest);

interface Scenario {
  readonly prepare: (repository: TrackedRepository) => void;
  readonly command: (repository: TrackedRepository) => Pick<KillableCommand, 'program' | 'args'>;
  /** Versions that the file of the work tree may have after the death, whole; `null`: git may have removed or cut it. */
  readonly work: readonly string[] | null;
  /** Versions of HEAD before and after. */
  readonly heads: readonly string[];
  /** Files of the work tree beside the model and `.gitattributes`. */
  readonly files?: readonly string[];
  /** Runs the command again and looks at what it made. */
  readonly again: (repository: TrackedRepository, killed: Killed) => void;
}

function begin(repository: TrackedRepository, ...versions: readonly string[]): void {
  repository.theta('install', '--local');
  // Copies of the repository have other inodes.
  repository.git('config', 'core.checkStat', 'minimal');
  repository.git('config', 'core.trustctime', 'false');
  repository.theta('track', '*.pt');
  repository.commit('Track', '.gitattributes');
  for (const version of versions) commitVersion(repository, version);
}

function commitVersion(repository: TrackedRepository, version: string): void {
  repository.put(digitsFile(version), MODEL);
  repository.commit(version, MODEL);
}

const git = (repository: TrackedRepository, ...args: string[]) => ({ program: 'git', args: ['-C', repository.folder, ...args] });
const theta = (repository: TrackedRepository, ...args: string[]) => ({ program: process.execPath, args: [THETA, '-C', repository.folder, ...args] });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'theta add': {
    prepare(repository) {
      begin(repository, '02_digits');
      repository.put(digitsFile('03_head'), MODEL);
    },
    command: (repository) => theta(repository, 'add', MODEL),
    work: ['03_head'],
    heads: ['02_digits'],
    again(repository) {
      repository.theta('add', MODEL);
      expect(repository.git('status', '--porcelain')).toBe(`M  ${MODEL}`);
      expect(checkedOut(repository, `:${MODEL}`)).toBe(digest('03_head'));
    },
  },
  'theta add with a declared update': {
    prepare: (repository) => begin(repository, '04_fish'),
    command: (repository) => theta(repository, 'add', MODEL, '--update-type', 'low-rank', '--update-data', digitsFile('05_lora_factors')),
    work: null,
    heads: ['04_fish'],
    again(repository) {
      repository.theta('add', MODEL, '--update-type', 'low-rank', '--update-data', digitsFile('05_lora_factors'));
      expect(repository.git('status', '--porcelain')).toBe(`M  ${MODEL}`);
      expect(checkedOut(repository, `:${MODEL}`)).toBe(repository.sha256(MODEL));
    },
  },
  'theta track': {
    prepare: (repository) => begin(repository, '02_digits'),
    command: (repository) => theta(repository, 'track', '*.safetensors'),
    work: ['02_digits'],
    heads: ['02_digits'],
    again(repository) {
      repository.theta('track', '*.safetensors');
      expect(repository.git('check-attr', 'filter', 'a.safetensors')).toContain('theta');
      expect(repository.git('check-attr', 'filter', MODEL)).toContain('theta');
      expect(repository.git('status', '--porcelain')).toBe('M  .gitattributes');
    },
  },
  'git add': {
    prepare(repository) {
      begin(repository, '02_digits');
      repository.put(digitsFile('03_head'), MODEL);
    },
    command: (repository) => git(repository, 'add', MODEL),
    work: ['03_head'],
    heads: ['02_digits'],
    again(repository) {
      repository.git('add', MODEL);
      expect(repository.git('status', '--porcelain')).toBe(`M  ${MODEL}`);
      expect(checkedOut(repository, `:${MODEL}`)).toBe(digest('03_head'));
    },
  },
  'git checkout': {
    prepare(repository) {
      begin(repository, '02_digits', '03_head');
      repository.git('branch', 'before', 'HEAD~1');
    },
    command: (repository) => git(repository, 'checkout', '-q', 'before'),
    work: null,
    heads: ['02_digits', '03_head'],
    again(repository) {
      // A git that dies between the file and the index takes the other version for a change of the user's, whole as it is.
      const refused = repository.tryGit('checkout', '-q', 'before').code !== 0;
      if (refused) expect(repository.sha256(MODEL)).toBe(digest('02_digits'));
      repository.git('checkout', '-q', ...(refused ? ['-f'] : []), 'before');
      expect(repository.sha256(MODEL)).toBe(digest('02_digits'));
      expect(repository.git('status', '--porcelain')).toBe('');
    },
  },
  'git commit and its hooks': {
    prepare(repository) {
      begin(repository, '02_digits');
      repository.put(digitsFile('03_head'), MODEL);
      repository.theta('add', MODEL);
    },
    command: (repository) => git(repository, 'commit', '-q', '-m', 'third'),
    work: ['03_head'],
    heads: ['02_digits', '03_head'],
    again(repository) {
      if (repository.git('diff', '--cached', '--name-only') !== '') repository.git('commit', '-q', '-m', 'third');
      expect(repository.git('status', '--porcelain')).toBe('');
      expect(checkedOut(repository, `HEAD:${MODEL}`)).toBe(digest('03_head'));
    },
  },
  'git merge': {
    prepare(repository) {
      begin(repository, '06_ia3');
      repository.git('checkout', '-q', '-b', 'rotated');
      commitVersion(repository, '07_branch_rotated');
      repository.git('checkout', '-q', 'main');
      commitVersion(repository, '08_branch_noise');
      repository.git('config', 'theta.merge', 'ours');
    },
    command: (repository) => git(repository, 'merge', '-q', '-m', 'merged', 'rotated'),
    work: null,
    heads: [],
    again(repository) {
      if (existsSync(join(repository.folder, '.git', 'MERGE_HEAD'))) repository.git('merge', '--abort');
      else repository.git('reset', '-q', '--hard');
      repository.git('merge', '-q', '-m', 'merged', 'rotated');
      expect(repository.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3);
      expect(checkedOut(repository, `HEAD:${MODEL}`)).toBe(repository.sha256(MODEL));
      expect(repository.git('status', '--porcelain', '--untracked-files=no')).toBe('');
    },
  },
  'git push': {
    prepare(repository) {
      begin(repository, '02_digits', '03_head');
      const remote = repository.beside('remote.git');
      repository.git('init', '-q', '--bare', '-b', 'main', remote);
      repository.git('remote', 'add', 'origin', remote);
    },
    command: (repository) => git(repository, 'push', '-q', 'origin', 'main'),
    work: ['03_head'],
    heads: ['03_head'],
    again(repository) {
      repository.git('push', '-q', 'origin', 'main');
      const clone = repository.beside('clone');
      rmSync(clone, { recursive: true, force: true });
      repository.gitIn(repository.folder, 'clone', '-q', '--no-checkout', repository.beside('remote.git'), clone);
      for (const key of ['process', 'clean', 'smudge', 'required']) {
        repository.gitIn(clone, 'config', `filter.theta.${key}`, repository.git('config', `filter.theta.${key}`));
      }
      repository.gitIn(clone, 'checkout', '-q', 'main');
      expect(repository.sha256(MODEL, clone)).toBe(digest('03_head'));
    },
  },
  'the commit of the window': {
    prepare(repository) {
      begin(repository, '02_digits');
      repository.git('rm', '-q', '--cached', '.gitattributes');
      writeFileSync(join(repository.folder, '.gitattributes'), 'model.pt filter=theta diff=theta merge=theta -text\n');
      repository.commit('Track one file', '.gitattributes');
    },
    command: (repository) => ({ program: process.execPath, args: [driver, JSON.stringify(windowCommit(repository, 'side'))] }),
    work: ['02_digits', '03_head'],
    heads: ['02_digits', '03_head'],
    files: ['models/second.pt'],
    again(repository) {
      const branch = repository.git('symbolic-ref', '--short', 'HEAD');
      const made = repository.git('branch', '--list', 'side') !== '';
      if (checkedOut(repository, `HEAD:${MODEL}`) !== digest('03_head')) {
        if (made && branch !== 'side') repository.git('branch', '-q', '-D', 'side');
        repository.node(driver, JSON.stringify(windowCommit(repository, branch === 'side' ? null : 'side')));
      }
      expect(repository.git('symbolic-ref', '--short', 'HEAD')).toBe('side');
      expect(checkedOut(repository, `HEAD:${MODEL}`)).toBe(digest('03_head'));
      expect(checkedOut(repository, 'HEAD:models/second.pt')).toBe(digest('04_fish'));
      expect(repository.git('status', '--porcelain')).toBe('');
      expect(repository.git('diff', '--name-only', 'main', 'side').split('\n')).toEqual(['.gitattributes', MODEL, 'models/second.pt']);
    },
  },
};

let driver = '';
test.beforeAll(async () => {
  driver = await buildCommitDriver();
});

function windowCommit(repository: TrackedRepository, newBranch: string | null): DrivenCommit {
  const item = (version: string, path: string) => ({ source: digitsFile(version), path, update: 'auto' as const, updateData: null });
  return { folder: repository.folder, items: [item('03_head', MODEL), item('04_fish', 'models/second.pt')], newBranch };
}

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  test(`killed anywhere, ${name} leaves a sound repository and can be run again`, async () => {
    const repository = new TrackedRepository();
    try {
      scenario.prepare(repository);
      const folders = ['repository', 'remote.git'].filter((folder) => existsSync(repository.beside(folder)));
      for (const folder of folders) putBack(repository.beside(`template of ${folder}`), repository.beside(folder));
      const run = (death: Death) => {
        for (const folder of folders) putBack(repository.beside(folder), repository.beside(`template of ${folder}`));
        return runKilled({ ...scenario.command(repository), environment: repository.environment() }, death);
      };
      const whole = await run({ at: 0, whole: false });
      expect(whole.code, whole.err).toBe(0);
      const faults: string[] = [];
      for (const death of deathsAmong(whole.points.length)) {
        const killed = await run(death);
        try {
          expectSound(repository, scenario, killed);
        } catch (error) {
          const where = `${death.at} of ${whole.points.length}${death.whole ? ', with git' : ''}: ${killed.points[death.at - 1]}`;
          faults.push(`${where}\n${error instanceof Error ? error.message : error}`);
        }
      }
      expect(faults).toEqual([]);
    } finally {
      repository.dispose();
    }
  });
}

function deathsAmong(points: number): Death[] {
  const all = Array.from({ length: points }, (_, index) => index + 1);
  if (process.env.THETA_EVERY_POINT !== undefined) return all.map((at) => ({ at, whole: at % 2 === Number(process.env.THETA_EVERY_POINT) }));
  const step = points / DEATHS;
  return Array.from({ length: DEATHS }, (_, index) => ({ at: Math.max(1, Math.round((index + 0.5) * step)), whole: index % 2 === 1 }));
}

function expectSound(repository: TrackedRepository, scenario: Scenario, killed: Killed): void {
  for (const lock of staleLocks(repository)) {
    if (lock.endsWith('/.git/index.lock')) {
      const refused = repository.tryTheta('track', '*.other');
      expect(refused.code).toBe(1);
      expect(refused.err).toContain(lock);
      expect(refused.err).toMatch(/delete it, then try again/);
    }
    rmSync(lock);
  }
  const files = [MODEL, '.gitattributes', ...(scenario.files ?? [])];
  expect(faultsOf(repository, { files })).toEqual([]);
  if (scenario.heads.length > 0) expect(any(scenario.heads)).toContain(checkedOut(repository, `HEAD:${MODEL}`));
  if (scenario.work !== null) expect(any(scenario.work)).toContain(repository.sha256(MODEL));
  const left = age(repository);
  scenario.again(repository, killed);
  if (!left.some((file) => existsSync(file))) return;
  repository.put(digitsFile('09_aux'), MODEL);
  repository.theta('add', MODEL);
  expect(left.filter((file) => existsSync(file))).toEqual([]);
}
