import type { CheckpointError } from '../../shared/contract/errors';
import type { RepositoryDescription } from '../../shared/contract/requests';
import type { TrackCandidate, TrackItem, TrackPreview } from '../../shared/contract/trackRequests';
import type { StorageKind } from '../../shared/model/checkpoint';
import type { UpdateChoice } from '../../shared/model/track';
import { type Loadable, latest } from './loadable';
import { placeProblem } from './placeProblem';
import { refNameProblem } from './refNameProblem';
import type { WorktreeStatus } from './worktreeStore';

/** One file of the dialog and what was chosen for it. `source` (path on the host's machine) tells files apart. */
export interface TrackFile {
  readonly source: string;
  readonly candidate: TrackCandidate;
  readonly place: string;
  readonly update: UpdateChoice;
  /** File with side-loaded update data on the host's machine. */
  readonly updateData: string | null;
  /** `idle`: it cannot be computed, because of the place or the file. */
  readonly preview: Loadable<TrackPreview>;
  /** ms since 1970. */
  readonly previewStartedAt: number;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** The choices that hold for the whole commit. */
export interface CommitChoices {
  readonly message: string;
  /** `null`: as configured. */
  readonly author: Identity | null;
  /** `null`: the branch that HEAD is on. */
  readonly newBranch: string | null;
  /** Paths that Git LFS keeps now go over to git-theta. */
  readonly convertLfs: boolean;
}

/** A refusal of the host for one source. */
export interface Refused {
  readonly source: string;
  readonly error: CheckpointError;
}

/** Last part of a path of any system. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The folder that a path of any system lies in. */
export function folderOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  // The root of the file system, or of a drive, keeps its separator.
  return at <= 0 || path.charAt(at - 1) === ':' ? path.slice(0, at + 1) : path.slice(0, at);
}

/** Whether the file lies in the work tree at its place already, so that nothing is copied. */
export function isInPlace({ source, place }: Pick<TrackFile, 'source' | 'place'>, repository: Pick<RepositoryDescription, 'path'>): boolean {
  const slashes = (path: string) => path.replaceAll('\\', '/');
  return slashes(source) === `${slashes(repository.path).replace(/\/$/, '')}/${place}`;
}

/** How a place is kept now, as far as the window knows; `null`: nothing that is known is there. */
export function storageAt(
  { candidate, place }: Pick<TrackFile, 'candidate' | 'place'>,
  repository: Pick<RepositoryDescription, 'checkpoints'>,
): StorageKind | null {
  if (place === candidate.path) return candidate.storage;
  return repository.checkpoints.find((checkpoint) => checkpoint.path === place)?.storage ?? null;
}

/** What is wrong with the place of a file, in a sentence. */
export function problemOfPlace(file: TrackFile, files: readonly TrackFile[]): string | null {
  return placeProblem(
    file.place,
    files.filter((other) => other !== file).map((other) => other.place),
  );
}

/**
 * What has to be known of the shards of one checkpoint, named as `save_pretrained` of Hugging Face names them; `null`: there are none. Which tensor is
 * in which shard stands in a file of its own.
 */
export function shardsNote(files: readonly Pick<TrackFile, 'source'>[]): string | null {
  if (!files.some(({ source }) => /-\d{5}-of-\d{5}\.[a-z]+$/i.test(source))) return null;
  return 'The index beside these shards (“….index.json”) is no checkpoint and not committed with them: add it with “git add”.';
}

/** Files that have something to be committed, as far as is known. */
export function filesToCommit(files: readonly TrackFile[]): readonly TrackFile[] {
  return files.filter(({ candidate, preview }) => candidate.problem === null && !(preview.kind === 'ready' && preview.value.unchanged));
}

export function toItem({ source, place, update, updateData }: TrackFile): TrackItem {
  return { source, path: place, update, updateData };
}

/** Whether git-theta keeps all of them already. */
export function areTracked(files: readonly TrackFile[], repository: Pick<RepositoryDescription, 'checkpoints'>): boolean {
  return files.length > 0 && files.every((file) => storageAt(file, repository) === 'theta');
}

/** `Update model.pt`, `Track 3 checkpoints`: a message to begin with. */
export function suggestedMessage(files: readonly TrackFile[], repository: Pick<RepositoryDescription, 'checkpoints'>): string {
  const verb = areTracked(files, repository) ? 'Update' : 'Track';
  const [first] = files;
  if (first === undefined) return '';
  return files.length === 1 ? `${verb} ${fileName(first.place)}` : `${verb} ${files.length} checkpoints`;
}

export interface CommitSituation {
  readonly files: readonly TrackFile[];
  readonly choices: CommitChoices;
  readonly repository: RepositoryDescription;
  /** `undefined` while it is read. */
  readonly status: WorktreeStatus | undefined;
}

/** Why it cannot be committed yet, in a sentence; `null` when it can. The first reason on the way through the dialog. */
export function commitProblem({ files, choices, repository, status }: CommitSituation): string | null {
  if (status === undefined) return 'Reading the working tree.';
  if (status.obstacle !== null) return status.obstacle.message;
  const going = filesToCommit(files);
  if (files.every(({ candidate }) => candidate.problem !== null)) return 'None of these files can be tracked.';
  if (going.length === 0) return 'There is nothing to commit: nothing differs from what is committed.';
  for (const file of going) {
    const problem = problemOfPlace(file, files);
    if (problem !== null) return `${fileName(file.source)}: ${problem}`;
    if (file.preview.kind === 'failed') return `${fileName(file.source)} cannot be stored like this.`;
  }
  const inLfs = choices.convertLfs ? undefined : going.find((file) => storageAt(file, repository) === 'lfs');
  if (inLfs !== undefined) return `Git LFS keeps ${inLfs.place} now: convert it, or choose another place.`;
  if (choices.message.trim() === '') return 'Write a message.';
  const author = choices.author ?? status.identity;
  if (author === null || author.name.trim() === '' || author.email.trim() === '') return 'Say who commits: a name and an email address.';
  if (/[<>\n]/.test(author.name + author.email)) return 'Name and address of the author have no < or >.';
  if (choices.newBranch !== null) {
    const problem = refNameProblem(choices.newBranch, branchNames(repository));
    if (problem !== null) return `New branch: ${problem}`;
  }
  return null;
}

export function branchNames({ refs, head }: Pick<RepositoryDescription, 'refs' | 'head'>): string[] {
  const names = refs.filter((ref) => ref.kind === 'branch').map((ref) => ref.name);
  return head.kind === 'unborn' ? [...names, head.name] : names;
}

export interface PreviewSums {
  readonly addedBytes: number;
  readonly fullBytes: number;
  readonly lfsBytes: number;
  /** Files whose preview is not there yet. */
  readonly missing: number;
}

/** Sums over the previews that are there, also over those that are being computed anew. */
export function sumPreviews(files: readonly TrackFile[]): PreviewSums {
  const sums = { addedBytes: 0, fullBytes: 0, lfsBytes: 0, missing: 0 };
  for (const { candidate, preview } of files) {
    const value = latest(preview);
    if (value === undefined) sums.missing += candidate.problem === null ? 1 : 0;
    else {
      sums.addedBytes += value.addedBytes;
      sums.fullBytes += value.fullBytes;
      sums.lfsBytes += value.lfsBytes;
    }
  }
  return sums;
}
