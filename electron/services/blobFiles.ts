import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../bytes/fileError';
import type { GitRepository } from '../git/gitRepository';

/** Plain checkpoints taken out of git are kept up to here; the least recently used go first. */
const MAX_CACHE_BYTES = 8 * 1000 ** 3;

export interface BlobFiles {
  /** Path of a file with the content of a blob. Git object ids name content, so a file that is there is right. */
  pathOf(repository: GitRepository, blob: string, signal?: AbortSignal): Promise<string>;
}

/**
 * Plain blobs as files, so that workers can read them by ranges: git itself can only give a blob from front to back.
 * The folder is a cache: safe to delete, shared by all hosts of a user.
 */
export function createBlobFiles(folder: string): BlobFiles {
  const writing = new Map<string, Promise<string>>();

  const write = async (repository: GitRepository, blob: string, signal?: AbortSignal): Promise<string> => {
    if (!/^[0-9a-f]{40,64}$/.test(blob)) throw new TypeError(`not a blob id: ${blob}`);
    const path = join(folder, blob);
    const known = await stat(path).catch(() => null);
    if (known !== null && known.size === (await repository.blobSize(blob))) {
      const now = new Date();
      await utimes(path, now, now).catch(() => {});
      return path;
    }
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw fileError(error, folder);
    });
    await trim(folder, await repository.blobSize(blob));
    await repository.blobToFile(blob, path, signal);
    return path;
  };

  return {
    async pathOf(repository, blob, signal) {
      // A second caller waits for the first; when that one gives up, it tries for itself.
      const running = writing.get(blob);
      if (running !== undefined) {
        const path = await running.catch(() => null);
        if (path !== null) return path;
      }
      const started = write(repository, blob, signal).finally(() => writing.delete(blob));
      writing.set(blob, started);
      return started;
    },
  };
}

/** Removes the least recently used files until `needed` more bytes fit. Files that are open stay readable where the system allows it. */
async function trim(folder: string, needed: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const info = await stat(path).catch(() => null);
      return info?.isFile() ? { path, bytes: info.size, used: info.mtimeMs } : null;
    }),
  );
  const kept = files.filter((file) => file !== null).sort((a, b) => a.used - b.used);
  let total = kept.reduce((sum, file) => sum + file.bytes, 0) + needed;
  for (const file of kept) {
    if (total <= MAX_CACHE_BYTES) return;
    await rm(file.path, { force: true }).catch(() => {});
    total -= file.bytes;
  }
}
