import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { CommitHash } from '../../../shared/model/commit';
import { pathExists } from '../../bytes/pathExists';
import { isTrue, lastValue } from '../../git/configKey';
import { formerRunsGitLfs } from '../../git/hooks/formerRunsGitLfs';
import type { FailedTransfer } from '../../git/lfs/transfer/transferTypes';
import type { GitCommand } from '../../git/native/gitProcess';
import { type CommitWithParents, peelToCommits, unpushedCommits } from '../../git/push/unpushedCommits';
import { forEachLimited } from '../forEachLimited';
import type { OpenedRepository } from '../repositories/openedRepository';
import { basesOnNoRemote } from './basesOnNoRemote';
import { hasGitLfs } from './hasGitLfs';
import { type NewEntry, objectsOfCommits } from './objectsOfCommits';
import { atPlace, findRemote, type NeededObject, openRemote, type RemoteContext } from './remoteContext';
import { hasCommitFile, storeCommitFile } from './writeCommitFile';

/** A ref as git pushes it (githooks(5), "pre-push"). */
export interface RefUpdate {
  readonly localRef: string;
  /** All zeros: the ref is deleted. */
  readonly localOid: string;
  readonly remoteRef: string;
  /** All zeros: the ref is new. */
  readonly remoteOid: string;
}

export interface PushRequest {
  /** Name of a remote, or an address; `null`: the one that git would push to. */
  readonly remote: string | null;
  readonly updates: readonly RefUpdate[];
  /** Also objects of commits that the remote has, in case it was pushed to without them; default false. */
  readonly everything?: boolean;
  /** Whole files that Git LFS keeps: by default they are left to a git-lfs that our pre-push hook has just run. */
  readonly pointers?: 'unless-hooked' | 'always';
  /** There is a terminal at which git may ask for a password. */
  readonly interactive: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

export interface PushedObjects {
  /** Where the objects are, without credentials; `null` when nothing had to be looked for there. */
  readonly where: string | null;
  readonly commits: number;
  /** Objects that the commits need. */
  readonly objects: number;
  readonly uploaded: number;
  readonly uploadedBytes: number;
  readonly notes: readonly string[];
}

const CONCURRENT_FILES = 16;

/**
 * Uploads the objects that the pushed commits need and the remote does not have, and writes git-theta's commit files for them. Refs are not moved.
 * @throws missing-object, corrupt-object with group, path, commit and object when one that is needed cannot be given; permission, disconnected ...
 *   when the remote does not take them
 */
export async function pushObjects(repository: OpenedRepository, request: PushRequest): Promise<PushedObjects> {
  const { signal } = request;
  const context = await findRemote(repository, request.remote, 'upload');
  const { command } = context;
  const updates = request.updates.filter(({ localOid }) => !isZero(localOid));
  const tips = (
    await peelToCommits(
      command,
      updates.map(({ localOid }) => localOid),
      signal,
    )
  ).filter((commit) => commit !== null);
  const known =
    request.everything === true
      ? []
      : (
          await peelToCommits(
            command,
            updates.map(({ remoteOid }) => remoteOid),
            signal,
          )
        ).filter((commit) => commit !== null);
  const remote = request.everything === true || !context.configured ? null : context.remote;
  const commits = await unpushedCommits(command, { tips, known, remote, signal });
  const { entries, pointers } = await objectsOfCommits(repository, command, { commits, signal });
  const bases = await basesOnNoRemote(repository, command, { entries, tips, known, remote, signal });
  const leftToLfs = request.pointers !== 'always' && pointers.length > 0 && (await gitLfsPushes(repository, command, signal));
  const needed = firstOfEach([...entries.map(asNeeded), ...bases, ...(leftToLfs ? [] : pointers)]);
  await writeCommitFiles(repository, context, { commits, entries, signal });
  if (needed.size === 0) return { where: null, commits: commits.length, objects: 0, uploaded: 0, uploadedBytes: 0, notes: [] };
  return { commits: commits.length, objects: needed.size, ...(await upload(repository, context, { request, updates, needed })) };
}

/** That it is installed says nothing yet: git calls it in a hook only, which may be missing, or another program's. */
async function gitLfsPushes({ git }: OpenedRepository, command: GitCommand, signal: AbortSignal | undefined): Promise<boolean> {
  return (await hasGitLfs()) && (await formerRunsGitLfs({ git: command, place: git.place, ...(signal === undefined ? {} : { signal }) }));
}

interface Upload {
  readonly request: PushRequest;
  readonly updates: readonly RefUpdate[];
  readonly needed: ReadonlyMap<string, NeededObject>;
}

async function upload(repository: OpenedRepository, context: RemoteContext, { request, updates, needed }: Upload) {
  const { signal, onProgress, interactive } = request;
  const transfer = await openRemote(repository, context, { operation: 'upload', interactive });
  try {
    const [update] = updates;
    const ref = updates.length === 1 && update !== undefined ? { ref: update.remoteRef } : {};
    const report = await transfer.move([...needed.values()], { ...ref, signal, onProgress });
    const notes = judge(report.failed, needed, isTrue(lastValue(context.settings, 'lfs.allowincompletepush')));
    return { where: transfer.where, uploaded: report.moved.length, uploadedBytes: report.moved.reduce((sum, { bytes }) => sum + bytes, 0), notes };
  } finally {
    transfer.close();
  }
}

/** What was left out with the user's consent. @throws the first failure with its place otherwise */
function judge(failed: readonly FailedTransfer[], needed: ReadonlyMap<string, NeededObject>, mayLack: boolean): readonly string[] {
  const notes: string[] = [];
  for (const { object, error } of failed) {
    const place = needed.get(object.oid);
    if (mayLack && error.code === 'missing-object') {
      notes.push(`${place?.path ?? 'A file'}${place?.group == null ? '' : `, group ${place.group}`}: ${error.message}`);
      continue;
    }
    const placed = place === undefined ? error : atPlace(error, place);
    if (failed.length === 1) throw placed;
    throw new CheckpointError(placed.code, `${placed.message} ${failed.length - 1} more objects failed.`, {
      place: placed.place,
      ...(placed.hint === undefined ? {} : { hint: placed.hint }),
      cause: placed,
    });
  }
  return notes;
}

function asNeeded({ commit, path, entry }: NewEntry): NeededObject {
  return { oid: entry.oid, bytes: entry.bytes, group: entry.name, path, commit };
}

function firstOfEach(objects: readonly NeededObject[]): ReadonlyMap<string, NeededObject> {
  const byOid = new Map<string, NeededObject>();
  for (const object of objects) if (!byOid.has(object.oid)) byOid.set(object.oid, object);
  return byOid;
}

interface CommitFiles {
  readonly commits: readonly CommitWithParents[];
  readonly entries: readonly NewEntry[];
  readonly signal?: AbortSignal | undefined;
}

/** For a git-theta that shares the repository; where no checkpoint is kept its way, nothing is written. */
async function writeCommitFiles(repository: OpenedRepository, { command }: RemoteContext, { commits, entries, signal }: CommitFiles): Promise<void> {
  const { place } = repository.git;
  if (entries.length === 0 && !(await pathExists(join(place.commonDir, 'theta')))) return;
  const without: CommitWithParents[] = [];
  await forEachLimited(
    commits,
    async (item) => {
      if (!(await hasCommitFile(place, item.commit))) without.push(item);
    },
    { limit: CONCURRENT_FILES },
  );
  // The file of a merge says what differs from the first parent.
  const merges = without.filter(({ parents }) => parents.length > 1).map(({ commit, parents }) => ({ commit, parents: parents.slice(0, 1) }));
  const merged = await objectsOfCommits(repository, command, { commits: merges, signal });
  const isMerge = new Set<CommitHash>(merges.map(({ commit }) => commit));
  const oids = new Map<CommitHash, string[]>(without.map(({ commit }) => [commit, []]));
  for (const { commit, entry } of entries) if (!isMerge.has(commit)) oids.get(commit)?.push(entry.oid);
  for (const { commit, entry } of merged.entries) oids.get(commit)?.push(entry.oid);
  await forEachLimited(oids, ([commit, list]) => storeCommitFile(place, commit, list), { limit: CONCURRENT_FILES });
}

function isZero(oid: string): boolean {
  return /^0+$/.test(oid);
}
