import type { CommitHash } from '../../../shared/model/commit';
import { LFS_POINTER_LIMIT, parseLfsPointer } from '../../git/lfs/lfsPointer';
import type { GitCommand } from '../../git/native/gitProcess';
import { type ChangedFile, type CommitToCompare, changedFiles } from '../../git/push/changedFiles';
import type { ThetaEntry } from '../../theta/metadata';
import { mapLimited } from '../mapLimited';
import type { OpenedRepository } from '../repositories/openedRepository';
import { storedAs } from '../storedAs';
import type { NeededObject } from './remoteContext';

/** Blobs looked at beside each other; all go through one git process. */
const CONCURRENT = 16;

/** A parameter group that a commit brought a new object for. */
export interface NewEntry {
  readonly commit: CommitHash;
  readonly path: string;
  readonly blob: string;
  readonly entry: ThetaEntry;
}

export interface ObjectsOfCommits {
  readonly entries: readonly NewEntry[];
  /** Files that Git LFS keeps. */
  readonly pointers: readonly NeededObject[];
}

/** Objects that commits added: those in their metadata files and LFS pointers that none of their parents has at the same path. */
export async function objectsOfCommits(
  repository: OpenedRepository,
  command: GitCommand,
  options: { readonly commits: readonly CommitToCompare[]; readonly signal?: AbortSignal | undefined },
): Promise<ObjectsOfCommits> {
  const files = await changedFiles(command, options.commits, options.signal);
  const found = await mapLimited(files, (file) => newIn(repository, file), { limit: CONCURRENT });
  return { entries: found.flatMap(({ entries }) => entries), pointers: found.flatMap(({ pointers }) => pointers) };
}

const NOTHING: ObjectsOfCommits = { entries: [], pointers: [] };

async function newIn(repository: OpenedRepository, file: ChangedFile): Promise<ObjectsOfCommits> {
  const { commit, path, blob } = file;
  const storage = await storageOf(repository, blob);
  if (storage === 'lfs') {
    const pointer = parseLfsPointer(await repository.git.blob(blob, LFS_POINTER_LIMIT));
    return pointer === null ? NOTHING : { entries: [], pointers: [{ oid: pointer.oid, bytes: pointer.size, group: null, path, commit }] };
  }
  if (storage !== 'theta') return NOTHING;
  const known = new Set<string>();
  for (const before of file.before) {
    if ((await storageOf(repository, before)) !== 'theta') continue;
    for (const { oid } of await entriesOf(repository, before, path)) known.add(oid);
  }
  const added = (await entriesOf(repository, blob, path)).filter(({ oid }) => !known.has(oid));
  return { entries: added.map((entry) => ({ commit, path, blob, entry })), pointers: [] };
}

async function storageOf(repository: OpenedRepository, blob: string) {
  return (await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob)).storage;
}

/** A file that looks like metadata and cannot be read names no objects; whoever opens it hears why. */
async function entriesOf(repository: OpenedRepository, blob: string, path: string): Promise<readonly ThetaEntry[]> {
  return repository.metadata.parsed(blob, path).then(
    ({ entries }) => [...entries.values()],
    () => [],
  );
}
