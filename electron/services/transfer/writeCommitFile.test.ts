import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { asHash } from '../../git/testing/testRepository';
import { opened, servedRepository } from './testing/servedRepository';
import { hasCommitFile, writeCommitFile } from './writeCommitFile';

const oidsOf = (text: string) => new Set((JSON.parse(text) as { oids: string[] }).oids);

it.each(['a-pt-linear', 'b-st-merge', 'c-pt-ia3', 'd-st-chain40', 'e-two-files', 'f-flax', 'h-lossy'])(
  'names the objects that git-theta named: %s',
  async (name) => {
    const { test, repository } = await servedRepository(name);
    const folder = join(test.path, '.git', 'theta', 'commits');
    const theirs = new Map<string, string>();
    for (const commit of await readdir(folder)) theirs.set(commit, await readFile(join(folder, commit), 'utf8'));
    expect(theirs.size).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
    for (const [commit, text] of theirs) {
      await writeCommitFile(repository, asHash(commit));
      expect([commit, oidsOf(await readFile(join(folder, commit), 'utf8'))]).toEqual([commit, oidsOf(text)]);
    }
  },
);

it('writes one where git-theta gives up: renames, deletions, merges', async () => {
  const { test, repository } = await servedRepository('e2-rename-after-sparse');
  const rename = await test.hash('HEAD');
  await test.git(['rm', '-q', '--cached', 'new.pt']);
  await test.git(['commit', '-q', '-m', 'gone']);
  const deletion = await test.hash('HEAD');
  const folder = join(test.path, '.git', 'theta', 'commits');
  for (const commit of [rename, deletion]) await writeCommitFile(repository, commit);
  const atNewPath = JSON.parse(await test.git(['show', `${rename}:new.pt`])) as Record<string, { lfs_metadata: { oid: string } }>;
  expect(oidsOf(await readFile(join(folder, rename), 'utf8'))).toEqual(new Set(Object.values(atNewPath).map(({ lfs_metadata }) => lfs_metadata.oid)));
  expect(await readFile(join(folder, deletion), 'utf8')).toBe('{\n    "oids": []\n}');
});

it('is laid out as Python lays it out', async () => {
  const { test, repository } = await servedRepository('a-pt-linear');
  const head = await test.hash('HEAD~4');
  await writeCommitFile(repository, head);
  const text = await readFile(join(test.path, '.git', 'theta', 'commits', head), 'utf8');
  const python = await promisify(execFile)('python3', ['-c', 'import json,sys; print(json.dumps(json.loads(sys.argv[1]), indent=4), end="")', text]).catch(
    () => null,
  );
  if (python !== null) expect(text).toBe(python.stdout);
  expect(text).toMatch(/^\{\n {4}"oids": \[\n {8}"[0-9a-f]{64}"/);
  expect(text.endsWith('\n')).toBe(false);
});

it('goes to the folder that all work trees share, and replaces one that was cut short', async () => {
  const { test, repository } = await servedRepository('a-pt-linear');
  const linked = join(test.path, '..', 'linked');
  await test.git(['worktree', 'add', '-q', '--no-checkout', '--detach', linked]);
  const head = await test.hash('HEAD');
  const file = join(test.path, '.git', 'theta', 'commits', head);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, '{\n    "oid');
  expect(await hasCommitFile(repository.git.place, head)).toBe(false);
  await writeCommitFile(await opened(linked), head);
  expect(await hasCommitFile(repository.git.place, head)).toBe(true);
});
