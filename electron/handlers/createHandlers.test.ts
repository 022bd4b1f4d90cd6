import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHost, type TestHost } from './testing/testHost';

/** The whole host side on the sample, through the contract: inputs and outputs are validated as they are on the wire. */

let host: TestHost;
let call: TestHost['call'];
let repository: string;

beforeAll(async () => {
  host = await createTestHost();
  ({ call } = host);
  const { path } = await call('sample/unpack', {});
  repository = (await call('repository/open', { path })).id;
});
afterAll(() => host?.dispose());

const COMMITS = {
  'Random initialisation': { added: 18, unchanged: 0 },
  'Train on digits': { dense: 17, unchanged: 1 },
  'Train only the classifier': { dense: 2, unchanged: 16 },
  'FISH mask': { sparse: 4, unchanged: 14 },
  LoRA: { 'low-rank': 1, unchanged: 17 },
  IA3: { ia3: 1, unchanged: 17 },
  'Add an auxiliary head': { added: 2, unchanged: 18 },
  'Drop the auxiliary head': { removed: 2, unchanged: 18 },
} as const;

async function commitOf(title: string) {
  const page = await call('history/page', { repository, offset: 0, limit: 100 });
  const found = page.commits.find((commit) => commit.title.startsWith(title));
  if (found === undefined) throw new Error(`no commit ${title}`);
  return found;
}

describe('the sample through the contract', () => {
  it('is described with its branches, tags and checkpoints', async () => {
    const description = await call('repository/describe', { repository });
    expect(description).toMatchObject({ name: 'digits', bare: false, shallow: false, head: { kind: 'branch', name: 'main' }, notices: [] });
    expect(description.refs.map((ref) => `${ref.kind} ${ref.name}`)).toEqual(['branch main', 'branch noise', 'branch rotated', 'tag v0', 'tag v1', 'tag v2']);
    expect(description.checkpoints).toMatchObject([
      { path: 'model.onnx', storage: 'blob', format: 'onnx', bytes: 56515 },
      { path: 'model.pt', storage: 'theta', format: 'pytorch', groups: 18 },
    ]);
  });

  it('lists commits with children before parents', async () => {
    const { commits, total } = await call('history/page', { repository, offset: 0, limit: 100 });
    expect(total ?? commits.length).toBe(12);
    const place = new Map(commits.map((commit, index) => [commit.hash, index]));
    for (const commit of commits) for (const parent of commit.parents) expect(place.get(parent)).toBeGreaterThan(place.get(commit.hash) ?? Number.NaN);
  });

  it.each(Object.entries(COMMITS))('says what "%s" changed', async (title, expected) => {
    const commit = await commitOf(title);
    const [change] = await call('history/changes', { repository, path: 'model.pt', commits: [commit.hash] });
    const { unchanged, ...kinds } = expected;
    expect(change?.unchanged).toBe(unchanged);
    expect(Object.fromEntries(Object.entries(change?.tallies ?? {}).map(([kind, tally]) => [kind, tally?.groups]))).toEqual(kinds);

    const described = await call('checkpoint/describe', { repository, commit: commit.hash, path: 'model.pt' });
    const counts = { added: 0, removed: 0, renamed: 0, modified: 0, unchanged: 0 };
    for (const group of described.groups) counts[group.change]++;
    const modified = Object.entries(kinds).reduce((sum, [kind, groups]) => (kind === 'added' || kind === 'removed' ? sum : sum + groups), 0);
    expect(counts).toEqual({ added: 'added' in kinds ? kinds.added : 0, removed: 'removed' in kinds ? kinds.removed : 0, renamed: 0, modified, unchanged });
  });

  it('compares the groups of a plain file by content', async () => {
    const story = v.parse(
      v.array(v.object({ subject: v.string(), files: v.record(v.string(), v.array(v.object({ name: v.string(), sha256: v.string() }))) })),
      JSON.parse(await readFile(new URL('../../e2e/fixtures/digits/expected.json', import.meta.url), 'utf8')),
    );
    const groupsAt = (subject: string) =>
      new Map(story.find((commit) => commit.subject.startsWith(subject))?.files['model.onnx']?.map((group) => [group.name, group.sha256]));
    const before = groupsAt('Train on digits');
    const after = groupsAt('Train only the classifier');
    const commit = await commitOf('Train only the classifier');
    const { groups } = await call('checkpoint/describe', { repository, commit: commit.hash, path: 'model.onnx' });
    expect(groups).toHaveLength(8);
    for (const { change, group } of groups) expect(change).toBe(before.get(group.name) === after.get(group.name) ? 'unchanged' : 'modified');
  });

  it.each([
    ['noisy', 'message', 'Fine-tune everything on noisy digits'],
    ['lab@example.org', 'author', 'Drop the auxiliary head again'],
    ['aux.', 'parameter', 'Drop the auxiliary head again'],
    ['ia3', 'message', 'IA3'],
    ['sparse', 'update-type', 'FISH mask'],
  ])('finds %s by %s', async (text, field, title) => {
    const { matches } = await call('history/search', { repository, text, path: 'model.pt', limit: 100 });
    const page = await call('history/page', { repository, offset: 0, limit: 100 });
    const titles = matches.filter((match) => match.field === field).map((match) => page.commits[match.index]?.title);
    expect(
      titles.some((found) => found?.startsWith(title)),
      titles.join('; '),
    ).toBe(true);
    for (const match of matches) expect(page.commits[match.index]?.hash).toBe(match.commit);
  });

  it('inspects a group with the chain that it comes from', async () => {
    const commit = await commitOf('LoRA');
    const result = await call('parameter/inspect', { repository, commit: commit.hash, path: 'model.pt', group: 'fc1.weight' });
    expect(result.chain.map((step) => step.updateType)).toEqual(['dense', 'sparse', 'low-rank']);
    // The commits whose story (README of the sample) says that they changed it, not those that merely still have it.
    const stored = await Promise.all(['Train on digits', 'FISH mask', 'LoRA'].map(commitOf));
    expect(result.chain.map((step) => step.commit)).toEqual(stored.map(({ hash }) => hash));
    expect(result).toMatchObject({ dtype: 'float32', shape: [64, 128], stats: { count: 8192, nan: 0 } });
  });

  it('exports a plain file as git has it, and not when the copy taken out of git was damaged', async () => {
    const { path: root } = await call('sample/unpack', {});
    const { hash: commit } = await commitOf('Train only the classifier');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
    const blob = git('rev-parse', `${commit}:model.onnx`).toString().trim();
    const run = (name: string, format: 'original' | 'npz' = 'original') =>
      call('export/run', { repository, commit, path: 'model.onnx', destination: join(host.folder, name), format, overwrite: false });
    expect(await run('good.onnx')).toMatchObject({ path: join(host.folder, 'good.onnx'), groups: 8 });
    expect((await readFile(join(host.folder, 'good.onnx'))).equals(git('cat-file', 'blob', blob))).toBe(true);

    const copy = join(host.folder, 'cache', 'blobs', blob);
    const bytes = await readFile(copy);
    bytes[9000] = (bytes[9000] ?? 0) ^ 4;
    await writeFile(copy, bytes);
    for (const format of ['original', 'npz'] as const) {
      const failure = { code: 'corrupt-object', place: { oid: blob }, hint: expect.stringContaining(copy) };
      await expect(run('damaged', format)).rejects.toMatchObject(failure);
      await expect(readFile(join(host.folder, 'damaged'))).rejects.toMatchObject({ code: 'ENOENT' });
    }
    await rm(copy);
  });

  it('says where something is not', async () => {
    const commit = await commitOf('Train on digits');
    await expect(call('checkpoint/describe', { repository, commit: commit.hash, path: 'no.pt' })).rejects.toMatchObject({
      code: 'not-found',
      place: { file: 'no.pt', commit: commit.hash },
    });
    await expect(call('parameter/inspect', { repository, commit: commit.hash, path: 'model.pt', group: 'x' })).rejects.toMatchObject({
      code: 'not-found',
      place: { group: 'x' },
    });
    await expect(call('repository/describe', { repository: 'someone-elses' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['relative.pt', 'invalid-request'],
    [`/${'x'.repeat(300)}.pt`, 'invalid-request'],
  ])('exports to no destination like %s', async (destination, code) => {
    const commit = await commitOf('LoRA');
    await expect(
      call('export/run', { repository, commit: commit.hash, path: 'model.pt', destination, format: 'pytorch', overwrite: false }),
    ).rejects.toMatchObject({ code });
  });

  it('opens the same repository once, remembers it, and forgets it on demand', async () => {
    const { path } = await call('sample/unpack', {});
    expect((await call('repository/open', { path: join(path, '.git') })).id).toBe(repository);
    expect(await call('recent/list', {})).toMatchObject([{ path, exists: true }]);
    await call('recent/forget', { path });
    expect(await call('recent/list', {})).toEqual([]);
  });
});
