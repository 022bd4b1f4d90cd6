import { CheckpointError } from '../../../shared/contract/errors';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import { LFS_POINTER_LIMIT, parseLfsPointer } from '../../git/lfs/lfsPointer';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import { storedAs } from '../storedAs';
import { addExternalGroups } from './addExternalGroups';
import { commitSiblings } from './commitSiblings';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openFile } from './openFile';
import { openTheta } from './openTheta';
import type { VersionToOpen } from './versionToOpen';

/** The metadata of an empty checkpoint is `{}`, with white space at most. */
const MAX_EMPTY_METADATA = 1024;

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
  const { storage, bytes } = await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob);
  if (storage === 'theta' || (bytes <= MAX_EMPTY_METADATA && (await isEmptyMetadata(version, blob)))) return openMetadata(version, blob);
  if (storage === 'lfs') return openLfs(version, await repository.git.blob(blob, LFS_POINTER_LIMIT));
  const file = await blobFiles.pathOf(repository.git, blob, signal);
  const expected = { kind: blob.length === 64 ? 'git-sha256' : 'git-sha1', digest: blob } as const;
  const original = { path: file, bytes, expected };
  return openFile({ version: { commit, path }, storage: 'blob', original, name: path, siblings: commitSiblings(version) }, signal);
}

/** The metadata of a checkpoint without groups holds nothing that tells what it is: only the attributes do. */
async function isEmptyMetadata({ repository, path }: VersionToOpen, blob: string): Promise<boolean> {
  const attributes = await repository.git.attributes([path], ['filter']);
  return attributes.get(path)?.filter === 'theta' && looksLikeMetadata(await repository.git.blob(blob), true);
}

async function openMetadata(version: VersionToOpen, blob: string): Promise<OpenedCheckpoint> {
  const { repository, commit, path, signal } = version;
  const metadata = await repository.metadata.parsed(blob, path);
  return addExternalGroups(await openTheta(repository, { commit, path, blob, metadata }, signal), commitSiblings(version), signal);
}

async function openLfs(version: VersionToOpen, content: Uint8Array): Promise<OpenedCheckpoint> {
  const { repository, commit, path, signal } = version;
  const pointer = parseLfsPointer(content);
  if (pointer === null) throw new CheckpointError('malformed', 'The Git LFS pointer cannot be read.');
  const file = repository.lfs.pathOf(pointer.oid);
  const error = await checkLfsObject({ oid: pointer.oid, bytes: pointer.size, path: file });
  if (error !== null) throw error;
  const original = { path: file, bytes: pointer.size, expected: { kind: 'sha256', digest: pointer.oid } } as const;
  return openFile({ version: { commit, path }, storage: 'lfs', original, name: path, siblings: commitSiblings(version) }, signal);
}
