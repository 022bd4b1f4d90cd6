import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import type { ByteSource, SourceRef } from '../bytes/byteSource';
import { openSource } from '../bytes/openSource';
import type { FileCheckpoint, ReadOptions } from './format';
import { notACheckpoint } from './notACheckpoint';
import { formatOfContent, HEAD_BYTES } from './registry';

/**
 * Opens a file, finds out its format from its content, and reads its headers. What is no checkpoint is named for what it is.
 * @param file name for error messages.
 * @throws CheckpointError not-found, permission, invalid-request (a folder), missing-object (a Git LFS pointer), conflict,
 * unsupported-format, and what the formats throw; always with the file in its place.
 */
export async function openCheckpointFile(ref: SourceRef, file: string, signal?: AbortSignal): Promise<FileCheckpoint> {
  try {
    throwIfCancelled(signal);
    const source = await openSource(ref);
    try {
      return await readCheckpoint(source, { ref, file, ...(signal === undefined ? {} : { signal }) });
    } finally {
      await source.close();
    }
  } catch (error) {
    throw CheckpointError.from(error).at({ file });
  }
}

/** As `openCheckpointFile`, of a source that is open. */
export async function readCheckpoint(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  try {
    return await read(source, options);
  } catch (error) {
    throw CheckpointError.from(error).at({ file: options.file });
  }
}

async function read(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.length));
  const format = formatOfContent(head, source.length);
  if (format === null) throw notACheckpoint(head, { size: source.length, file: options.file });
  const checkpoint = await format.read(source, options);
  throwIfCancelled(options.signal);
  return checkpoint;
}
