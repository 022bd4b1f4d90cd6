import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileError } from '../../bytes/fileError';
import type { GitWriter } from '../../git/gitWriter';
import { applyDeclared } from './applyDeclared';
import { cleanCheckpoint } from './cleanCheckpoint';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';
import { watchForChange } from './watchForChange';
import { withPreparedMetadata } from './withPreparedMetadata';
import { workTreePath } from './workTreePath';

/**
 * Stores the checkpoint at a path of the work tree and stages it: objects first, then the metadata, then the index, which gets the file's
 * times too, so that the next status is clean without reading it again.
 * @throws CheckpointError conflict when the file changes meanwhile; what cleaning, writing and staging throw
 */
export async function addCheckpoint(request: Omit<CleanRequest, 'dry' | 'file'>, writer: GitWriter): Promise<CleanedCheckpoint> {
  const { repository, path, pool, signal } = request;
  const file = await workTreePath(repository, path);
  const before = await statFile(file);
  const checkSame = await watchForChange(file);
  const cleaned = await cleanCheckpoint({ ...request, file, dry: false });
  await checkSame();
  await applyDeclared(cleaned, file, { pool, signal });
  // Should it change from here on, git will look at it again.
  const seen = cleaned.declared.size === 0 ? before : await statFile(file);
  await withPreparedMetadata(repository, cleaned.metadata, (content) => writer.stage([{ path, content, seen }], signal));
  return cleaned;
}

function statFile(file: string): Promise<BigIntStats> {
  return stat(file, { bigint: true }).catch((error: unknown) => {
    throw fileError(error, file);
  });
}
