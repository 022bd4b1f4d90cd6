import { createHash, type Hash } from 'node:crypto';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import type { OnnxTensor } from '../model/onnxModel';
import { typeAndShape } from '../values/elementTypes';
import { tensorBytes } from '../values/tensorBytes';
import type { DiffSide } from './modelDiff';

const BLOCK_BYTES = 4 * 1024 * 1024;

export interface DigestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes that were read since the last call. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * What tells a tensor's content: type, shape and SHA-256 of its values as raw_data holds them. Values that cannot be had are told by where
 * they are said to be, so that an untouched reference counts as equal.
 * @throws CheckpointError truncated, cancelled
 */
export async function tensorDigest(tensor: OnnxTensor, side: Pick<DiffSide, 'source' | 'pathOf'>, options: DigestOptions): Promise<string> {
  const hash = createHash('sha256').update(typeAndShape(tensor.type, tensor.dims)).update('\0');
  if (tensor.raw !== null && tensor.external === null) await addRange(hash, side.source, { ...tensor.raw, ...options });
  else {
    const bytes = await readSmall(tensor, side);
    if (bytes !== null) {
      hash.update(bytes);
      options.onBytes?.(bytes.byteLength);
    } else await addUnread(hash, tensor, side.source);
  }
  return hash.digest('hex');
}

async function addRange(hash: Hash, source: ByteSource, range: { readonly offset: number; readonly length: number } & DigestOptions): Promise<void> {
  const end = range.offset + range.length;
  for (let at = range.offset; at < end; at += BLOCK_BYTES) {
    throwIfCancelled(range.signal);
    const block = await source.read(at, Math.min(BLOCK_BYTES, end - at));
    hash.update(block);
    range.onBytes?.(block.byteLength);
  }
}

/** `null` for what is no numbers, or is damaged: the bytes of the message then say what it is. */
async function readSmall(tensor: OnnxTensor, side: Pick<DiffSide, 'source' | 'pathOf'>): Promise<Uint8Array | null> {
  try {
    return await tensorBytes(tensor, { ...side, file: '' });
  } catch (error) {
    if (isCheckpointError(error, 'malformed') || isCheckpointError(error, 'truncated')) return null;
    throw error;
  }
}

/** Texts, unknown types, external data that is not at hand: the message but for its name. */
async function addUnread(hash: Hash, tensor: OnnxTensor, source: ByteSource): Promise<void> {
  const { frame, nameSite } = tensor;
  const parts =
    nameSite === null
      ? [[frame.start, frame.end]]
      : [
          [frame.start, nameSite.start],
          [nameSite.end, frame.end],
        ];
  for (const [from = 0, to = 0] of parts) await addRange(hash, source, { offset: from, length: to - from });
}
