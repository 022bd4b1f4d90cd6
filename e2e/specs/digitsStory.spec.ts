import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckpointFile } from '../../electron/formats/openCheckpointFile';
import { openRef } from '../../electron/tensors/openRef';
import { digitsFile, sha256Of, TrackedRepository } from '../fixtures/gitRepository';
import { readIndependently } from '../fixtures/independentReader';
import { expect, test } from '../fixtures/test';
import { unpackRepository } from '../fixtures/unpackRepository';

test.skip(({ hostKind }) => hostKind === 'electron', 'git knows no window');

/**
 * The story that git-theta itself gets right in 3 of 11 versions: the same versions and branches, every one exactly. `declared`: the LoRA and IA3
 * steps come with their update files, as training produces them. `all`: update types of our own are allowed.
 */
const MODEL = 'model.pt';
/** The merge of the branches. */
const AVERAGE = 'average';
/** Steps that come with an update file. */
const DECLARED: readonly string[] = ['05_lora', '06_ia3'];
const MAIN_LINE = ['01_init', '02_digits', '03_head', '04_fish', '05_lora', '06_ia3', '09_aux', '10_drop_aux'];

/**
 * Bytes of the objects against those of git-theta's own repository. With its types alone more are needed: three tensors of the FISH step have
 * elements that no float32 difference reaches exactly, so each of these becomes a full copy, where git-theta stores a sparse update that is not exact.
 */
const MOST_BYTES = { 'git-theta': 1.2, all: 1 } as const;

const RUNS = [
  { declared: false, updates: 'git-theta' },
  { declared: true, updates: 'git-theta' },
  { declared: true, updates: 'all' },
] as const;

for (const { declared, updates } of RUNS) {
  const how = `${declared ? 'with declared updates' : 'update types found by themselves'}, ${updates === 'all' ? 'our own allowed' : "git-theta's only"}`;
  test(`the digits story comes back exactly at every commit, ${how}`, async () => {
    test.setTimeout(300_000);
    const repository = new TrackedRepository();
    try {
      if (updates === 'all') repository.git('config', 'theta.updates', updates);
      const commits = tell(repository, declared);
      const types = new Set<string>();
      for (const [name, commit] of commits) {
        repository.git('checkout', '-q', '--detach', commit);
        // Of a declared update comes what it makes of the base; of a merge what is in no file.
        if (name !== AVERAGE && !(declared && DECLARED.includes(name))) expect(repository.sha256(MODEL), name).toBe(sha256Of(digitsFile(name)));
        expect(repository.git('status', '--porcelain')).toBe('');
        await expectSameGroups(repository, commit);
        for (const [, type = ''] of repository.git('show', `${commit}:${MODEL}`).matchAll(/"update_type": "([^"]*)"/g)) types.add(type);
      }
      expect(types.has('sparse-values')).toBe(updates === 'all');
      expect(repository.git('fsck', '--strict', '--full')).toBe('');
      const others = await unpackRepository('digits');
      try {
        expect(storedBytes(repository.folder)).toBeLessThan(MOST_BYTES[updates] * storedBytes(others.path));
      } finally {
        await others.dispose();
      }
    } finally {
      repository.dispose();
    }
  });
}

/** All commits by the version that they hold. */
function tell(repository: TrackedRepository, declared: boolean): Map<string, string> {
  repository.theta('install', '--local');
  repository.theta('track', MODEL);
  repository.commit('Track', '.gitattributes');
  const commits = new Map<string, string>();
  const put = (name: string) => {
    repository.put(digitsFile(name), MODEL);
    commits.set(name, repository.commit(name, MODEL));
  };
  for (const name of MAIN_LINE) {
    if (name === '09_aux') commits.set(AVERAGE, tellBranches(repository, put));
    if (declared && DECLARED.includes(name)) {
      // The file has the old values; the update file makes the new ones.
      const added: unknown = JSON.parse(
        repository.theta('add', MODEL, '--update-type', name === '05_lora' ? 'low-rank' : 'ia3', '--update-data', digitsFile(`${name}_factors`), '--json'),
      );
      expect(JSON.stringify(added)).toContain(name === '05_lora' ? '"update_type":"low-rank"' : '"update_type":"ia3"');
      expect(repository.git('status', '--porcelain')).toBe(`M  ${MODEL}`);
      commits.set(name, repository.commit(name));
    } else put(name);
  }
  return commits;
}

/** Two branches from the classifier's version, and their average. @returns the commit of that */
function tellBranches(repository: TrackedRepository, put: (name: string) => void): string {
  repository.git('checkout', '-q', '-b', 'rotated', 'HEAD~3');
  put('07_branch_rotated');
  repository.git('checkout', '-q', '-b', 'noise', 'HEAD~1');
  put('08_branch_noise');
  repository.git('checkout', '-q', 'rotated');
  // An average of counters is no counter: these need a side.
  const merged = repository.tryGit('-c', 'theta.merge=average', 'merge', '-q', '-m', 'Average', 'noise');
  expect(merged.code).toBe(1);
  expect(merged.err).toContain('num_batches_tracked');
  repository.theta('merge', MODEL, '--strategy', 'ours');
  repository.git('commit', '-q', '-m', 'Average');
  const average = repository.git('rev-parse', 'HEAD');
  repository.git('checkout', '-q', 'main');
  return average;
}

/** The work tree's file, read by the program, against the stored objects, read by a reader that shares nothing with it. */
async function expectSameGroups(repository: TrackedRepository, commit: string): Promise<void> {
  const path = join(repository.folder, MODEL);
  const independent = await readIndependently(repository.folder, commit, MODEL);
  const { groups } = await openCheckpointFile({ kind: 'file', path }, path);
  expect(groups.map(({ keys }) => keys.join('/')).sort()).toEqual([...independent.keys()].sort());
  for (const { keys, data } of groups) {
    if ('code' in data) throw new Error(data.message);
    const hash = createHash('sha256');
    const stream = await openRef(data, keys.join('/'));
    for await (const block of stream.blocks()) hash.update(block);
    await stream.close();
    expect(independent.get(keys.join('/'))?.sha256, keys.join('/')).toBe(hash.digest('hex'));
  }
}

/** Bytes of all LFS objects of a repository. */
function storedBytes(folder: string): number {
  const objects = join(folder, '.git', 'lfs', 'objects');
  const files = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
