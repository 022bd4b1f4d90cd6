import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import { tensorBytes } from '../../../shared/model/shape';
import type { CheckpointFormat, FileLayout } from '../../formats/format';
import type { WorkerPool } from '../../workers/workerPool';
import { checkDestination } from './checkDestination';
import { exportProgress } from './exportProgress';
import type { GroupToExport } from './groupToExport';
import { withPartialFile } from './partialFile';
import { removeStalePartials } from './removeStalePartials';
import { verifyExport } from './verifyExport';
import { writeLayout } from './writeLayout';

export interface ExportOptions {
  readonly groups: readonly GroupToExport[];
  readonly metadata: readonly MetadataEntry[];
  readonly format: CheckpointFormat;
  /** How the file is written; by default as the format does it. */
  readonly layout?: FileLayout | undefined;
  /** Absolute path. A symbolic link is followed. */
  readonly destination: string;
  readonly overwrite: boolean;
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
  /** Phases `Writing` and `Verifying`, in bytes; `done` never goes back and `total` is known from the start. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface ExportResult {
  /** Absolute path of the file that was written. */
  readonly path: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly groups: number;
  /** What the format could not keep, and what else the user should know; each a sentence. */
  readonly notes: readonly string[];
  /** SHA-256 of every group's raw bytes, by its keys joined by `/`. */
  readonly digests: ReadonlyMap<string, string>;
}

function planFile({ format, groups, metadata }: ExportOptions): FileLayout {
  if (format.layout === null) throw new CheckpointError('unsupported-format', `${format.label} files cannot be written.`);
  return format.layout(groups, metadata);
}

/**
 * Writes parameter groups to a new file: planned first, filled by the workers, then read again as any reader would and compared with
 * what was reconstructed, and only then given its name. When it fails or is cancelled, nothing is left and what was there stays.
 * @throws CheckpointError exists, not-found, permission, no-space, invalid-request, unsupported-format (the format cannot hold a
 * group), conflict (a group is not what its metadata says), cancelled, and whatever a group's value fails with (naming the group).
 */
export async function exportCheckpoint(options: ExportOptions): Promise<ExportResult> {
  const { groups, format, signal } = options;
  const layout = options.layout ?? planFile(options);
  const destination = await checkDestination(options.destination, { overwrite: options.overwrite, bytes: layout.bytes });
  const leftovers = await removeStalePartials(destination);
  throwIfCancelled(signal);

  const tensors = groups.reduce((sum, { dtype, shape }) => sum + tensorBytes(dtype, shape), 0);
  const progress = exportProgress(layout.bytes + tensors, options.onProgress ?? (() => {}));
  const digests = await withPartialFile(destination, layout.bytes, async (partial) => {
    progress.enter('Writing');
    const written = await writeLayout(partial, { groups, layout, pool: options.pool, signal, progress });
    throwIfCancelled(signal);
    progress.enter('Verifying');
    // The disk takes the bytes while they are read again from memory.
    const synced = partial.handle.sync();
    synced.catch(() => {});
    await verifyExport(partial.path, { groups, digests: written, format, pool: options.pool, signal, progress });
    await synced;
    throwIfCancelled(signal);
    await partial.publish();
    return written;
  });
  return {
    path: destination.path,
    bytes: layout.bytes,
    groups: groups.length,
    notes: [...layout.notes, ...leftovers],
    digests: new Map(groups.map(({ keys }, index) => [keys.join('/'), digests[index] ?? ''])),
  };
}
