import { randomUUID } from 'node:crypto';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../../bytes/fileError';
import type { OpenedRepository } from '../repositories/openedRepository';
import { spoolFolder } from './spool';

/** Puts a metadata file where git can take it from, for as long as `use` runs. */
export async function withPreparedMetadata<T>(repository: Pick<OpenedRepository, 'git'>, metadata: string, use: (file: string) => Promise<T>): Promise<T> {
  const file = join(await spoolFolder(repository.git.place), `${randomUUID()}.json`);
  try {
    await writeFile(file, metadata).catch((error: unknown) => {
      throw fileError(error, file);
    });
    return await use(file);
  } finally {
    await unlink(file).catch(() => {});
  }
}
