import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../shared/model/commit';
import type { GitRepository } from '../git/gitRepository';
import { openRepository } from '../git/openRepository';
import { createMetadataStore } from './metadataStore';
import { createChainResolver } from './resolveChains';

/** Object ids tell the entries apart; no object is needed to resolve a chain. */
const oid = (name: string) => Buffer.from(name.padEnd(32, '.')).toString('hex').slice(0, 64);

interface Entry {
  readonly kind: string;
  readonly object: string;
  readonly base?: string | null;
  /** Every number of the signature; 0 says nothing about the value. */
  readonly signature?: number;
}

function metadata(entries: Readonly<Record<string, Entry>>): string {
  const groups = Object.entries(entries).map(([name, { kind, object, base = null, signature = 0 }]) => [
    name,
    {
      tensor_metadata: { shape: '(3,)', dtype: 'float32', hash: new Array(16).fill(signature) },
      lfs_metadata: { version: 'https://git-lfs.github.com/spec/v1', oid: oid(object), size: '1' },
      theta_metadata: { update_type: kind, last_commit: base },
    },
  ]);
  return JSON.stringify(Object.fromEntries(groups), null, 4);
}

let folder: string;
let git: GitRepository | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-chain-'));
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
});
afterEach(async () => {
  await git?.close();
  git = null;
  await rm(folder, { recursive: true, force: true });
});

/** Commits files (path to content; `null` removes), and returns the commit. */
function commit(files: Readonly<Record<string, string | null>>, parent?: string): CommitHash {
  const run = (args: string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], {
      input,
      encoding: 'utf8',
      env: { ...process.env, GIT_INDEX_FILE: join(folder, '.git', 'test-index') },
    }).trim();
  run(['read-tree', ...(parent === undefined ? ['--empty'] : [parent])]);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) run(['rm', '-q', '--cached', '--', path]);
    else run(['update-index', '--add', '--cacheinfo', `100644,${run(['hash-object', '-w', '--stdin'], content)},${path}`]);
  }
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  const hash = run([...who, 'commit-tree', run(['write-tree']), ...(parent === undefined ? [] : ['-p', parent]), '-m', 'x']);
  run(['update-ref', 'refs/heads/main', hash]);
  if (!isCommitHash(hash)) throw new TypeError(hash);
  return hash;
}

async function resolve(at: CommitHash, path: string) {
  git = await openRepository(folder);
  const store = createMetadataStore(git);
  const blob = await store.blobAt(at, path);
  if (blob === null) throw new TypeError('not there');
  const resolver = createChainResolver({ repository: git, metadata: store, objectPath: (id) => join('/store', id) });
  const chains = await resolver.resolve({ commit: at, path, blob }, (await store.parsed(blob, path)).entries.values());
  return Object.fromEntries(
    [...chains].map(([name, chain]) => [
      name,
      chain instanceof CheckpointError
        ? chain
        : chain.steps.map((step) => `${step.kind} ${Buffer.from(step.object.oid, 'hex').toString().replaceAll('.', '')}`),
    ]),
  );
}

describe('resolveChains', () => {
  it('follows last_commit from update to update, each group by itself', async () => {
    const c1 = commit({ 'm.pt': metadata({ a: { kind: 'dense', object: 'a1' }, b: { kind: 'dense', object: 'b1' } }) });
    const c2 = commit({ 'm.pt': metadata({ a: { kind: 'sparse', object: 'a2', base: c1 }, b: { kind: 'dense', object: 'b1' } }) }, c1);
    const c3 = commit({ 'm.pt': metadata({ a: { kind: 'sparse', object: 'a2', base: c1 }, b: { kind: 'ia3', object: 'b3', base: c2 } }) }, c2);
    const c4 = commit({ 'm.pt': metadata({ a: { kind: 'low-rank', object: 'a4', base: c3 }, b: { kind: 'ia3', object: 'b3', base: c2 } }) }, c3);
    expect(await resolve(c4, 'm.pt')).toEqual({ a: ['dense a1', 'sparse a2', 'low-rank a4'], b: ['dense b1', 'ia3 b3'] });
    expect(await resolve(c1, 'm.pt')).toEqual({ a: ['dense a1'], b: ['dense b1'] });
  });

  it('ignores the base that a dense entry names', async () => {
    const c1 = commit({ 'm.pt': metadata({ a: { kind: 'dense', object: 'a1', base: '0'.repeat(40) } }) });
    expect(await resolve(c1, 'm.pt')).toEqual({ a: ['dense a1'] });
  });

  it('resolves 1,000 updates without recursion', async () => {
    let last = commit({ 'm.pt': metadata({ a: { kind: 'dense', object: '0' } }) });
    const importer = startImport();
    const steps = ['dense 0'];
    for (let number = 1; number <= 1000; number++) {
      last = await importer.commit(metadata({ a: { kind: 'sparse', object: String(number), base: last } }));
      steps.push(`sparse ${number}`);
    }
    await importer.end();
    expect(await resolve(last, 'm.pt')).toEqual({ a: steps });
  });

  it('finds the base of a file that was renamed, also more than once', async () => {
    const c1 = commit({ 'old.pt': metadata({ a: { kind: 'dense', object: 'a1' } }), 'other.pt': metadata({ a: { kind: 'dense', object: 'x1' } }) });
    const sparse = metadata({ a: { kind: 'sparse', object: 'a2', base: c1 } });
    const c2 = commit({ 'old.pt': sparse }, c1);
    const c3 = commit({ 'old.pt': null, 'dir/mid.pt': sparse }, c2);
    const c4 = commit({ 'dir/mid.pt': null, 'new.pt': sparse }, c3);
    expect(await resolve(c3, 'dir/mid.pt')).toEqual({ a: ['dense a1', 'sparse a2'] });
    expect(await resolve(c4, 'new.pt')).toEqual({ a: ['dense a1', 'sparse a2'] });
  });

  it.each([
    ['an update type that nobody knows', { kind: 'telepathy', object: 'a2' }, 'unsupported-format'],
    ['an update without a base', { kind: 'sparse', object: 'a2', base: null }, 'malformed'],
    ['a commit that is not there', { kind: 'sparse', object: 'a2', base: '0123456789'.repeat(4) }, 'missing-object'],
  ])('names the group with %s and resolves the others', async (_what, entry, code) => {
    const c1 = commit({ 'm.pt': metadata({ bad: entry, good: { kind: 'dense', object: 'g' } }) });
    const resolved = await resolve(c1, 'm.pt');
    expect(resolved.good).toEqual(['dense g']);
    expect(resolved.bad).toMatchObject({ code, place: { group: 'bad', commit: c1, file: 'm.pt', oid: oid('a2') } });
  });

  it('looks for each of many lost bases once, not once for every way that leads to it', async () => {
    const lost = (number: number) =>
      metadata({ a: { kind: 'sparse', object: String(number), base: number.toString(16).padStart(40, 'e'), signature: number + 1 } });
    let last = commit({ 'm.pt': lost(0) });
    const importer = startImport();
    for (let number = 1; number <= 40; number++) last = await importer.commit(lost(number));
    await importer.end();
    expect((await resolve(last, 'm.pt')).a).toMatchObject({ code: 'missing-object', place: { group: 'a', commit: last } });
  });

  it('ends where grafts make ancestors of descendants', async () => {
    const c1 = commit({ 'other.pt': metadata({}) });
    const c2 = commit({ 'm.pt': metadata({ a: { kind: 'sparse', object: '2', base: c1 } }) }, c1);
    const c3 = commit({ 'm.pt': metadata({ a: { kind: 'sparse', object: '3', base: c1 } }) }, c2);
    await mkdir(join(folder, '.git', 'info'), { recursive: true });
    await writeFile(join(folder, '.git', 'info', 'grafts'), `${c2} ${c3}\n`);
    expect((await resolve(c3, 'm.pt')).a).toMatchObject({ code: 'malformed', place: { group: 'a', commit: c3 } });
  });

  it('says so when the base has no such group', async () => {
    const c1 = commit({ 'm.pt': metadata({ other: { kind: 'dense', object: 'o' } }) });
    const c2 = commit({ 'm.pt': metadata({ a: { kind: 'sparse', object: 'a', base: c1 } }) }, c1);
    expect((await resolve(c2, 'm.pt')).a).toMatchObject({ code: 'malformed', place: { group: 'a', commit: c2 } });
  });
});

/** One fast-import process that adds commit after commit to main: each names the id of the one before, so ids are asked for on the way. */
function startImport() {
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--cat-blob-fd=1'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ids = createInterface(child.stdout)[Symbol.asyncIterator]();
  let number = 0;
  return {
    async commit(content: string): Promise<CommitHash> {
      const from = number === 0 ? 'from refs/heads/main^0\n' : '';
      const head = `commit refs/heads/main\nmark :1\ncommitter A <a@b> ${1_600_000_000 + number++} +0000\ndata 1\nx\n${from}`;
      child.stdin.write(`${head}M 100644 inline m.pt\ndata ${Buffer.byteLength(content)}\n${content}\n\nget-mark :1\n`);
      const { value } = await ids.next();
      if (typeof value !== 'string' || !isCommitHash(value)) throw new TypeError(String(value));
      return value;
    },
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
