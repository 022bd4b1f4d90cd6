import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { globPattern } from '../../../shared/model/groupPattern';
import { LFS_POINTER_LIMIT, parseLfsPointer } from '../../git/lfs/lfsPointer';
import { formatByExtension } from '../checkpoints/guessFormat';
import { mapLimited } from '../mapLimited';
import type { OpenedRepository } from '../repositories/openedRepository';
import { storedAs } from '../storedAs';
import { chainObjects } from './chainObjects';
import { type EnsuredObjects, ensureObjects, type FetchOptions } from './ensureObjects';
import { atPlace, type NeededObject } from './remoteContext';

const CONCURRENT_LOOKS = 16;

export interface FetchRequest extends FetchOptions {
  readonly commit: CommitHash;
  /** One checkpoint; default: all of the commit. */
  readonly path?: string | undefined;
  /** Pattern for the names of parameter groups (`*`, `?`); default: all groups. */
  readonly groups?: string | undefined;
}

export interface FetchedObjects {
  readonly where: string | null;
  /** Checkpoints that were looked at. */
  readonly paths: readonly string[];
  /** Parameter groups that were asked for; whole files that Git LFS keeps count as none. */
  readonly groups: number;
  readonly present: number;
  readonly fetched: number;
  readonly fetchedBytes: number;
  /** What could not be had, each with its place; the rest is there. */
  readonly failed: readonly CheckpointError[];
}

/**
 * Downloads the objects of the groups asked for, down to the beginning of their chains, and no others.
 * @throws not-found for a path or groups that are not there, invalid-request for a plain file, and what `ensureObjects` throws
 */
export async function fetchObjects(repository: OpenedRepository, request: FetchRequest): Promise<FetchedObjects> {
  const { commit, path, groups: pattern, signal } = request;
  const matches = pattern == null ? () => true : globPattern(pattern);
  const files = await checkpointsOf(repository, commit, path);
  const total = { where: null as string | null, present: new Set<string>(), fetched: new Map<string, number>(), failed: new Map<string, CheckpointError>() };
  const count = (ensured: EnsuredObjects) => {
    total.where ??= ensured.where;
    for (const { oid } of ensured.present) if (!total.fetched.has(oid)) total.present.add(oid);
    for (const { oid, bytes } of ensured.fetched) total.fetched.set(oid, bytes);
    for (const { object, error } of ensured.failed) total.failed.set(object.oid, atPlace(error, object));
  };
  const needed: NeededObject[] = [];
  const unresolved: CheckpointError[] = [];
  let groups = 0;
  for (const file of files) {
    if (file.pointer !== null) {
      if (pattern === undefined) needed.push(file.pointer);
      continue;
    }
    const metadata = await repository.metadata.parsed(file.blob, file.path);
    const entries = [...metadata.entries.values()].filter(({ name }) => matches(name));
    groups += entries.length;
    const get = async (objects: readonly NeededObject[]) => count(await ensureObjects(repository, objects, request));
    const found = await chainObjects(repository, { place: { commit, path: file.path, blob: file.blob }, entries, get, signal });
    needed.push(...found.objects);
    unresolved.push(...found.unresolved);
  }
  if (pattern !== undefined && groups === 0) {
    throw new CheckpointError('not-found', `No parameter group is called ${pattern}.`, {
      place: { commit, ...(path === undefined ? {} : { file: path }) },
      hint: 'List them with theta show.',
    });
  }
  count(await ensureObjects(repository, needed, request));
  return {
    where: total.where,
    paths: files.map((file) => file.path),
    groups,
    present: total.present.size,
    fetched: total.fetched.size,
    fetchedBytes: [...total.fetched.values()].reduce((sum, bytes) => sum + bytes, 0),
    failed: [...total.failed.values(), ...unresolved],
  };
}

interface CheckpointFile {
  readonly path: string;
  readonly blob: string;
  /** The object, when Git LFS keeps the file as a whole. */
  readonly pointer: NeededObject | null;
}

async function checkpointsOf(repository: OpenedRepository, commit: CommitHash, path: string | undefined): Promise<readonly CheckpointFile[]> {
  const { git } = repository;
  if (path !== undefined) {
    const entry = await git.entry(commit, path);
    if (entry?.kind !== 'blob') throw new CheckpointError('not-found', `${path} is not in commit ${commit.slice(0, 10)}.`, { place: { commit, file: path } });
    const file = await checkpointFile(repository, commit, entry);
    if (file === null)
      throw new CheckpointError('invalid-request', `${path} is kept in git itself: there is nothing to fetch.`, { place: { commit, file: path } });
    return [file];
  }
  const blobs = (await git.files(commit)).filter(({ kind }) => kind === 'blob');
  const filters = await git.attributes(
    blobs.map((file) => file.path),
    ['filter'],
  );
  const candidates = blobs.filter((file) => filters.get(file.path)?.filter === 'theta' || formatByExtension(file.path) !== null);
  const files = await mapLimited(candidates, (entry) => checkpointFile(repository, commit, entry), { limit: CONCURRENT_LOOKS });
  return files.filter((file) => file !== null);
}

/** `null`: git keeps the file itself. */
async function checkpointFile(
  repository: OpenedRepository,
  commit: CommitHash,
  entry: { readonly path: string; readonly oid: string },
): Promise<CheckpointFile | null> {
  const { path, oid: blob } = entry;
  const { storage } = await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob);
  if (storage === 'theta') return { path, blob, pointer: null };
  const pointer = storage === 'lfs' ? parseLfsPointer(await repository.git.blob(blob, LFS_POINTER_LIMIT)) : null;
  return pointer === null ? null : { path, blob, pointer: { oid: pointer.oid, bytes: pointer.size, group: null, path, commit } };
}
