import { rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { headCommit } from '../../../shared/model/commit';
import { readSmallFile } from '../../bytes/readSmallFile';
import { blobId } from '../../git/blobId';
import type { GitWriter } from '../../git/gitWriter';
import { partialName } from '../exporter/partialName';
import type { OpenedRepository } from '../repositories/openedRepository';
import { storedAs } from '../storedAs';

/**
 * Replaces metadata in the work tree by the checkpoints that it stands for: a clone that was made before the filter was set up has nothing else,
 * and git, which sees no change, would leave it there. Only files that are just what HEAD has.
 * @returns their paths
 * @throws what checking out throws; the metadata is back then
 */
export async function checkOutMetadata(repository: OpenedRepository, writer: GitWriter): Promise<readonly string[]> {
  const { git } = repository;
  const { workTree } = git.place;
  const head = headCommit(await git.head());
  if (head === null || workTree === null) return [];
  const files = (await git.files(head)).filter(({ kind }) => kind === 'blob');
  const filters = await git.attributes(
    files.map(({ path }) => path),
    ['filter'],
  );
  const done: string[] = [];
  for (const { path, oid } of files) {
    if (filters.get(path)?.filter !== 'theta') continue;
    const { storage, bytes } = await storedAs({ repository: git, storedAs: repository.storedAs }, oid);
    const file = join(workTree, path);
    if (storage !== 'theta' || (await stat(file).catch(() => null))?.size !== bytes) continue;
    if (blobId(await readSmallFile(file), oid.length) !== oid) continue;
    await checkOut(file, path, writer);
    done.push(path);
  }
  return done;
}

async function checkOut(file: string, path: string, writer: GitWriter): Promise<void> {
  const aside = join(file, '..', partialName(path.slice(path.lastIndexOf('/') + 1)));
  await rename(file, aside);
  try {
    await writer.discard([path]);
  } catch (error) {
    await rename(aside, file).catch(() => {});
    throw error;
  }
  await unlink(aside).catch(() => {});
}
