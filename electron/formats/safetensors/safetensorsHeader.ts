import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { type ParsedHeader, parseHeader } from './parseHeader';
import { scanHeader } from './scanHeader';

/** Bytes of the header's length, an unsigned little-endian integer. */
export const PREFIX_BYTES = 8;

/**
 * Longest header that we read or write: the limit of the reference implementation (MAX_HEADER_SIZE), so that what we write is
 * read by it and a hostile length makes nobody allocate more. 100 MB hold about a million tensors.
 */
export const MAX_HEADER_BYTES = 100_000_000;

export interface SafetensorsHeader extends ParsedHeader {
  /** Offset of the first tensor byte in the file. */
  readonly dataOffset: number;
}

/** A length, then `{`. A length that cannot be is still taken for one when it is no text, so that its error can be told. */
export function looksLikeSafetensors(head: Uint8Array, size: number): boolean {
  if (head.byteLength <= PREFIX_BYTES || head[PREFIX_BYTES] !== 0x7b) return false;
  if (headerLength(head) <= BigInt(size - PREFIX_BYTES)) return true;
  return head.subarray(0, PREFIX_BYTES).filter((byte) => byte === 0).length >= 3;
}

function headerLength(head: Uint8Array): bigint {
  return new DataView(head.buffer, head.byteOffset, PREFIX_BYTES).getBigUint64(0, true);
}

/** @throws CheckpointError truncated, too-large, malformed */
export async function readHeader(source: ByteSource, file: string): Promise<SafetensorsHeader> {
  if (source.length < PREFIX_BYTES) {
    throw new CheckpointError('truncated', `A safetensors file starts with 8 bytes, but this one has ${source.length}.`, { place: { file, offset: 0 } });
  }
  const declared = headerLength(await source.read(0, PREFIX_BYTES));
  if (declared > BigInt(source.length - PREFIX_BYTES)) {
    throw new CheckpointError('truncated', `The header should have ${declared} bytes, but only ${source.length - PREFIX_BYTES} follow.`, {
      place: { file, offset: 0 },
      hint: 'The file was probably cut off while it was copied or downloaded. Fetch it again.',
    });
  }
  if (declared > BigInt(MAX_HEADER_BYTES)) {
    throw new CheckpointError('too-large', `The header has ${declared} bytes; up to ${formatBytes(MAX_HEADER_BYTES)} are read.`, {
      place: { file, offset: 0 },
    });
  }
  const length = Number(declared);
  const bytes = await source.read(PREFIX_BYTES, length);
  const text = decode(bytes, file);
  return { ...(scanHeader(text) ?? parseHeader(text, { file, start: PREFIX_BYTES })), dataOffset: PREFIX_BYTES + length };
}

function decode(bytes: Uint8Array, file: string): string {
  const place = { file, offset: PREFIX_BYTES };
  if (bytes[0] !== 0x7b) throw new CheckpointError('malformed', "The header does not begin with '{'.", { place });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CheckpointError('malformed', 'The header is not UTF-8 text.', { place, cause: error });
  }
}
