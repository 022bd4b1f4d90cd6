import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { DEFLATED, STORED, type ZipEntry } from './readZip';

const inflate = promisify(inflateRaw);

export interface ReadZipEntryOptions {
  /** Largest entry to read into memory, decompressed. */
  readonly maxBytes: number;
  /** Name for error messages. */
  readonly file: string;
  /** Takes a checksum of 0 for one that was never computed. */
  readonly zeroMeansNoChecksum?: boolean;
}

/**
 * The whole content of one entry, decompressed, its length and CRC-32 checked.
 * @throws CheckpointError `too-large`, `unsupported-format` for a method that is neither stored nor deflate, `malformed`, `truncated`
 */
export async function readZipEntry(
  source: ByteSource,
  entry: ZipEntry,
  { maxBytes, file, zeroMeansNoChecksum = false }: ReadZipEntryOptions,
): Promise<Uint8Array> {
  const place = { file, offset: entry.dataOffset };
  if (entry.bytes > maxBytes || entry.storedBytes > maxBytes) {
    throw new CheckpointError(
      'too-large',
      `${entry.name} in this zip has ${formatBytes(Math.max(entry.bytes, entry.storedBytes))}; up to ${formatBytes(maxBytes)} are read.`,
      { place },
    );
  }
  if (entry.encrypted) throw new CheckpointError('unsupported-format', `${entry.name} in this zip is encrypted.`, { place });
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new CheckpointError(
      'unsupported-format',
      `${entry.name} in this zip is compressed by method ${entry.method}; only stored and deflated entries are read.`,
      { place },
    );
  }
  const stored = await source.read(entry.dataOffset, entry.storedBytes);
  let bytes: Uint8Array = stored;
  if (entry.method === DEFLATED) {
    try {
      // One byte more than declared, so that an entry that is longer than it says is noticed and not expanded.
      bytes = await inflate(stored, { maxOutputLength: entry.bytes + 1 });
    } catch (error) {
      throw new CheckpointError('malformed', `${entry.name} in this zip cannot be decompressed.`, { place, cause: error });
    }
  }
  if (bytes.byteLength !== entry.bytes) {
    throw new CheckpointError('malformed', `${entry.name} in this zip should have ${entry.bytes} bytes but has another number.`, { place });
  }
  if (crc32(bytes) !== entry.checksum && !(zeroMeansNoChecksum && entry.checksum === 0)) {
    throw new CheckpointError('malformed', `${entry.name} in this zip does not match its checksum: its bytes were changed or damaged.`, { place });
  }
  return bytes;
}
