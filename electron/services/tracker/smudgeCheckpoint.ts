import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { fileError } from '../../bytes/fileError';
import type { DigestCache } from '../../theta/digestCache';
import type { ThetaMetadata } from '../../theta/metadata';
import type { WorkerPool } from '../../workers/workerPool';
import { isPlan, type OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import { openTheta } from '../checkpoints/openTheta';
import { exportProgress } from '../exporter/exportProgress';
import type { GroupToExport } from '../exporter/groupToExport';
import { type PlannedFile, withOwnLayout } from '../exporter/withOwnLayout';
import { writeLayout } from '../exporter/writeLayout';
import { linkedController } from '../linkedController';
import type { OpenedRepository } from '../repositories/openedRepository';
import { openDigestCache } from './digests';
import { keptValuesFolder } from './keptValues';
import { createFillGate, readAsFilled } from './readAsFilled';
import { removeLeftovers } from './removeLeftovers';
import { spoolFolder } from './spool';

export interface SmudgeRequest {
  readonly repository: OpenedRepository;
  readonly pool: WorkerPool;
  /** Path in the repository. */
  readonly path: string;
  /** What the metadata file says, and its blob id. */
  readonly metadata: ThetaMetadata;
  readonly blob: string;
  /** Commit that is checked out, where git says so; for messages and for finding bases. */
  readonly commit: CommitHash;
  readonly signal?: AbortSignal | undefined;
}

/** A checkpoint file on its way to git. */
export interface SmudgedFile {
  readonly bytes: number;
  /** From front to back, read once; each piece is valid until the next. An object that turns out to be damaged ends it with an error. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Stops what still runs and removes what was written. */
  dispose(): Promise<void>;
}

/**
 * The checkpoint file that a metadata file stands for: made by several workers at once in a file of the state folder, and given away in order as
 * it grows. Every object is verified as it is read.
 * @throws CheckpointError malformed, and for the first group that is known not to be readable what is wrong with it
 */
export async function smudgeCheckpoint(request: SmudgeRequest): Promise<SmudgedFile> {
  const { repository, path, metadata, blob, commit, signal } = request;
  await removeLeftovers(repository);
  const opened = await openTheta(repository, { commit, path, blob, metadata }, signal);
  const groups = groupsToWrite(opened);
  const file = join(await spoolFolder(repository.git.place), `${randomUUID()}.partial`);
  const { controller, release } = linkedController(signal);
  const context: Filling = { request, file, signal: controller.signal };
  const dispose = async (written: Promise<unknown>) => {
    controller.abort();
    await written.catch(() => {});
    release();
    await unlink(file).catch(() => {});
  };
  let filling: Promise<unknown> = Promise.resolve();
  try {
    const begun = await withOwnLayout(opened, groups, async (plan) => {
      const { gate, written } = begin(plan, context);
      filling = written;
      // What may not fit is known when all is written; then the plain form is made instead.
      if (plan.layout.misfits !== undefined) await written;
      return { plan, gate, written };
    });
    return {
      bytes: begun.plan.layout.bytes,
      content: withNames(readAsFilled({ path: file, ...begun.plan, gate: begun.gate, written: begun.written }), { file, path }),
      dispose: () => dispose(begun.written),
    };
  } catch (error) {
    await dispose(filling);
    throw named(error, { file, path });
  }
}

interface Filling {
  readonly request: SmudgeRequest;
  readonly file: string;
  readonly signal: AbortSignal;
}

function begin({ layout, groups }: PlannedFile, { request, file, signal }: Filling) {
  const gate = createFillGate(groups.length);
  const fill = async () => {
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.truncate(layout.bytes);
      const progress = exportProgress(layout.bytes, () => {});
      const partial = { path: file, handle, publish: () => Promise.resolve() };
      const cache = openDigestCache(request.repository);
      const known = await Promise.all(groups.map(({ plan }) => (plan.kind === 'chain' ? cache.get(plan.chain) : null)));
      const values = keptValuesFolder(request.repository.git.place);
      const writing = { groups, layout, known, values, pool: request.pool, signal, progress, onPieces: gate.begin, onTensor: gate.open };
      await remember(cache, groups, await writeLayout(partial, writing));
    } finally {
      await handle.close();
    }
  };
  const written = fill();
  // Whoever reads hears of a failure; nobody may read any more.
  written.catch(() => {});
  return { gate, written };
}

/** All groups; a checkpoint with holes is worse than none. */
function groupsToWrite(opened: OpenedCheckpoint): readonly GroupToExport[] {
  const [broken] = opened.facts === null ? opened.skipped : [];
  if (broken !== undefined) throw new CheckpointError('malformed', broken.reason, { place: { file: opened.version.path, group: broken.name } });
  return [...opened.groups.values()].map(({ keys, group, plan }) => {
    if (!isPlan(plan)) throw CheckpointError.fromData(plan).at({ group: group.name });
    return { keys, dtype: group.dtype, shape: group.shape, plan };
  });
}

/** What was just reconstructed need not be hashed again when git asks whether the file has changed. */
async function remember(cache: DigestCache, groups: readonly GroupToExport[], digests: readonly string[]): Promise<void> {
  for (const [index, { plan }] of groups.entries()) {
    const digest = digests[index];
    if (plan.kind === 'chain' && digest !== undefined && digest !== '') cache.set(plan.chain, digest);
  }
  await cache.save();
}

async function* withNames(content: AsyncIterable<Uint8Array>, names: { readonly file: string; readonly path: string }): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw named(error, names);
  }
}

/** Names the checkpoint, and the file in between only where the system refuses it. */
function named(error: unknown, { file, path }: { readonly file: string; readonly path: string }): CheckpointError {
  return error instanceof CheckpointError ? error.at({ file: path }) : fileError(error, file);
}
