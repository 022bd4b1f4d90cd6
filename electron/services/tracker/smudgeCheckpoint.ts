import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { fileError } from '../../bytes/fileError';
import { parseMetadata } from '../../theta/parseMetadata';
import type { WorkerPool } from '../../workers/workerPool';
import { isPlan, type OpenedCheckpoint } from '../checkpoints/openedCheckpoint';
import { openTheta } from '../checkpoints/openTheta';
import { exportProgress } from '../exporter/exportProgress';
import type { GroupToExport } from '../exporter/groupToExport';
import { withOwnLayout } from '../exporter/withOwnLayout';
import { writeLayout } from '../exporter/writeLayout';
import type { OpenedRepository } from '../repositories/openedRepository';
import { openDigestCache } from './digests';
import { spoolFolder } from './spool';

export interface SmudgeRequest {
  readonly repository: OpenedRepository;
  readonly pool: WorkerPool;
  /** Path in the repository. */
  readonly path: string;
  /** The metadata file, as git stores it, and its blob id. */
  readonly metadata: Uint8Array;
  readonly blob: string;
  /** Commit that is checked out, where git says so; for messages and for finding bases. */
  readonly commit: CommitHash;
  readonly signal?: AbortSignal | undefined;
}

/** A finished file that nobody else knows of. */
export interface SmudgedFile {
  readonly path: string;
  readonly bytes: number;
  remove(): Promise<void>;
}

/**
 * Writes the checkpoint file that a metadata file stands for, into the repository's state folder: git wants it through a pipe, in order, while
 * it is made by several workers at once. Every object is verified as it is read.
 * @throws CheckpointError malformed, conflict (conflict markers), and for the first group that cannot be reconstructed what is wrong with it
 */
export async function smudgeCheckpoint(request: SmudgeRequest): Promise<SmudgedFile> {
  const { repository, path, metadata, blob, commit, signal, pool } = request;
  const opened = await openTheta(repository, { commit, path, blob, metadata: parseMetadata(metadata, path) }, signal);
  const folder = await spoolFolder(repository.git.place);
  const file = join(folder, `${randomUUID()}.partial`);
  const remove = () => unlink(file).catch(() => {});
  try {
    const bytes = await withOwnLayout(opened, groupsToWrite(opened), async ({ layout, groups }) => {
      const handle = await open(file, 'w', 0o600);
      try {
        await handle.truncate(layout.bytes);
        const progress = exportProgress(layout.bytes, () => {});
        const digests = await writeLayout({ path: file, handle, publish: () => Promise.resolve() }, { groups, layout, pool, signal, progress });
        await remember(repository, groups, digests);
      } finally {
        await handle.close();
      }
      return layout.bytes;
    });
    return { path: file, bytes, remove };
  } catch (error) {
    await remove();
    throw fileError(error, file).at({ file: path });
  }
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
async function remember(repository: OpenedRepository, groups: readonly GroupToExport[], digests: readonly string[]): Promise<void> {
  const cache = openDigestCache(repository);
  for (const [index, { plan }] of groups.entries()) {
    const digest = digests[index];
    if (plan.kind === 'chain' && digest !== undefined && digest !== '') cache.set(plan.chain, digest);
  }
  await cache.save();
}
