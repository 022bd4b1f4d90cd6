import { randomUUID } from 'node:crypto';
import { rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommitHash } from '../../../shared/model/commit';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import { readSmallFile } from '../../bytes/readSmallFile';
import type { RepositoryPlace } from '../../git/gitRepository';
import { gitAt } from '../../git/lfs/transfer/userGit';
import type { OpenedRepository } from '../repositories/openedRepository';
import { stateFolder } from '../stateFolder';
import { objectsOfCommits } from './objectsOfCommits';

/**
 * Writes `.git/theta/commits/<commit>` as git-theta's post-commit hook does: the objects that the commit added against its first parent. git-theta
 * refuses to push a commit without it; ours exists also for merges, renames and deletions. @throws not-found without git or such a commit
 */
export async function writeCommitFile(repository: OpenedRepository, commit: CommitHash): Promise<void> {
  const [command, { parents }] = await Promise.all([gitAt(repository.git.place), repository.git.commit(commit)]);
  const { entries } = await objectsOfCommits(repository, command, { commits: [{ commit, parents: parents.slice(0, 1) }] });
  await storeCommitFile(
    repository.git.place,
    commit,
    entries.map(({ entry }) => entry.oid),
  );
}

/** Whether the file is there and whole: one that a crash cut short is written anew. */
export async function hasCommitFile(place: RepositoryPlace, commit: CommitHash): Promise<boolean> {
  try {
    const parsed: unknown = JSON.parse((await readSmallFile(commitFile(place, commit))).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && 'oids' in parsed && Array.isArray(parsed.oids);
  } catch {
    return false;
  }
}

/** Without fsync: there may be one for each of thousands of commits, and each can be made again. */
export async function storeCommitFile(place: RepositoryPlace, commit: CommitHash, oids: readonly string[]): Promise<void> {
  const path = commitFile(place, commit);
  const temporary = join(stateFolder(place), 'spool', `${randomUUID()}.partial`);
  try {
    await Promise.all([path, temporary].map((file) => makeFolders(dirname(file))));
    // Python's json.dumps(..., indent=4): an empty list stays on its line.
    await writeFile(temporary, JSON.stringify({ oids: [...new Set(oids)] }, null, 4));
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw fileError(error, path);
  }
}

function commitFile({ commonDir }: RepositoryPlace, commit: CommitHash): string {
  return join(commonDir, 'theta', 'commits', commit);
}
