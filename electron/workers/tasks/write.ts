import { createHash } from 'node:crypto';
import { closeSync, write as fsWrite, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { formatShape, type Shape, sameShape, tensorBytes } from '../../../shared/model/shape';
import { fileError } from '../../bytes/fileError';
import { openTensor } from '../../updates/openTensor';
import { readKept } from '../../updates/store/keptValues';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

/** Up to here writing takes less time than handing it over. */
const SMALL_BYTES = 256 * 1024;

export interface WriteInput {
  readonly plan: TensorPlan;
  /** What the file's header says already; a tensor that turns out otherwise is not written. */
  readonly expected: { readonly dtype: DType; readonly shape: Shape };
  /** A file that exists and is long enough; only [offset, offset + bytes) of it changes. */
  readonly file: string;
  readonly offset: number;
  /** Whether the file's format wants the CRC-32 of the bytes. */
  readonly crc: boolean;
  /** Whether the digest of the bytes is wanted; default yes. */
  readonly digest?: boolean | undefined;
  /** Folder of kept values (`updates/store/keptValues`): one that is there need not be computed. */
  readonly values?: string | undefined;
}

export interface WriteOutput {
  /** `null` when it was not wanted. */
  readonly sha256: string | null;
  readonly crc32: number | null;
  readonly bytes: number;
}

/**
 * Reconstructs a tensor and writes its raw little-endian C-order bytes into a file at an offset.
 * @throws CheckpointError `conflict` when dtype or shape are not the expected ones; what reading and writing throw.
 */
export async function write({ plan, expected, file, offset, crc, digest = true, values }: WriteInput, context: TaskContext): Promise<WriteOutput> {
  const kept = values === undefined || plan.kind === 'ref' ? null : readKept(values, plan.chain);
  const stream = kept ?? (await openTensor(plan, context.signal));
  try {
    const group = plan.kind === 'ref' ? plan.group : plan.chain.group;
    if (stream.dtype !== expected.dtype || !sameShape(stream.shape, expected.shape)) {
      throw new CheckpointError(
        'conflict',
        `${group} was announced as ${expected.dtype} ${formatShape(expected.shape)}, but its updates give ${stream.dtype} ${formatShape(stream.shape)}.`,
        { place: { group }, hint: 'The metadata of this version contradicts its stored updates.' },
      );
    }
    const total = tensorBytes(stream.dtype, stream.shape);
    const target = openTarget(file);
    try {
      const hash = digest && kept === null ? createHash('sha256') : null;
      let checksum = 0;
      let bytes = 0;
      const put = async (block: Uint8Array) => {
        if (bytes + block.byteLength > total) throw new CheckpointError('internal', `${group} gave more than its ${total} bytes.`, { place: { group } });
        const written = writeExactly(target, block, { position: offset + bytes, file });
        // A failure that comes before the await below must not count as unhandled.
        written.catch(() => {});
        hash?.update(block);
        if (crc) checksum = crc32(block, checksum);
        await written;
        bytes += block.byteLength;
      };
      await forEachBlock(stream, put, { context, before: 0, total });
      if (bytes !== total) throw new CheckpointError('internal', `${group} gave ${bytes} of its ${total} bytes.`, { place: { group } });
      return { sha256: kept?.sha256 ?? hash?.digest('hex') ?? null, crc32: crc ? checksum : null, bytes };
    } finally {
      closeSync(target);
    }
  } finally {
    await stream.close();
  }
}

/** Without a detour over other threads: a checkpoint may have ten thousand small groups, and this thread may wait. */
function openTarget(file: string): number {
  try {
    return openSync(file, 'r+');
  } catch (error) {
    throw fileError(error, file);
  }
}

const writeBeside = promisify(fsWrite);

/** Writes all of `block`: a large one in a thread of its own, while this one hashes. One call may write less than it was given. */
async function writeExactly(target: number, block: Uint8Array, place: { readonly position: number; readonly file: string }): Promise<void> {
  let done = 0;
  try {
    while (done < block.byteLength) {
      const rest = block.byteLength - done;
      const position = place.position + done;
      const written =
        rest <= SMALL_BYTES ? writeSync(target, block, done, rest, position) : (await writeBeside(target, block, done, rest, position)).bytesWritten;
      if (written === 0) throw new CheckpointError('no-space', `Nothing more could be written to ${place.file}.`);
      done += written;
    }
  } catch (error) {
    throw fileError(error, place.file);
  }
}
