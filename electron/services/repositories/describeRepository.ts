import { basename, dirname } from 'node:path';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription, TrackedCheckpoint } from '../../../shared/contract/requests';
import type { CommitHash, HeadInfo, RefInfo } from '../../../shared/model/commit';
import { tensorBytes } from '../../../shared/model/shape';
import type { TreeEntry } from '../../git/gitRepository';
import { addBytes } from '../addBytes';
import { guessFormat } from '../checkpoints/guessFormat';
import { storedAs } from '../storedAs';
import { checkpointFiles } from './checkpointFiles';
import type { OpenedRepository } from './openedRepository';

/** Files whose content is looked at to find checkpoints that no attribute names; larger trees are said in a notice. */
const MAX_CANDIDATES = 2000;
/** Branches whose tips are searched when HEAD has no checkpoint. */
const MAX_TIPS = 10;

type Commits = Pick<RepositoryDescription, 'checkpoints'> & { readonly notices: readonly string[] };

/** Everything that the sidebar shows of a repository. */
export async function describeRepository(repository: OpenedRepository): Promise<RepositoryDescription> {
  const { git } = repository;
  const [head, refs, remotes, submodules] = await Promise.all([git.head(), git.refs(), git.remotes(), git.submodules()]);
  const { checkpoints, notices } = await findCheckpoints(repository, head, refs);
  return {
    id: repository.id,
    path: repository.path,
    name: basename(git.place.bare ? repository.path.replace(/\.git$/, '') : repository.path) || basename(dirname(repository.path)),
    bare: git.place.bare,
    shallow: git.place.shallow,
    backend: git.backend,
    head,
    refs: [...refs],
    remotes: [...remotes],
    submodules: [...submodules],
    checkpoints,
    notices: [...repositoryNotices(repository), ...notices],
  };
}

function repositoryNotices({ git }: OpenedRepository): string[] {
  const notices: string[] = [];
  if (git.place.shallow) notices.push('This is a shallow clone: older commits are missing, and updates whose base is among them cannot be reconstructed.');
  if (git.backend === 'isomorphic') notices.push('git was not found on this machine; the built-in reader is used, which is slower on large histories.');
  return notices;
}

/** Checkpoints at HEAD; where HEAD has none (or is unborn), those of the branches' tips. */
async function findCheckpoints(repository: OpenedRepository, head: HeadInfo, refs: readonly RefInfo[]): Promise<Commits> {
  const atHead = head.kind === 'unborn' ? null : await checkpointsAt(repository, head.commit, true);
  if (atHead !== null && atHead.checkpoints.length > 0) return atHead;
  const tips = new Set(refs.filter((ref) => ref.kind !== 'tag').map((ref) => ref.commit));
  const found = new Map<string, TrackedCheckpoint>();
  for (const tip of [...tips].slice(0, MAX_TIPS)) {
    for (const checkpoint of (await checkpointsAt(repository, tip, false)).checkpoints) {
      if (!found.has(checkpoint.path)) found.set(checkpoint.path, checkpoint);
    }
  }
  const notices = found.size > 0 ? ['HEAD has no checkpoint; those of other branches are listed.'] : [];
  return { checkpoints: [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), notices };
}

async function checkpointsAt(repository: OpenedRepository, commit: CommitHash, isHead: boolean): Promise<Commits> {
  const { git } = repository;
  const candidates = await checkpointFiles(repository, commit);
  const looked = candidates.slice(0, MAX_CANDIDATES);
  const statuses = isHead ? await git.status(looked.map((file) => file.path)) : new Map<string, TrackedCheckpoint['status']>();
  const checkpoints: TrackedCheckpoint[] = [];
  for (const file of looked) checkpoints.push(await describeCheckpoint(repository, file, statuses.get(file.path) ?? 'unknown'));
  const notices = candidates.length > looked.length ? [`Only the first ${MAX_CANDIDATES} of ${candidates.length} checkpoint files are listed.`] : [];
  return { checkpoints, notices };
}

async function describeCheckpoint(repository: OpenedRepository, file: TreeEntry, status: TrackedCheckpoint['status']): Promise<TrackedCheckpoint> {
  const { storage, bytes } = await storedAs({ repository: repository.git, storedAs: repository.storedAs }, file.oid);
  const plain: TrackedCheckpoint = { path: file.path, storage, format: guessFormat(file.path, []), groups: null, bytes, status };
  if (storage !== 'theta') return plain;
  try {
    const { entries } = await repository.metadata.parsed(file.oid, file.path);
    const all = [...entries.values()];
    return {
      ...plain,
      format: guessFormat(
        file.path,
        all.map((entry) => entry.keys),
      ),
      groups: all.length,
      bytes: all.reduce((sum, entry) => addBytes(sum, tensorBytes(entry.dtype, entry.shape)), 0),
    };
  } catch (error) {
    // Listed all the same: choosing it shows what is wrong.
    if (!isCheckpointError(error)) throw error;
    return error.code === 'conflict' ? { ...plain, status: 'conflict' } : plain;
  }
}
