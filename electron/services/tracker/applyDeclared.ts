import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';
import { formatById } from '../../formats/registry';
import type { WorkerPool } from '../../workers/workerPool';
import { checkDestination } from '../exporter/checkDestination';
import { exportProgress } from '../exporter/exportProgress';
import type { GroupToExport } from '../exporter/groupToExport';
import { type PartialFile, withPartialFile } from '../exporter/partialFile';
import { verifyExport } from '../exporter/verifyExport';
import { withOwnLayout } from '../exporter/withOwnLayout';
import { writeLayout } from '../exporter/writeLayout';
import type { CleanedCheckpoint } from './cleanRequest';
import { type Keeping, keepFile } from './keepFile';
import { type NewLayout, presentGroups } from './presentGroups';
import { stagingFolder } from './stagingFolder';

export interface ApplyOptions extends Keeping {
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
  /** Throws when somebody else has written the file since it was read. */
  readonly checkSame: () => Promise<void>;
}

/** What was written, as it was when every byte stood there. */
export interface WrittenFile {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  /** When it was about to get its name, in milliseconds since 1970. */
  readonly published: number;
}

/**
 * Writes the file anew with the values that declared updates gave: the work tree holds what was committed, or the next add would take the
 * update back. Where nothing moves, it is a copy in which only these values are replaced. What was replaced is verified by re-reading; the old file
 * stays until then, and can be put back.
 * @returns `null` when there are no such updates
 */
export async function applyDeclared(
  cleaned: CleanedCheckpoint,
  file: string,
  { pool, signal, checkSame, ...keeping }: ApplyOptions,
): Promise<WrittenFile | null> {
  if (cleaned.declared.size === 0) return null;
  const all: GroupToExport[] = cleaned.groups.flatMap(({ keys, dtype, shape, plan }) => (plan === null ? [] : [{ keys, dtype, shape, plan }]));
  const format = formatById(cleaned.format);
  if (format === null) throw new CheckpointError('unsupported-format', 'The file of this format cannot be written anew.', { place: { file } });
  // What is written is hashed again when it is verified.
  const found = new Map(cleaned.groups.map(({ name, sha256 }) => [name, sha256]));
  const digestOf = ({ keys }: GroupToExport) => found.get(keys.join('/')) ?? null;
  const about = { facts: cleaned.facts, format: cleaned.format, metadata: cleaned.facts.metadata };
  return withOwnLayout(about, all, async ({ layout, groups }) => {
    const destination = await checkDestination(file, { overwrite: true, bytes: layout.bytes });
    const staging = await stagingFolder(keeping.place, destination.path);
    return withPartialFile({ ...destination, staging }, layout.bytes, async (partial) => {
      const progress = exportProgress(layout.bytes * 2, () => {});
      const present = await copyPresent({ layout, groups }, { path: file, bytes: cleaned.fileBytes }, partial);
      const digests = await writeLayout(partial, { groups, layout, known: groups.map(digestOf), present: new Set(present.keys()), pool, signal, progress });
      const { size, mtimeNs, ino } = await partial.handle.stat({ bigint: true });
      await verifyExport(partial.path, { groups, digests, present, format, pool, signal, progress });
      await checkSame();
      const kept = await keepFile(destination.path, keeping);
      const published = Date.now();
      await partial.publish();
      await kept.replaced();
      return { size, mtimeNs, ino, published };
    });
  });
}

/** Copies the file where that saves writing it; the system may share blocks, and needs no detour. @returns where groups stand that were copied */
async function copyPresent(
  plan: NewLayout,
  file: { readonly path: string; readonly bytes: number },
  partial: PartialFile,
): Promise<ReadonlyMap<number, number>> {
  const present = presentGroups(plan, file);
  if (present.size === 0) return present;
  try {
    await copyFile(file.path, partial.path, constants.COPYFILE_FICLONE);
    if ((await partial.handle.stat()).size === plan.layout.bytes) return present;
  } catch {
    // Then all of it is written.
  }
  await partial.handle.truncate(0);
  await partial.handle.truncate(plan.layout.bytes);
  return new Map();
}
