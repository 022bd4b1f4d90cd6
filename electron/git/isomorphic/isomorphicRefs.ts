import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, type HeadInfo, isCommitHash, type RefInfo } from '../../../shared/model/commit';
import { classifyRef, compareRefs, shortHeadName } from '../compareRefs';
import { damagedHead, missingHead } from '../objectErrors';
import type { IsomorphicObjects } from './isomorphicObjects';
import type { RefFiles } from './readRefs';
import { peelToCommit } from './resolveRevision';

/** Branches, remote branches and tags that end at a commit; one broken ref hides no other. */
export async function readIsomorphicRefs(files: RefFiles, objects: IsomorphicObjects): Promise<readonly RefInfo[]> {
  const refs: RefInfo[] = [];
  for (const folder of ['refs/heads', 'refs/remotes', 'refs/tags']) {
    for (const [fullName, content] of await files.list(folder)) {
      const ref = classifyRef(fullName);
      // `origin/HEAD` is another name of a branch that is in the list.
      if (ref === null || (ref.kind === 'remote-branch' && content.kind === 'symbolic')) continue;
      const oid = await files.resolve(content);
      const commit = oid === null ? null : await peelOrNull(objects, oid);
      if (commit !== null) refs.push({ ...ref, commit });
    }
  }
  return refs.sort(compareRefs);
}

export async function readIsomorphicHead(files: RefFiles, objects: IsomorphicObjects): Promise<HeadInfo> {
  const content = await files.read('HEAD');
  if (content === null) {
    throw damagedHead();
  }
  const oid = await files.resolve(content);
  if (oid === null && content.kind === 'symbolic') return { kind: 'unborn', name: shortHeadName(content.target) };
  const commit = oid === null ? null : await peelToCommit(objects, oid);
  if (commit === null || !isCommitHash(commit)) {
    throw missingHead(oid);
  }
  return content.kind === 'symbolic' ? { kind: 'branch', name: shortHeadName(content.target), commit } : { kind: 'detached', commit };
}

async function peelOrNull(objects: IsomorphicObjects, oid: string): Promise<CommitHash | null> {
  return peelToCommit(objects, oid).catch((error: unknown) => {
    if (error instanceof CheckpointError && error.code === 'corrupt-object') return null;
    throw error;
  });
}
