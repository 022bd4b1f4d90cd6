import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { SourceRef } from '../../bytes/byteSource';
import type { DigestKind } from '../../tensors/digestBytes';
import type { WorkerPool } from '../../workers/workerPool';
import { checkDestination } from './checkDestination';
import { type ExportProgress, exportProgress } from './exportProgress';
import { type PartialFile, withPartialFile } from './partialFile';
import { removeStalePartials } from './removeStalePartials';

/** What content must hash to: the oid of an LFS pointer (`sha256`) or of a git blob (`git-sha1`, `git-sha256`). */
export interface ExpectedDigest {
  readonly kind: DigestKind;
  readonly digest: string;
}

export interface CopyOptions {
  readonly source: SourceRef;
  /** Size of the original. */
  readonly bytes: number;
  /** `null` where nothing promises the content: the copy is then held against what was read. */
  readonly expected: ExpectedDigest | null;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface CopyResult {
  readonly path: string;
  readonly bytes: number;
  readonly notes: readonly string[];
  /** SHA-256 of the file, or the digest that was expected. */
  readonly digest: string;
}

/**
 * Writes a file as it is in the history, byte for byte, under the same rules as an export: beside the destination first, read again and
 * compared, and only then given its name.
 * @throws CheckpointError exists, not-found, permission, no-space, cancelled; corrupt-object when the content is not what its id says.
 */
export async function copyOriginal(options: CopyOptions): Promise<CopyResult> {
  const { bytes, expected, signal } = options;
  const destination = await checkDestination(options.destination, { overwrite: options.overwrite, bytes });
  const notes = await removeStalePartials(destination);
  throwIfCancelled(signal);
  const progress = exportProgress(bytes * 2, options.onProgress ?? (() => {}));
  const digest = await withPartialFile(destination, bytes, async (partial) => {
    progress.enter('Writing');
    const sha256 = await fill(partial, options, progress);
    throwIfCancelled(signal);
    progress.enter('Verifying');
    const wanted = expected ?? { kind: 'sha256', digest: sha256 };
    const part = progress.part();
    const found = await options.pool.run('fileDigest', { file: partial.path, kind: wanted.kind }, { signal, priority: 'background', onProgress: part.at });
    part.end(found.bytes);
    if (found.bytes !== bytes || found.digest !== wanted.digest) {
      throw expected === null ? changedError(options.destination) : corruptError(expected, found, options.source);
    }
    throwIfCancelled(signal);
    await partial.publish();
    return found.digest;
  });
  return { path: destination.path, bytes, notes, digest };
}

/** @returns SHA-256 of what was read. */
async function fill(partial: PartialFile, { source, bytes, pool, signal }: CopyOptions, progress: ExportProgress): Promise<string> {
  const part = progress.part();
  const ref = { dtype: 'uint8', shape: [bytes], source, offset: 0, strides: null, bigEndian: false } as const;
  const name = source.kind === 'file' ? source.path : 'the original';
  const output = await pool.run(
    'write',
    { plan: { kind: 'ref', group: name, ref }, expected: { dtype: ref.dtype, shape: ref.shape }, file: partial.path, offset: 0, crc: false },
    { signal, priority: 'background', onProgress: part.at },
  );
  part.end(output.bytes);
  if (output.sha256 === null) throw new CheckpointError('internal', 'What was written was not hashed.');
  return output.sha256;
}

/** Content that is not what its id promises, and what to do about it. */
export function corruptError(
  { kind, digest: oid }: ExpectedDigest,
  found: { readonly digest: string; readonly bytes: number },
  source: SourceRef,
): CheckpointError {
  // The file with a blob's content is a copy that can be made again; git itself verifies what it gives.
  const isCopy = kind !== 'sha256' && source.kind === 'file';
  return new CheckpointError('corrupt-object', `The stored content is damaged: it should hash to ${oid}, but ${found.bytes} bytes hash to ${found.digest}.`, {
    place: { oid },
    hint: isCopy ? `Delete ${source.path}, a copy of what git has, and export again.` : 'Delete the damaged file from the Git LFS store and fetch it again.',
  });
}

function changedError(destination: string): CheckpointError {
  return new CheckpointError('internal', 'The file read back differently from what was written; it may have changed meanwhile.', {
    place: { file: destination },
  });
}
