import { open, readFile } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import { parseLfsPointer } from '../../git/lfs/lfsPointer';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openFile } from './openFile';
import { openTheta } from './openTheta';

/** Blobs up to here are read into memory to tell what they are; larger ones are put into a file first and looked at there. */
const MAX_BLOB_IN_MEMORY = 4 * 1024 * 1024;
/** A metadata file is never larger: 500,000 groups take this much. */
const MAX_METADATA_BYTES = 512 * 1024 * 1024;

export interface VersionToOpen {
  readonly repository: OpenedRepository;
  readonly commit: CommitHash;
  readonly path: string;
  readonly blobFiles: BlobFiles;
  readonly signal?: AbortSignal;
}

/** Opens one path at one commit, however it is kept there. @throws not-found when the commit has no such file */
export async function openVersion(version: VersionToOpen): Promise<OpenedCheckpoint> {
  const { repository, commit, path } = version;
  try {
    const entry = await repository.git.entry(commit, path);
    if (entry === null) throw new CheckpointError('not-found', `${path} is not in commit ${commit.slice(0, 10)}.`);
    if (entry.kind !== 'blob') throw new CheckpointError('invalid-request', `${path} is a ${entry.kind} in commit ${commit.slice(0, 10)}, not a file.`);
    return await openBlob(version, entry.oid);
  } catch (error) {
    throw CheckpointError.from(error).at({ commit, file: path });
  }
}

async function openBlob(version: VersionToOpen, blob: string): Promise<OpenedCheckpoint> {
  const { repository, commit, path, blobFiles, signal } = version;
  const bytes = await repository.git.blobSize(blob);
  if (bytes <= MAX_BLOB_IN_MEMORY) {
    const content = await repository.git.blob(blob, MAX_BLOB_IN_MEMORY);
    const pointer = parseLfsPointer(content);
    if (pointer !== null) return openLfs(version, pointer);
    if (looksLikeMetadata(content, await isTracked(version))) return openMetadata(version, blob);
  }
  const file = await blobFiles.pathOf(repository.git, blob, signal);
  if (
    bytes > MAX_BLOB_IN_MEMORY &&
    bytes <= MAX_METADATA_BYTES &&
    (await startsWithBrace(file)) &&
    looksLikeMetadata(await readFile(file), await isTracked(version))
  ) {
    return openMetadata(version, blob);
  }
  return openFile({ version: { commit, path }, storage: 'blob', original: { path: file, bytes, sha256: null }, name: path }, signal);
}

async function openMetadata({ repository, commit, path, signal }: VersionToOpen, blob: string): Promise<OpenedCheckpoint> {
  const metadata = await repository.metadata.parsed(blob, path);
  return openTheta(repository.chains, { commit, path, blob, metadata }, signal);
}

async function openLfs({ repository, commit, path, signal }: VersionToOpen, pointer: { oid: string; size: number }): Promise<OpenedCheckpoint> {
  const file = repository.lfs.pathOf(pointer.oid);
  const error = await checkLfsObject({ oid: pointer.oid, bytes: pointer.size, path: file });
  if (error !== null) throw error;
  return openFile({ version: { commit, path }, storage: 'lfs', original: { path: file, bytes: pointer.size, sha256: pointer.oid }, name: path }, signal);
}

async function isTracked({ repository, path }: VersionToOpen): Promise<boolean> {
  const attributes = await repository.git.attributes([path], ['filter']);
  return attributes.get(path)?.filter === 'theta';
}

async function startsWithBrace(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0);
    return bytesRead === 1 && (buffer[0] === 0x7b || buffer[0] === 0x3c);
  } finally {
    await handle.close();
  }
}
