import { CheckpointError } from '../../../shared/contract/errors';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import { LFS_POINTER_LIMIT, parseLfsPointer } from '../../git/lfs/lfsPointer';
import { storedAs } from '../storedAs';
import type { OriginalFile } from './openedCheckpoint';
import { type FindSibling, missingSibling, refusedSibling, shownLocation, siblingParts } from './siblingParts';
import type { VersionToOpen } from './versionToOpen';

/** Files beside a checkpoint in the same commit: plain blobs and Git LFS objects. Symbolic links are not followed. */
export function commitSiblings(version: VersionToOpen): FindSibling {
  const { repository, commit, path } = version;
  return async (location) => {
    const folder = path.split('/').slice(0, -1);
    const sibling = [...folder, ...siblingParts(location)].join('/');
    const entry = await repository.git.entry(commit, sibling);
    if (entry === null) throw missingSibling(location, `in commit ${commit.slice(0, 10)} (${sibling})`);
    if (entry.kind !== 'blob') throw refusedSibling(location, `${sibling} is a ${entry.kind} in commit ${commit.slice(0, 10)}`);
    return contentOf(version, { location, blob: entry.oid });
  };
}

async function contentOf({ repository, blobFiles, signal }: VersionToOpen, { location, blob }: { location: string; blob: string }): Promise<OriginalFile> {
  const { storage, bytes } = await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob);
  if (storage === 'theta') {
    throw new CheckpointError(
      'unsupported-format',
      `The tensor's values lie in ${shownLocation(location)}, a checkpoint that this commit keeps by its parameter groups: its bytes are not at hand.`,
      { hint: 'Check the commit out, and open the model in the work tree.' },
    );
  }
  if (storage === 'blob') {
    const expected = { kind: blob.length === 64 ? 'git-sha256' : 'git-sha1', digest: blob } as const;
    return { path: await blobFiles.pathOf(repository.git, blob, signal), bytes, expected };
  }
  const pointer = parseLfsPointer(await repository.git.blob(blob, LFS_POINTER_LIMIT));
  if (pointer === null) throw new CheckpointError('malformed', 'The Git LFS pointer cannot be read.');
  const file = repository.lfs.pathOf(pointer.oid);
  const error = await checkLfsObject({ oid: pointer.oid, bytes: pointer.size, path: file });
  if (error !== null) throw error;
  return { path: file, bytes: pointer.size, expected: { kind: 'sha256', digest: pointer.oid } };
}
