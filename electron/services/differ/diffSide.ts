import { stat } from 'node:fs/promises';
import { fileError } from '../../bytes/fileError';
import { openSource } from '../../bytes/openSource';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import type { ThetaMetadata } from '../../theta/metadata';
import { parseMetadata } from '../../theta/parseMetadata';
import type { OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import { openFile } from '../checkpoints/openFile';
import type { OpenedRepository } from '../repositories/openedRepository';

/** Enough of a file to tell whether it is a metadata file. */
const START_BYTES = 64 * 1024;

/** One side of a comparison. */
export type DiffSide =
  | { readonly kind: 'absent' }
  /** A version in git-theta's format; `blob` is `null` for a metadata file that is in no repository. */
  | { readonly kind: 'metadata'; readonly path: string; readonly blob: string | null; readonly metadata: ThetaMetadata }
  | { readonly kind: 'checkpoint'; readonly opened: OpenedCheckpoint };

export interface SideToOpen {
  /** Absolute path of a file with the content as the work tree would have it; `null`: the side does not have the file. */
  readonly file: string | null;
  /** Blob id of the content as git stores it; `null` for a file of the work tree. */
  readonly blob: string | null;
  /** Path in the repository. */
  readonly path: string;
}

/**
 * Opens a side of a diff by what git stores for it, and only without that by the file: reading the metadata costs nothing.
 * @throws CheckpointError for a file that is neither metadata nor a checkpoint
 */
export async function openDiffSide(repository: OpenedRepository | null, side: SideToOpen, signal?: AbortSignal): Promise<DiffSide> {
  const { file, blob, path } = side;
  if (file === null) return { kind: 'absent' };
  if (blob !== null && repository !== null) {
    const start = await repository.git.blobStart(blob, START_BYTES).catch(() => null);
    if (start !== null && looksLikeMetadata(start, true)) return { kind: 'metadata', path, blob, metadata: await repository.metadata.parsed(blob, path) };
  }
  return openDiffFile(file, path, signal);
}

/** Opens a file that is metadata or a checkpoint. @throws CheckpointError for any other, and what the system says */
export async function openDiffFile(file: string, name: string, signal?: AbortSignal): Promise<DiffSide> {
  const info = await stat(file).catch((error: unknown) => {
    throw fileError(error, file);
  });
  const source = await openSource({ kind: 'file', path: file });
  try {
    const start = await source.read(0, Math.min(START_BYTES, source.length));
    if (looksLikeMetadata(start, false) || isEmptyMetadata(start)) {
      return { kind: 'metadata', path: name, blob: null, metadata: parseMetadata(await source.read(0, source.length), name) };
    }
  } finally {
    await source.close();
  }
  const original = { path: file, bytes: info.size, expected: null };
  return { kind: 'checkpoint', opened: await openFile({ version: { commit: null, path: name }, storage: 'file', original, name }, signal) };
}

/** The metadata of a checkpoint without groups. */
function isEmptyMetadata(start: Uint8Array): boolean {
  return start.byteLength < 64 && /^\s*\{\s*\}\s*$/.test(Buffer.from(start).toString('latin1'));
}
