import { appendFile, copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, cached } from './cacheFolder';
import { LINKS, makeStages } from './makeStages';
import { type Measurement, measureProcess } from './measureProcess';
import { median } from './median';
import type { Row } from './report';
import { whenPresent } from './whenPresent';

const MODEL = 'model.safetensors';
const TARGET_MB = 300;

/**
 * What git-theta 0.2.0 took for the same kind of work on another machine of two cores (seconds): it is not run here. How much faster or slower that
 * machine is shows in `sha256sum` of such a file, which took 1.15 s there.
 */
const GIT_THETA = {
  add: 8.2,
  groups: 5.1,
  sparse: 6.2,
  lowRank: 13.5,
  diff: 13.3,
  head: 6.2,
  first: 10.5,
  status: 4.9,
  chainEnd: 6.2,
  chainMaking: 252,
} as const;

/** One tool that keeps a checkpoint in git. */
interface Peer {
  readonly name: 'theta' | 'git-lfs';
  readonly prepare: (folder: string) => Promise<void>;
  readonly store: string;
}

const SHA256SUM_THERE = 1.15;

/** Merging by averaging, which git-theta's driver cannot. */
const MERGE = { seconds: 4, megabytes: 400 } as const;

type Job = keyof typeof GIT_THETA | 'merge';
type Times = Partial<Record<Job, Measurement>>;
type Sizes = Partial<Record<'add' | 'groups' | 'sparse' | 'lowRank' | 'chain', number>>;

const THETA: Peer = {
  name: 'theta',
  store: join('.git', 'lfs', 'objects'),
  prepare: async (folder) => {
    await writeFile(join(folder, '.gitattributes'), '*.safetensors filter=theta diff=theta merge=theta -text\n');
    await theta(folder, 'install', '--local');
  },
};

const LFS: Peer = {
  name: 'git-lfs',
  store: join('.git', 'lfs', 'objects'),
  prepare: async (folder) => {
    await writeFile(join(folder, '.gitattributes'), '*.safetensors filter=lfs diff=lfs merge=lfs -text\n');
    await git(folder, 'lfs', 'install', '--local');
  },
};

const git = (folder: string, ...args: string[]) =>
  measureProcess('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-C', folder, ...args]);
const theta = (folder: string, ...args: string[]) => measureProcess(process.execPath, [join(process.cwd(), 'electron', 'theta.mjs'), '-C', folder, ...args]);

/**
 * A checkpoint's story through git itself: first add, 5 % of the groups, 1 % of the elements of 10 groups, a side-loaded low-rank update,
 * checkouts, and a chain of forty sparse updates; beside git-lfs where it is installed, and `sha256sum` and `cp` of the same file.
 */
export async function trackCase(repeat: number): Promise<readonly Row[]> {
  const stages = await cached('stages-v1', makeStages);
  const lfs = await whenPresent('git-lfs', ['--version'], async () => LFS);
  const peers = lfs === null ? [THETA] : [THETA, lfs];
  const times = new Map<string, Times[]>(peers.map(({ name }) => [name, []]));
  const sizes = new Map<string, Sizes>();
  const floor = { cp: [] as number[], sha256sum: [] as number[] };
  for (let run = 0; run < repeat; run++) {
    floor.cp.push((await measureProcess('cp', [join(stages, 'base.safetensors'), join(CACHE, 'copied')])).seconds);
    floor.sha256sum.push((await measureProcess('sha256sum', [join(stages, 'base.safetensors')])).seconds);
    for (const peer of peers) {
      const found = await story(peer, stages, run === 0);
      times.get(peer.name)?.push(found.times);
      if (run === 0) sizes.set(peer.name, found.sizes);
    }
  }
  await rm(join(CACHE, 'copied'), { force: true });
  return rowsOf(times, sizes, floor);
}

async function story(peer: Peer, stages: string, withChain: boolean): Promise<{ times: Times; sizes: Sizes }> {
  const folder = join(CACHE, `story-${peer.name}`);
  await begin(peer, folder);
  const times: Times = {};
  const sizes: Sizes = {};
  let stored = 0;
  const step = async (job: 'add' | 'groups' | 'sparse', file: string) => {
    await copyFile(join(stages, file), join(folder, MODEL));
    await measureProcess('sync', []);
    times[job] = await git(folder, 'add', MODEL);
    await git(folder, 'commit', '-q', '-m', job);
    const now = await sizeOf(join(folder, peer.store));
    sizes[job] = now - stored;
    stored = now;
  };
  await step('add', 'base.safetensors');
  await step('groups', 'groups.safetensors');
  await step('sparse', 'sparse.safetensors');
  if (peer.name === 'theta') {
    times.lowRank = await theta(folder, 'add', MODEL, '--update-type', 'low-rank', '--update-data', join(stages, 'factors.safetensors'));
    await git(folder, 'commit', '-q', '-m', 'low-rank');
    sizes.lowRank = (await sizeOf(join(folder, peer.store))) - stored;
  } else {
    // The same number of bytes is new to git-lfs, whatever has changed.
    await appendFile(join(folder, MODEL), ' ');
    times.lowRank = await git(folder, 'add', MODEL);
    await git(folder, 'commit', '-q', '-m', 'low-rank');
  }
  if (peer.name === 'theta') times.diff = await git(folder, '--no-pager', 'diff', 'HEAD~3', 'HEAD');
  await utimes(join(folder, MODEL), new Date(), new Date(Date.now() - 60_000));
  times.status = await git(folder, 'status', '--porcelain');
  await rm(join(folder, MODEL));
  await measureProcess('sync', []);
  times.head = await git(folder, 'checkout', '--', MODEL);
  times.first = await git(folder, 'checkout', '-q', 'HEAD~3');
  if (peer.name === 'theta') times.merge = await merge(folder, stages);
  if (withChain) Object.assign(times, await chain(peer, stages, sizes));
  await rm(folder, { recursive: true, force: true });
  return { times, sizes };
}

/** Two branches that moved every element, averaged. */
async function merge(folder: string, stages: string): Promise<Measurement> {
  for (const [branch, bit] of [
    ['left', 1],
    ['right', 2],
  ] as const) {
    await git(folder, 'checkout', '-q', '-b', branch, 'main~3');
    await flip(join(stages, 'base.safetensors'), join(folder, MODEL), bit);
    await git(folder, 'add', MODEL);
    await git(folder, 'commit', '-q', '-m', branch);
  }
  await measureProcess('sync', []);
  return git(folder, '-c', 'theta.merge=average', 'merge', '-q', '-m', 'average', 'left');
}

/** A float32 checkpoint with some of the last bits of all its numbers changed. */
async function flip(from: string, to: string, bits: number): Promise<void> {
  const bytes = await readFile(from);
  for (let at = 8 + Number(bytes.readBigUInt64LE(0)); at < bytes.length; at += 4) bytes[at] = (bytes[at] ?? 0) ^ bits;
  await writeFile(to, bytes);
}

async function chain(peer: Peer, stages: string, sizes: Sizes): Promise<Times> {
  const folder = join(CACHE, `chain-${peer.name}`);
  await begin(peer, folder);
  let making: Measurement | null = null;
  for (let link = 0; link <= LINKS; link++) {
    await copyFile(join(stages, `chain-${String(link).padStart(2, '0')}.safetensors`), join(folder, MODEL));
    const added = await git(folder, 'add', MODEL);
    await git(folder, 'commit', '-q', '-m', `step ${link}`);
    if (link > 0) making = making === null ? added : { ...added, seconds: making.seconds + added.seconds };
  }
  sizes.chain = await sizeOf(join(folder, peer.store));
  await rm(join(folder, MODEL));
  await measureProcess('sync', []);
  const chainEnd = await git(folder, 'checkout', '--', MODEL);
  await rm(folder, { recursive: true, force: true });
  return { chainEnd, ...(making === null ? {} : { chainMaking: making }) };
}

async function begin(peer: Peer, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await measureProcess('git', ['init', '-q', '-b', 'main', folder]);
  await peer.prepare(folder);
  await git(folder, 'add', '.gitattributes');
  await git(folder, 'commit', '-q', '-m', 'attributes');
}

/** Bytes of all files below a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** Targets against git-lfs, in one run, and against git-theta, whose times are scaled by `sha256sum` on both machines. */
const AGAINST_LFS: Readonly<Partial<Record<Job, number>>> = { add: 1.3, groups: 0.7, sparse: 1, lowRank: 1, head: 2, first: 1, status: 0.5 };

const AGAINST_GIT_THETA: Readonly<Record<keyof typeof GIT_THETA, number>> = {
  add: 1 / 4,
  groups: 1 / 5,
  sparse: 1 / 4,
  lowRank: 1 / 8,
  diff: 1 / 8,
  head: 1 / 4,
  first: 1 / 6,
  status: 1 / 6,
  chainEnd: 1 / 12,
  chainMaking: 1 / 12,
};

const TITLES: Readonly<Record<Job, string>> = {
  add: 'git add, first',
  groups: 'git add, 5 % of the groups changed',
  sparse: 'git add, 1 % of the elements of 10 groups changed',
  lowRank: 'theta add, side-loaded rank 8 of 24 matrices',
  diff: 'git diff of the first and the last version',
  merge: 'git merge, averaging all groups',
  head: 'git checkout of HEAD',
  first: 'git checkout of the first commit',
  status: 'git status after touching the file',
  chainEnd: 'git checkout of the end of 40 sparse updates, 50 MB',
  chainMaking: 'git add of these 40 updates, together',
};

function rowsOf(times: ReadonlyMap<string, readonly Times[]>, sizes: ReadonlyMap<string, Sizes>, floor: { cp: number[]; sha256sum: number[] }): Row[] {
  const of = (name: string, job: Job, value: (one: Measurement) => number) => {
    const found = (times.get(name) ?? []).flatMap((one) => (one[job] === undefined ? [] : [value(one[job])]));
    return found.length === 0 ? null : median(found);
  };
  const rows: Row[] = [
    { what: 'cp of the file', value: median(floor.cp), unit: 's', target: null },
    { what: 'sha256sum of the file', value: median(floor.sha256sum), unit: 's', target: null },
  ];
  for (const job of Object.keys(TITLES) as Job[]) {
    const own = of('theta', job, ({ seconds }) => seconds);
    if (own === null) continue;
    const peak = of('theta', job, (one) => one.peak ?? Number.NaN);
    const peakTree = of('theta', job, (one) => one.peakTree ?? Number.NaN);
    const lfs = of('git-lfs', job, ({ seconds }) => seconds);
    rows.push({ what: TITLES[job], value: own, unit: 's', target: job === 'merge' ? MERGE.seconds : null });
    // git itself holds a file that it checks out as a whole.
    const most = job === 'head' || job === 'first' ? null : job === 'merge' ? MERGE.megabytes : TARGET_MB;
    if (peak !== null) rows.push({ what: '  peak memory of the largest process', value: peak / 1e6, unit: 'MB', target: most });
    if (peakTree !== null) rows.push({ what: '  peak memory of all processes', value: peakTree / 1e6, unit: 'MB', target: null });
    if (job !== 'merge') {
      const gitTheta = (GIT_THETA[job] * median(floor.sha256sum)) / SHA256SUM_THERE;
      rows.push({ what: '  against git-theta, its time elsewhere scaled', value: own / gitTheta, unit: '×', target: AGAINST_GIT_THETA[job] });
    }
    if (lfs === null) continue;
    rows.push({ what: '  git-lfs', value: lfs, unit: 's', target: null });
    rows.push({ what: '  against git-lfs', value: own / lfs, unit: '×', target: AGAINST_LFS[job] ?? null });
  }
  for (const [name, stored] of sizes) {
    for (const [job, bytes] of Object.entries(stored)) rows.push({ what: `stored by ${name}, ${job}`, value: bytes / 1e6, unit: 'MB', target: null });
  }
  return rows;
}
