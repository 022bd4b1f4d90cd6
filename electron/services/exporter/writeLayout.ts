import type { FileHandle } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';
import { formatShape, sameShape, tensorBytes } from '../../../shared/model/shape';
import type { FileLayout, Placed } from '../../formats/format';
import type { DigestOutput } from '../../workers/tasks/digest';
import type { WorkerPool } from '../../workers/workerPool';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { ExportProgress } from './exportProgress';
import type { GroupToExport } from './groupToExport';
import type { PartialFile } from './partialFile';

export interface WriteLayoutOptions {
  readonly groups: readonly GroupToExport[];
  readonly layout: FileLayout;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
  readonly progress: ExportProgress;
  /** Called when everything that is no tensor stands in the file, before the first tensor is written. */
  readonly onPieces?: () => void;
  /** SHA-256 of each group's raw bytes where it is known from what the group is made of: it is not computed again. */
  readonly known?: readonly (string | null)[] | undefined;
  /** Folder of kept values, which need not be computed. */
  readonly values?: string | undefined;
  /** Groups that stand in the file already, by their index: they are left alone. */
  readonly present?: ReadonlySet<number> | undefined;
  /** For a reader that follows: tensors are written in the order of the file, and each is told when it stands there. */
  readonly onTensor?: (index: number) => void;
}

/**
 * Fills a file as its layout says: the pieces from here, each tensor by a worker, the largest first so that none is left for the end
 * while the other workers have nothing to do. Groups without an offset are only hashed.
 * @returns SHA-256 of each group's raw bytes, in the order of the groups.
 * @throws CheckpointError conflict when a group is not what was announced, or its value is not the one that the file holds for it
 * (see `FileLayout.misfits`); what reading and writing throw.
 */
export async function writeLayout(partial: PartialFile, options: WriteLayoutOptions): Promise<readonly string[]> {
  const { groups, layout, pool, progress } = options;
  await writePieces(partial.handle, layout.pieces, progress);
  options.onPieces?.();
  const digests = new Array<string>(groups.length).fill('');
  const checksums = new Array<number>(groups.length).fill(0);
  const { controller, release } = linkedController(options.signal);

  async function writeGroup(index: number): Promise<void> {
    const group = groups[index];
    const offset = layout.tensors[index];
    if (group === undefined || offset === undefined) throw new CheckpointError('internal', `The file's plan has no place for group ${index}.`);
    const { plan, dtype, shape } = group;
    const part = progress.part();
    const known = options.known?.[index] ?? null;
    if (options.present?.has(index) === true) {
      digests[index] = known ?? '';
      return part.end(tensorBytes(dtype, shape));
    }
    const running = { signal: controller.signal, priority: 'background', onProgress: part.at } as const;
    const output = await (offset === null
      ? pool.run('digest', { plan }, running).then((found) => hashed(found, group))
      : pool.run(
          'write',
          { plan, expected: { dtype, shape }, file: partial.path, offset, crc: layout.finish !== null, digest: known === null, values: options.values },
          running,
        )
    ).catch((error: unknown) => {
      throw CheckpointError.from(error).at({ group: group.keys.join('/') });
    });
    digests[index] = output.sha256 ?? known ?? '';
    checksums[index] = output.crc32 ?? 0;
    part.end(output.bytes);
    options.onTensor?.(index);
  }

  try {
    const order = options.onTensor === undefined ? largestFirst(groups) : inFileOrder(layout);
    await forEachLimited(order, writeGroup, { limit: pool.size * 2, controller });
  } finally {
    release();
  }
  checkFit(layout, groups, digests);
  if (layout.finish !== null) await writePieces(partial.handle, layout.finish(checksums), progress);
  return digests;
}

/** A group that is not written by itself must still be what the file's other bytes say. */
function hashed(found: DigestOutput, { dtype, shape, keys }: GroupToExport): { sha256: string; crc32: null; bytes: number } {
  if (found.dtype !== dtype || !sameShape(found.shape, shape)) {
    throw new CheckpointError('conflict', `${keys.join('/')} was announced as ${dtype} ${formatShape(shape)}, but its updates give something else.`, {
      hint: 'The metadata of this version contradicts its stored updates.',
    });
  }
  return { sha256: found.sha256, crc32: null, bytes: found.bytes };
}

function checkFit(layout: FileLayout, groups: readonly GroupToExport[], digests: readonly string[]): void {
  const [first] = layout.misfits?.(digests) ?? [];
  if (first === undefined) return;
  const group = groups[first]?.keys.join('/') ?? '';
  throw new CheckpointError('conflict', `${group} shares its bytes with other parts of the file, but has another value than these.`, {
    place: { group },
    hint: 'The file cannot be made as it was. Write its groups in the plain form of its format.',
  });
}

function inFileOrder({ tensors }: FileLayout): number[] {
  return [...tensors.keys()].sort((a, b) => (tensors[a] ?? -1) - (tensors[b] ?? -1));
}

/** Indices of the groups by falling size. */
export function largestFirst(groups: readonly GroupToExport[]): number[] {
  const sizes = groups.map(({ dtype, shape }) => tensorBytes(dtype, shape));
  return [...groups.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
}

async function writePieces(handle: FileHandle, pieces: readonly Placed[], progress: ExportProgress): Promise<void> {
  for (const { offset, bytes } of pieces) {
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, offset + done);
      if (bytesWritten === 0) throw new CheckpointError('no-space', 'Nothing more could be written to the file.');
      done += bytesWritten;
    }
    progress.part().end(bytes.byteLength);
  }
}
