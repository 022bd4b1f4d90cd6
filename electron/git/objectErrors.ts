import { CheckpointError } from '../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../shared/model/commit';

export function missingObject(oid: string): CheckpointError {
  return new CheckpointError('missing-object', `The object ${oid} is not in the repository.`, {
    place: { oid },
    hint: 'If this is a partial clone, run "git fetch --refetch --no-filter" in it; otherwise "git fsck" tells what is missing.',
  });
}

export function wrongType(oid: string, type: string, wanted: string): CheckpointError {
  return new CheckpointError('invalid-request', `The object ${oid} is a ${type}, not a ${wanted}.`, { place: { oid } });
}

export function tooLarge(oid: string, size: number, limit: number): CheckpointError {
  return new CheckpointError('too-large', `The blob ${oid} has ${size} bytes; at most ${limit} can be held in memory.`, {
    place: { oid },
    hint: 'It can be written to a file instead.',
  });
}

/** A revision that names no commit of this repository. */
export function noSuchRevision(revision: string): CheckpointError {
  return new CheckpointError('not-found', `There is no commit "${revision}" in this repository.`, {
    place: { commit: revision },
    hint: 'Give a branch, a tag, or at least four digits of a commit id.',
  });
}

export function ambiguousRevision(revision: string): CheckpointError {
  return new CheckpointError('invalid-request', `More than one object fits "${revision}".`, { hint: 'Give more digits of the hash.' });
}

export function damagedHead(): CheckpointError {
  return new CheckpointError('corrupt-object', 'HEAD names neither a branch nor a commit.', { hint: 'Check out a branch: "git switch BRANCH".' });
}

/** @param oid what HEAD leads to; `null` when it leads nowhere */
export function missingHead(oid: string | null): CheckpointError {
  return new CheckpointError('missing-object', `The commit that is checked out${oid === null ? '' : `, ${oid},`} is not in the repository.`, {
    ...(oid === null ? {} : { place: { commit: oid } }),
    hint: 'Run "git fsck" in the repository to see what is missing, and fetch it from another clone.',
  });
}

/** The compiler cannot see what crosses the wire: nothing but a full hash may reach git's arguments. @throws invalid-request */
export function requireHash(hash: CommitHash | string): CommitHash {
  if (!isCommitHash(hash))
    throw new CheckpointError('invalid-request', 'This is not the full id of a git object.', { place: { oid: String(hash).slice(0, 80) } });
  return hash;
}
