import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorCode, type ErrorData, isCheckpointError } from '../../../shared/contract/errors';
import type { CommitHash, CommitInfo } from '../../../shared/model/commit';
import { diffMetadata } from '../../theta/diffMetadata';
import { parseMetadata } from '../../theta/parseMetadata';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import { type NameRename, type StepOptions, StepWriter } from './addStep';
import type { ReadBudget } from './sameTensors';
import type { TimelineStore } from './timelineStore';
import type { Version } from './version';
import { createVersionReader, METADATA_LIMIT, type VersionReader } from './versionReader';

/** Bytes of plain checkpoints that one call reads to compare them, and takes out of git. */
const BUDGET_BYTES = 4 * 1000 ** 3;
/** What such a blob is will not change; other failures may pass. */
const LASTING: readonly ErrorCode[] = ['malformed', 'conflict', 'unsupported-format', 'unsafe-pickle'];

export interface FollowOptions {
  readonly repository: Pick<OpenedRepository, 'git' | 'lfs' | 'storedAs'>;
  readonly blobFiles: BlobFiles;
  readonly path: string;
  readonly store: TimelineStore;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Where a commit stands in the timeline of the path. */
export interface Followed {
  /** Its blob; `null`: the path is not there, or no file. */
  readonly blob: string | null;
  /** The blob whose groups it has: its own, or where that cannot be read, what the first parent has. */
  readonly effective: string | null;
  /** What it is compared with. */
  readonly before: string | null;
  readonly error: ErrorData | null;
}

/**
 * Makes the store know every step that these commits (parents first) take on the path against their first parents, reading only versions that
 * belong to a step it does not know. A version that cannot be read changes nothing: the next one is compared with the last that could.
 */
export async function followVersions(commits: readonly CommitInfo[], options: FollowOptions): Promise<ReadonlyMap<CommitHash, Followed>> {
  const { store, signal } = options;
  store.forgetPassing();
  await findBlobs(commits, options);
  const order = byLines(commits);
  const plan = planReads(order, store);
  const budget: ReadBudget = { bytes: BUDGET_BYTES };
  const reader = createVersionReader({ ...options, plan: plan.blobs, budget });
  const steps = new StepWriter(store);
  const renamesOf = (before: Version, after: Version) => readRenames({ before, after }, options);
  const followed = new Map<CommitHash, Followed>();
  const failed = new Map<string, ErrorData>();
  let read = 0;
  try {
    for (const { hash, parents } of order) {
      const blob = store.tables.blobs.get(hash) ?? null;
      const before = (parents[0] === undefined ? null : followed.get(parents[0])?.effective) ?? null;
      const error = await follow({ before, blob }, { store, reader, steps, budget, failed, signal, renamesOf });
      followed.set(hash, { blob, before, effective: error === null ? blob : before, error: error === null ? null : withPlace(error, hash, options.path) });
      throwIfCancelled(signal);
      if (plan.commits.has(hash)) options.onProgress?.(++read, plan.commits.size);
    }
  } finally {
    await reader.close();
  }
  return followed;
}

/** Blobs of commits that the store has not met. */
async function findBlobs(commits: readonly CommitInfo[], { repository, path, store, signal }: FollowOptions): Promise<void> {
  const { blobs } = store.tables;
  const unknown = commits.filter(({ hash }) => !blobs.has(hash)).map(({ hash }) => hash);
  if (unknown.length === 0) return;
  const entries = await repository.git.entries(unknown, path, signal);
  for (const [index, hash] of unknown.entries()) {
    const entry = entries[index];
    blobs.set(hash, entry?.kind === 'blob' ? entry.oid : null);
  }
  store.dirty = true;
}

/** Parents first, but each line of first parents in one piece as far as possible: the version before is then still at hand. */
function byLines(commits: readonly CommitInfo[]): readonly CommitInfo[] {
  const known = new Set(commits.map(({ hash }) => hash));
  const children = new Map<CommitHash, CommitInfo[]>();
  const pending: CommitInfo[] = [];
  for (const commit of commits) {
    const [parent] = commit.parents;
    if (parent === undefined || !known.has(parent)) pending.push(commit);
    else if (children.has(parent)) children.get(parent)?.push(commit);
    else children.set(parent, [commit]);
  }
  pending.reverse();
  const order: CommitInfo[] = [];
  for (let commit = pending.pop(); commit !== undefined; commit = pending.pop()) {
    order.push(commit);
    for (const child of children.get(commit.hash)?.reverse() ?? []) pending.push(child);
  }
  return order;
}

/** Versions to read, in the order in which they will be needed as long as all can be read. */
function planReads(order: readonly CommitInfo[], store: TimelineStore): { readonly blobs: readonly string[]; readonly commits: ReadonlySet<CommitHash> } {
  const { blobs } = store.tables;
  const planned = new Set<string>();
  const seen = new Set<string>();
  const commits = new Set<CommitHash>();
  for (const { hash, parents } of order) {
    const after = blobs.get(hash) ?? null;
    const before = parents[0] === undefined ? null : (blobs.get(parents[0]) ?? null);
    const step = `${before ?? ''}:${after ?? ''}`;
    if (after === before || seen.has(step) || store.step(before, after) !== undefined) continue;
    seen.add(step);
    for (const blob of [before, after]) if (blob !== null) planned.add(blob);
    commits.add(hash);
  }
  return { blobs: [...planned], commits };
}

interface FollowContext {
  readonly store: TimelineStore;
  readonly reader: VersionReader;
  readonly steps: StepWriter;
  readonly budget: ReadBudget;
  /** Versions that could not be read just now, each looked at once. */
  readonly failed: Map<string, ErrorData>;
  readonly renamesOf: StepOptions['renamesOf'];
  readonly signal: AbortSignal;
}

/** Notes the step unless it is known. @returns why the version cannot be read */
async function follow({ before, blob }: { before: string | null; blob: string | null }, context: FollowContext): Promise<ErrorData | null> {
  const { store, reader, steps, failed, signal } = context;
  const known = blob === null ? undefined : (store.tables.errors.get(blob) ?? failed.get(blob));
  if (known !== undefined) return known;
  if (blob === before || store.step(before, blob) !== undefined) return null;
  let reading = before;
  try {
    const old = before === null ? null : (reader.kept(before) ?? (await reader.read(before, null)));
    reading = blob;
    const now = blob === null ? null : await reader.read(blob, old);
    await steps.add({ before: old, after: now }, context);
    return null;
  } catch (thrown) {
    if (signal.aborted || isCheckpointError(thrown, 'cancelled')) throw thrown;
    const error = CheckpointError.from(thrown).toData();
    if (reading === null) return error;
    failed.set(reading, error);
    if (reading === blob && LASTING.includes(error.code)) {
      store.tables.errors.set(blob, error);
      store.dirty = true;
    }
    return error;
  }
}

async function readRenames(
  { before, after }: { readonly before: Version; readonly after: Version },
  { repository, path }: FollowOptions,
): Promise<readonly NameRename[]> {
  const parse = async ({ text, blob }: Version) => parseMetadata(text?.bytes ?? Buffer.from(await repository.git.blob(blob, METADATA_LIMIT)), path);
  const { renamed } = diffMetadata(await parse(before), await parse(after));
  return renamed.map(({ a, b }) => ({ from: a.name, to: b.name }));
}

function withPlace(error: ErrorData, commit: CommitHash, file: string): ErrorData {
  return CheckpointError.fromData(error).at({ commit, file }).toData();
}
