import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { UpdateKind } from '../../../shared/model/update';
import { alignedBytes } from '../../bytes/alignedBytes';
import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import { bytesOf, lanesOf } from '../../tensors/kernels/lanes';
import { BLOCK_BYTES, type TensorStream } from '../../tensors/tensorStream';
import { INCREMENTAL_UPDATES } from '../registry';
import type { Members } from '../updateType';

/** Bytes of the value that a scattered update is applied to at a time. */
const PIECE_BYTES = 256 * 1024;

/** A member of an update, in memory. */
export interface MemoryMember {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  /** Little-endian elements in C order. */
  readonly bytes: Uint8Array;
}

/** An incremental update that may become the stored one. Members stand in git-theta's order. */
export interface Candidate {
  readonly kind: Exclude<UpdateKind, 'dense'>;
  readonly members: readonly MemoryMember[];
}

/** The members as the reading code sees those of an object. */
export function readable({ members }: Candidate): Members {
  return new Map(
    members.map(({ name, dtype, shape, bytes }) => [
      name,
      { dtype, shape, storedBytes: bytes.byteLength, blocks: ({ from = 0 } = {}) => inBlocks(bytes.subarray(from * dtypeBytes(dtype))) },
    ]),
  );
}

/** The members as an object is written from them. */
export function writable({ members }: Candidate): readonly MemberToWrite[] {
  return members.map(({ name, dtype, shape, bytes }) => ({ name, array: { dtype, shape, blocks: () => inBlocks(bytes) } }));
}

/**
 * What the reading code makes of `base` and an update, block by block as they are asked for.
 * @throws CheckpointError malformed, unsupported-format: the update does not fit; too-large, cancelled
 */
export async function applyCandidate(base: TensorStream, candidate: Candidate): Promise<TensorStream> {
  const members = readable(candidate);
  const type = INCREMENTAL_UPDATES[candidate.kind];
  const result = await type.header(members, base);
  return {
    ...result,
    blocks: (signal) => applied(base, { members, result, type, signal }),
    close: async () => {},
  };
}

interface Application {
  readonly members: Members;
  readonly result: Pick<TensorStream, 'dtype' | 'shape'>;
  readonly type: (typeof INCREMENTAL_UPDATES)[Candidate['kind']];
  readonly signal: AbortSignal | undefined;
}

async function* applied(base: TensorStream, { members, result, type, signal }: Application): AsyncGenerator<Uint8Array> {
  const applier = await type.prepare(members, { previous: base, result, signal });
  const item = dtypeBytes(base.dtype);
  // Decoded elements are changed in pieces that the processor has at hand; what is read is read for every piece.
  const size = (applier.pairs?.bytes ?? 0) > 0 ? PIECE_BYTES : BLOCK_BYTES;
  const scratch = alignedBytes(Math.min(size, tensorBytes(base.dtype, base.shape)));
  let start = 0;
  for await (const block of base.blocks(signal)) {
    for (let from = 0; from < block.byteLength; from += size) {
      // The block is not ours; what the update makes of it is.
      const part = block.subarray(from, from + size);
      const piece = scratch.subarray(0, part.byteLength);
      piece.set(part);
      const count = piece.byteLength / item;
      const window = await applier.apply({ start, count, dtype: base.dtype, lanes: lanesOf(base.dtype, piece), zeroAdded: false }, members);
      start += count;
      yield* inBlocks(bytesOf(window.lanes));
    }
  }
}

async function* inBlocks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += BLOCK_BYTES) yield bytes.subarray(at, at + BLOCK_BYTES);
}

/** Whether an error says that an update does not fit, and not that something could not be read. */
export function doesNotFit(error: unknown): boolean {
  return error instanceof CheckpointError && (error.code === 'malformed' || error.code === 'unsupported-format');
}
