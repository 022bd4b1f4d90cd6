import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import type { RepositoryPlace } from '../../git/gitRepository';
import { stateFolder } from '../stateFolder';

/** Small pieces are put together: git sends 64 KiB at a time. */
const STAGE_BYTES = 4 * 1024 * 1024;

export interface SpooledFile {
  readonly path: string;
  readonly bytes: number;
  /** The first bytes, at most 4 KiB. */
  readonly head: Uint8Array;
  remove(): Promise<void>;
}

/**
 * Writes what comes through a pipe into a file of the repository's state folder: checkpoints are read by ranges, and zip archives from their end.
 * @throws CheckpointError no-space, permission
 */
export async function spool(place: Pick<RepositoryPlace, 'commonDir'>, content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const folder = await spoolFolder(place);
  const path = join(folder, `${randomUUID()}.partial`);
  const remove = () => unlink(path).catch(() => {});
  const stage = Buffer.allocUnsafe(STAGE_BYTES);
  let staged = 0;
  let bytes = 0;
  let head: Uint8Array = new Uint8Array(0);
  try {
    const handle = await open(path, 'wx', 0o600);
    const flush = async () => {
      for (let done = 0; done < staged; ) {
        const { bytesWritten } = await handle.write(stage, done, staged - done, null);
        if (bytesWritten === 0) throw new CheckpointError('no-space', `Nothing more could be written to ${path}.`, { place: { file: path } });
        done += bytesWritten;
      }
      staged = 0;
    };
    try {
      for await (const piece of content) {
        if (head.byteLength === 0) head = Uint8Array.from(piece.subarray(0, 4096));
        bytes += piece.byteLength;
        for (let at = 0; at < piece.byteLength; ) {
          const size = Math.min(piece.byteLength - at, STAGE_BYTES - staged);
          stage.set(piece.subarray(at, at + size), staged);
          staged += size;
          at += size;
          if (staged === STAGE_BYTES) await flush();
        }
      }
      await flush();
    } finally {
      await handle.close();
    }
    return { path, bytes, head, remove };
  } catch (error) {
    await remove();
    throw fileError(error, path);
  }
}

/**
 * The folder for files that live as long as one call, made if need be. Where the repository may only be read, it is the system's own: checking
 * out and comparing need files too.
 */
export async function spoolFolder(place: Pick<RepositoryPlace, 'commonDir'>): Promise<string> {
  const folder = join(stateFolder(place), 'spool');
  try {
    await makeFolders(folder);
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const failure = fileError(error, folder);
    if (failure.code === 'permission') return tmpdir();
    throw failure;
  }
}
