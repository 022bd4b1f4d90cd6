import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type IndependentGroup, readIndependently } from '../../../e2e/fixtures/independentReader';
import { type UnpackedRepository, unpackRepository } from '../../../e2e/fixtures/unpackRepository';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import { groupBytes, groupDigest } from '../../formats/testing/readBack';
import { TestRepository } from '../../git/testing/testRepository';
import { floats, safetensorsFile } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const REPOS = join(import.meta.dirname, '../../../e2e/fixtures/repos');

interface Param {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly sha256: string;
}
interface Expected {
  readonly commits: readonly {
    readonly sha: string;
    readonly subject: string;
    readonly files: Readonly<Record<string, { readonly params?: Readonly<Record<string, Param>>; readonly saved?: Readonly<Record<string, Param>> }>>;
  }[];
}

let repository: UnpackedRepository | null = null;
afterEach(async () => {
  await repository?.dispose();
  repository = null;
});

async function unpack(name: string): Promise<TrackedFolder> {
  repository = await unpackRepository(name);
  return new TrackedFolder(new TestRepository(repository.path));
}

async function expectedOf(name: string): Promise<Expected> {
  return JSON.parse(await readFile(join(REPOS, name, 'expected.json'), 'utf8'));
}

async function digestsOf(bytes: Buffer): Promise<Record<string, Param>> {
  const { groups } = await openCheckpointFile({ kind: 'memory', bytes }, 'test');
  const digests: Record<string, Param> = {};
  for (const group of groups) digests[group.keys.join('/')] = { dtype: group.dtype, shape: group.shape, sha256: await groupDigest(group) };
  return digests;
}

// Repositories that are sound; the damaged ones are tested with the objects that are damaged.
const NAMES = (await readdir(REPOS)).filter((name) => !name.startsWith('g-'));

describe.each(NAMES)('%s, written by git-theta', (name) => {
  it('is checked out as git-theta does at every commit, and adding the file again changes nothing', async () => {
    const folder = await unpack(name);
    let seen = 0;
    for (const { sha, files, subject } of (await expectedOf(name)).commits) {
      for (const [path, { params, saved }] of Object.entries(files)) {
        const bytes = await folder.checkout(sha, path);
        const digests = await digestsOf(bytes);
        // Where git-theta fails altogether, what its user saved is right.
        expect(digests, `${subject}: ${path}`).toEqual(params ?? saved);
        const metadata = Buffer.from(await folder.metadata(sha, path));
        await folder.git('update-ref', '--no-deref', 'HEAD', sha);
        await folder.git('read-tree', sha);
        expect((await folder.filter('clean', bytes, { path })).equals(metadata), `${subject}: ${path}`).toBe(true);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(1);
  });
});

/** What git-theta stores of our updates is read by a reader that shares nothing with us. */
describe.each([
  ['digits', 'model.pt'],
  ['d-st-chain40', 'chain.safetensors'],
  ['c-pt-ia3', null],
])('after an add of ours in %s', (name, given) => {
  it('a reader that knows git-theta’s rules alone reads all versions', async () => {
    const folder = await unpack(name);
    const path = given ?? (await folder.git('ls-tree', '--name-only', 'HEAD')).split('\n').find((one) => !one.startsWith('.')) ?? '';
    const before = await folder.checkout('HEAD', path);
    const head = await folder.git('rev-parse', 'HEAD');
    const kept = await independent(folder, head, path);
    const { groups } = await openCheckpointFile({ kind: 'memory', bytes: before }, path);
    const values: Record<string, Parameters<typeof safetensorsFile>[0][string]> = {};
    for (const group of groups) values[group.keys.join('/')] = { dtype: group.dtype, shape: group.shape, bytes: Uint8Array.from(await groupBytes(group)) };
    let edits = 0;
    for (const [group, value] of Object.entries(values)) {
      if (value.dtype !== 'float32' || value.bytes.byteLength < 16) continue;
      new DataView(value.bytes.buffer).setFloat32(4, 1.5 + edits++, true);
      values[group] = value;
    }
    values['added by us'] = floats([1, 2, 3]);
    expect(edits).toBeGreaterThan(0);
    await folder.git('read-tree', 'HEAD');
    const { commit } = await folder.put(path, safetensorsFile(values));
    const now = await independent(folder, commit, path);
    for (const [group, { bytes }] of Object.entries(values)) {
      expect(now.get(group)?.sha256, group).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    expect(await independent(folder, head, path)).toEqual(kept);
    // What did not change keeps its entry, but for the one that carries the facts about the file.
    const [old, fresh] = [await folder.entries(head, path), await folder.entries(commit, path)];
    const same = Object.entries(values).filter(([group, { dtype, bytes }]) => group !== 'added by us' && (dtype !== 'float32' || bytes.byteLength < 16));
    expect(same.filter(([group]) => fresh.get(group)?.lastCommit !== old.get(group)?.lastCommit).length).toBeLessThanOrEqual(1);
  });
});

function independent(folder: TrackedFolder, commit: string, path: string): Promise<Map<string, IndependentGroup>> {
  return readIndependently(folder.path, commit, path);
}
