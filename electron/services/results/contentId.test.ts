import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackRepository } from '../../../e2e/fixtures/unpackRepository';
import { createBlobFiles } from '../blobFiles';
import type { OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import { openFile } from '../checkpoints/openFile';
import { openVersion } from '../checkpoints/openVersion';
import { openOne } from '../repositories/repositoryCache';
import { contentId } from './contentId';

const PLAIN = fileURLToPath(new URL('../../../e2e/fixtures/checkpoints/safetensors/dtypes.safetensors', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-content-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function ids(opened: OpenedCheckpoint): ReadonlyMap<string, string | null> {
  return new Map([...opened.groups].map(([name, group]) => [name, contentId(group)]));
}

async function versions(name: string, wanted: readonly (readonly [revision: string, path: string])[]) {
  const unpacked = await unpackRepository(name);
  const repository = await openOne(unpacked.path);
  const blobFiles = createBlobFiles(join(folder, `blobs-${name}`));
  try {
    const opened: OpenedCheckpoint[] = [];
    for (const [revision, path] of wanted) opened.push(await openVersion({ repository, commit: await repository.git.resolve(revision), path, blobFiles }));
    return opened.map(ids);
  } finally {
    repository.dispose();
    await unpacked.dispose();
  }
}

describe('contentId', () => {
  it('is the same for a group that a commit left alone, another for one that it changed', async () => {
    // "Train only the classifier", and so say the hashes of the values in expected.json.
    const [before, after] = await versions('digits', [
      ['main~6', 'model.pt'],
      ['main~5', 'model.pt'],
    ]);
    const changed = [...(after ?? [])].filter(([name, id]) => before?.get(name) !== id).map(([name]) => name);
    expect(changed).toEqual(['classifier.bias', 'classifier.weight']);
  });

  it('is the place in the blob or the object for a plain file, whatever name and format the group has, and nothing outside git', async () => {
    const path = join(folder, 'renamed');
    await copyFile(PLAIN, path);
    const open = (file: string, digest: string | null) =>
      openFile({
        version: { commit: null, path: file },
        storage: 'blob',
        original: { path: file, bytes: 0, expected: digest === null ? null : { kind: 'sha256', digest } },
        name: file,
      });
    const [first, second, other, outside] = [await open(PLAIN, 'ab'), await open(path, 'ab'), await open(path, 'cd'), await open(path, null)].map(ids);
    expect(first?.size).toBeGreaterThan(5);
    expect(new Set(first?.values()).size).toBe(first?.size);
    expect(second).toEqual(first);
    for (const [name, id] of other ?? []) expect(id).not.toBe(first?.get(name));
    expect(new Set(outside?.values())).toEqual(new Set([null]));
  });

  it('is nothing for a group that cannot be read', async () => {
    const [missing] = await versions('g-lfs-missing', [['HEAD~1', 'm.pt']]);
    expect([...(missing?.values() ?? [])]).toContain(null);
  });
});
