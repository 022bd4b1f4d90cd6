import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../../e2e/fixtures/unpackRepository';
import { describeRepository } from './describeRepository';
import { openOne } from './repositoryCache';

let repository: UnpackedRepository | null = null;
afterEach(async () => {
  await repository?.dispose();
  repository = null;
});

async function describeFixture(name: string, change: (folder: string) => Promise<void> | void = () => {}) {
  repository = await unpackRepository(name);
  await change(repository.path);
  const opened = await openOne(repository.path);
  try {
    return await describeRepository(opened);
  } finally {
    opened.dispose();
  }
}

const git = (folder: string, ...args: string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args]);

describe('describeRepository', () => {
  it.each([
    ['a-pt-linear', [{ path: 'model.pt', format: 'pytorch' }]],
    ['b-st-merge', [{ path: 'w.safetensors', format: 'safetensors' }]],
    ['f-flax', [{ format: 'flax' }]],
    ['g-lfs-missing', [{ path: 'm.pt', groups: 2 }]],
    ['g-lfs-truncated', [{ path: 'm.pt', groups: 2 }]],
  ])('lists the checkpoints of %s with their format and groups', async (name, checkpoints) => {
    const description = await describeFixture(name);
    expect(description.checkpoints).toMatchObject(checkpoints);
    for (const { storage, status, groups } of description.checkpoints) {
      expect(storage).toBe('theta');
      expect(status).not.toBe('conflict');
      expect(groups).toBeGreaterThan(0);
    }
  });

  it('lists the checkpoints of other branches where HEAD has none, and says so', async () => {
    const description = await describeFixture('a-pt-linear', (folder) => {
      git(folder, 'checkout', '-q', '--orphan', 'empty');
      git(folder, 'rm', '-rfq', '--cached', '.');
      git(folder, 'commit', '-q', '--allow-empty', '-m', 'nothing');
    });
    expect(description.checkpoints).toMatchObject([{ path: 'model.pt', status: 'unknown' }]);
    expect(description.notices.join()).toMatch(/HEAD has no checkpoint/);
  });

  it('says of a metadata file with conflict markers that it is in conflict, and lists one that is broken', async () => {
    const description = await describeFixture('e-two-files', async (folder) => {
      const blob = (text: string) => execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], { input: text, encoding: 'utf8' }).trim();
      git(folder, 'update-index', '--add', '--cacheinfo', `100644,${blob('{\n<<<<<<< HEAD\n"lfs_metadata": 1\n=======\n>>>>>>> x\n}')},conflict.pt`);
      git(folder, 'update-index', '--add', '--cacheinfo', `100644,${blob('{"a": {"lfs_metadata": ')},broken.pt`);
      git(folder, 'commit', '-q', '-m', 'broken');
      await writeFile(join(folder, 'untracked.pt'), 'x');
    });
    const status = Object.fromEntries(description.checkpoints.map((checkpoint) => [checkpoint.path, checkpoint.status]));
    expect(status['conflict.pt']).toBe('conflict');
    expect(status['broken.pt']).not.toBe('conflict');
    expect(Object.keys(status)).not.toContain('untracked.pt');
  });
});
