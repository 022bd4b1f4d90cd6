import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { TrackItem } from '../../../shared/contract/trackRequests';
import { type CommitHash, headCommit } from '../../../shared/model/commit';
import type { GitWriter, Identity } from '../../git/gitWriter';
import type { WorkerPool } from '../../workers/workerPool';
import type { OpenedRepository } from '../repositories/openedRepository';
import { writeCommitFile } from '../transfer/writeCommitFile';
import { stageCheckpoint } from './addCheckpoint';
import { attributesFilesOf } from './attributesToCommit';
import { ensureInstalled, type InstalledProgram } from './ensureInstalled';
import { placeFile } from './placeFile';
import { takeBackStored } from './takeBackStored';
import { trackPaths } from './trackPaths';
import type { Undo } from './undo';
import { watchForChange } from './watchForChange';
import { watchHead } from './watchHead';
import { withUndo } from './withUndo';
import { workTreePath } from './workTreePath';

export interface CommitCheckpoints {
  readonly repository: OpenedRepository;
  readonly writer: GitWriter;
  readonly pool: WorkerPool;
  /** Set up as git's filter where nothing is; `null`: left to the user. */
  readonly program: InstalledProgram | null;
  readonly items: readonly TrackItem[];
  readonly message: string;
  readonly author: Identity | null;
  readonly newBranch: string | null;
  /** Paths that Git LFS keeps now go over to git-theta; otherwise they are refused. */
  readonly convertLfs: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

export interface CommittedCheckpoints {
  readonly commit: CommitHash;
  readonly addedBytes: number;
  readonly fullBytes: number;
  readonly notes: readonly string[];
}

/**
 * Brings checkpoints into the work tree, tracks and stages them, and commits just them. Until the commit stands, a failure or cancel puts
 * everything back: files, attributes, index, branch and objects.
 * @throws CheckpointError invalid-request, conflict, exists; what adding and committing throw
 */
export async function commitCheckpoints(work: CommitCheckpoints): Promise<CommittedCheckpoints> {
  const { items, message } = work;
  if (message.trim() === '') throw new CheckpointError('invalid-request', 'A commit needs a message.');
  const paths = items.map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw new CheckpointError('invalid-request', 'Two files are to go to the same place.');
  return withUndo((undo) => commitAll(work, paths, undo));
}

async function commitAll(work: CommitCheckpoints, paths: readonly string[], undo: Undo): Promise<CommittedCheckpoints> {
  const { repository, writer, message, author, signal } = work;
  const checkHead = await watchHead(repository);
  const staged = [...paths, ...attributesFilesOf(paths)];
  undo.add(await writer.rememberIndex(staged), `The index could not be put back; to have it as at HEAD: git reset -- ${staged.join(' ')}`);
  const onStored = takeBackStored(repository, paths, undo);
  const placed = await placeAll(work, undo);
  const attributes = await trackPaths({ repository, writer, paths, convertLfs: work.convertLfs, undo, signal });
  let addedBytes = 0;
  let fullBytes = 0;
  const installed = work.program === null ? [] : await ensureInstalled(repository, work.program, signal);
  const notes = [...installed, ...attributes.notes];
  for (const { item, checkSame } of placed) {
    throwIfCancelled(signal);
    const cleaned = await stageCheckpoint({ ...toRequest(work, item), checkSame, onStored }, writer, undo);
    for (const group of cleaned.groups) {
      addedBytes += group.addedBytes;
      fullBytes += group.fullBytes;
      notes.push(...group.notes.map((note) => `${group.name}: ${note}`));
    }
    notes.push(...cleaned.notes);
  }
  throwIfCancelled(signal);
  await checkHead();
  await beginBranch(work, undo);
  const commit = await writer.commit({ paths: [...paths, ...attributes.changed], message, author, ...(signal === undefined ? {} : { signal }) });
  // Only a push through git-theta needs it, and that of this program writes what is missing.
  await writeCommitFile(repository, commit).catch(() => {});
  return { commit, addedBytes, fullBytes, notes };
}

function toRequest({ repository, pool, signal, onProgress }: CommitCheckpoints, { path, update, updateData }: TrackItem) {
  return { repository, pool, path, choice: update, updateData, signal, ...(onProgress === undefined ? {} : { onProgress }) };
}

/** At the same commit, so that index and work tree stay as they are. */
async function beginBranch({ repository, writer, newBranch, signal }: CommitCheckpoints, undo: Undo): Promise<void> {
  if (newBranch === null) return;
  const head = await repository.git.head();
  const commit = headCommit(head);
  if (commit === null)
    throw new CheckpointError('invalid-request', 'The first commit goes to the branch that HEAD names; a new branch needs a commit to start from.');
  await writer.createBranch(newBranch, commit);
  undo.add(() => writer.deleteBranch(newBranch, commit), `The branch ${newBranch} was made already, and is where HEAD was.`);
  await writer.switchBranch(newBranch, signal);
  undo.add(() => (head.kind === 'branch' ? writer.switchBranch(head.name) : writer.detach(commit)), `HEAD is on the branch ${newBranch} now.`);
}

interface Placed {
  readonly item: TrackItem;
  /** Throws when somebody has written the placed file since. */
  readonly checkSame: () => Promise<void>;
}

async function placeAll({ repository, items }: CommitCheckpoints, undo: Undo): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for (const item of items) {
    const target = await workTreePath(repository, item.path);
    const checkSource = await watchForChange(item.source);
    await placeFile(item.source, target, { place: repository.git.place, undo });
    const checkSame = await watchForChange(target);
    await checkSource();
    placed.push({ item, checkSame });
  }
  return placed;
}
