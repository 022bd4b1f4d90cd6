import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, headCommit, isCommitHash, NO_COMMIT } from '../../../shared/model/commit';
import { readSmallFile } from '../../bytes/readSmallFile';
import { parseIndex } from '../../git/index/parseIndex';
import type { ThetaEntry, ThetaMetadata } from '../../theta/metadata';
import type { MetadataPlace } from '../../theta/resolvedEntry';
import type { UpdateChain } from '../../updates/updateChain';
import type { OpenedRepository } from '../repositories/openedRepository';
import { storedAs } from '../storedAs';

/** A version of the checkpoint that the new one may share entries with. */
export interface Candidate {
  readonly from: 'index' | 'head' | 'merge-head';
  readonly place: MetadataPlace;
  readonly metadata: ThetaMetadata;
  readonly chains: ReadonlyMap<string, UpdateChain | CheckpointError>;
}

/** What a new version is compared with. */
export interface Previous {
  /** `null` before the first commit. */
  readonly head: CommitHash | null;
  readonly candidates: readonly Candidate[];
}

/** HEAD as it is now, and the versions that a checkpoint at `path` is compared with. @throws what reading the repository throws; cancelled */
export async function readPrevious(repository: OpenedRepository, path: string, signal?: AbortSignal): Promise<Previous> {
  const head = headCommit(await repository.git.head());
  return { head, candidates: await readCandidates(repository, path, { head, signal }) };
}

/**
 * The versions that a checkpoint at `path` is compared with, those first whose entries are kept first: what is staged, HEAD, and during a merge
 * the other side. Only versions in git-theta's format; one that cannot be read is no candidate.
 */
export async function readCandidates(
  repository: OpenedRepository,
  path: string,
  { head, signal }: { readonly head: CommitHash | null; readonly signal?: AbortSignal | undefined },
): Promise<readonly Candidate[]> {
  const { git } = repository;
  const found: Candidate[] = [];
  const add = async (from: Candidate['from'], blob: string | null, commit: CommitHash | null) => {
    if (blob === null || found.some(({ place }) => place.blob === blob && from === 'index')) return;
    const candidate = await open(repository, { from, path, blob, commit, signal });
    if (candidate !== null) found.push(candidate);
  };
  const [staged, mergeHead, headBlob] = await Promise.all([
    stagedBlobs(git.place.gitDir, path),
    readMergeHead(git.place.gitDir),
    head === null ? null : blobAt(repository, head, path),
  ]);
  for (const blob of staged) if (blob !== headBlob) await add('index', blob, head);
  await add('head', headBlob, head);
  if (mergeHead !== null) await add('merge-head', await blobAt(repository, mergeHead, path), mergeHead);
  return found;
}

/**
 * Whether an entry of a candidate may be kept as it is. One of the index may have been made on another commit; then its base is that commit's,
 * which nothing may keep alive.
 */
export function mayKeep(candidate: Candidate, entry: ThetaEntry, head: CommitHash | null): boolean {
  return candidate.from !== 'index' || entry.updateType === 'dense' || entry.lastCommit === head;
}

interface Opening {
  readonly from: Candidate['from'];
  readonly path: string;
  readonly blob: string;
  readonly commit: CommitHash | null;
  readonly signal: AbortSignal | undefined;
}

async function open(repository: OpenedRepository, { from, path, blob, commit, signal }: Opening): Promise<Candidate | null> {
  const { storage, bytes } = await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob);
  if (storage !== 'theta' && bytes > 64) return null;
  try {
    const metadata = await repository.metadata.parsed(blob, path);
    const place = { commit: commit ?? NO_COMMIT, path, blob };
    return { from, place, metadata, chains: await repository.chains.resolve(place, metadata.entries.values(), signal) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CheckpointError) return null;
    throw error;
  }
}

async function blobAt(repository: OpenedRepository, commit: CommitHash, path: string): Promise<string | null> {
  const entry = await repository.git.entry(commit, path);
  return entry?.kind === 'blob' ? entry.oid : null;
}

/** Blobs of the path in the index: one, or the sides of a conflict, ours first. A split or sparse index does not tell. */
async function stagedBlobs(gitDir: string, path: string): Promise<readonly string[]> {
  const file = join(gitDir, 'index');
  const bytes = await readSmallFile(file).catch(() => null);
  const entries = bytes === null ? null : parseIndex(bytes, new Set([path]), file);
  return (entries ?? []).filter(({ stage }) => stage !== 1).map(({ oid }) => oid);
}

async function readMergeHead(gitDir: string): Promise<CommitHash | null> {
  const text = await readSmallFile(join(gitDir, 'MERGE_HEAD')).then(String, () => '');
  const [first = ''] = text.split('\n');
  return isCommitHash(first) ? first : null;
}
