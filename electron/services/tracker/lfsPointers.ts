import { stat } from 'node:fs/promises';
import type { CommitHash } from '../../../shared/model/commit';
import { LFS_POINTER_LIMIT, type LfsPointer, parseLfsPointer } from '../../git/lfs/lfsPointer';
import type { WorkerPool } from '../../workers/workerPool';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { SpooledFile } from './spool';

/** An object of the LFS store that is there with the right size. */
export interface FoundObject {
  readonly path: string;
  readonly bytes: number;
}

/**
 * The file that a Git LFS pointer stands for: versions from before a path went over to git-theta are pointers, and git asks this program for
 * them too. `null` for what is no pointer, and for an object that is not here: then the pointer is what is checked out, as without git-lfs.
 */
export async function objectOfPointer({ lfs }: OpenedRepository, head: Uint8Array, bytes: number): Promise<FoundObject | null> {
  const pointer = pointerOf(head, bytes);
  if (pointer === null) return null;
  const path = lfs.pathOf(pointer.oid);
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size === pointer.size ? { path, bytes: pointer.size } : null;
}

export interface CleanedFile {
  readonly file: SpooledFile;
  /** Of the pointer at HEAD (`pointerAt`). */
  readonly text: Uint8Array | null;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal;
}

/** The text of the pointer that a path has at a commit; `null`: it has something else, or nothing. */
export async function pointerAt({ git }: OpenedRepository, commit: CommitHash | null, path: string): Promise<Uint8Array | null> {
  const entry = commit === null ? null : await git.entry(commit, path);
  if (entry?.kind !== 'blob' || (await git.blobSize(entry.oid)) > LFS_POINTER_LIMIT) return null;
  const text = await git.blob(entry.oid, LFS_POINTER_LIMIT);
  return parseLfsPointer(text) === null ? null : text;
}

/**
 * The pointer that git is to keep for a file: the one at HEAD, when the file is that pointer or what it stands for. Such a version stays as it is;
 * the next one that differs goes over to git-theta. `null` for every other file.
 */
export async function keptPointer({ file, text, pool, signal }: CleanedFile): Promise<Uint8Array | null> {
  const pointer = text === null ? null : parseLfsPointer(text);
  if (text === null || pointer === null) return null;
  if (Buffer.compare(file.head.subarray(0, file.bytes), text) === 0) return text;
  if (pointer.size !== file.bytes) return null;
  const { digest } = await pool.run('fileDigest', { file: file.path, kind: 'sha256' }, { signal, priority: 'background' });
  return digest === pointer.oid ? text : null;
}

function pointerOf(head: Uint8Array, bytes: number): LfsPointer | null {
  return bytes >= LFS_POINTER_LIMIT ? null : parseLfsPointer(head.subarray(0, bytes));
}
