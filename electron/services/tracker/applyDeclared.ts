import { CheckpointError } from '../../../shared/contract/errors';
import { formatById } from '../../formats/registry';
import type { WorkerPool } from '../../workers/workerPool';
import { checkDestination } from '../exporter/checkDestination';
import { exportProgress } from '../exporter/exportProgress';
import type { GroupToExport } from '../exporter/groupToExport';
import { withPartialFile } from '../exporter/partialFile';
import { verifyExport } from '../exporter/verifyExport';
import { withOwnLayout } from '../exporter/withOwnLayout';
import { writeLayout } from '../exporter/writeLayout';
import type { CleanedCheckpoint } from './cleanRequest';
import { type Keeping, keepFile } from './keepFile';
import { stagingFolder } from './stagingFolder';

export interface ApplyOptions extends Keeping {
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
  /** Throws when somebody else has written the file since it was read. */
  readonly checkSame: () => Promise<void>;
}

/**
 * Writes the file anew with the values that declared updates gave: the work tree holds what was committed, or the next add would take the
 * update back. Verified by re-reading; the old file stays until then, and can be put back.
 */
export async function applyDeclared(cleaned: CleanedCheckpoint, file: string, { pool, signal, checkSame, ...keeping }: ApplyOptions): Promise<void> {
  if (cleaned.declared.size === 0) return;
  const all: GroupToExport[] = cleaned.groups.flatMap(({ keys, dtype, shape, plan }) => (plan === null ? [] : [{ keys, dtype, shape, plan }]));
  const format = formatById(cleaned.format);
  if (format === null) throw new CheckpointError('unsupported-format', 'The file of this format cannot be written anew.', { place: { file } });
  // What is written is hashed again when it is verified.
  const found = new Map(cleaned.groups.map(({ name, sha256 }) => [name, sha256]));
  const digestOf = ({ keys }: GroupToExport) => found.get(keys.join('/')) ?? null;
  const about = { facts: cleaned.facts, format: cleaned.format, metadata: cleaned.facts.metadata };
  await withOwnLayout(about, all, async ({ layout, groups }) => {
    const destination = await checkDestination(file, { overwrite: true, bytes: layout.bytes });
    const staging = await stagingFolder(keeping.place, destination.path);
    await withPartialFile({ ...destination, staging }, layout.bytes, async (partial) => {
      const progress = exportProgress(layout.bytes * 2, () => {});
      const digests = await writeLayout(partial, { groups, layout, known: groups.map(digestOf), pool, signal, progress });
      await verifyExport(partial.path, { groups, digests, format, pool, signal, progress });
      await checkSame();
      const kept = await keepFile(destination.path, keeping);
      await partial.publish();
      await kept.replaced();
    });
  });
}
