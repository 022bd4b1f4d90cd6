import { decodeUtf8 } from '../decodeText';
import type { IndexEntry } from './indexEntry';
import { scanIndex } from './scanIndex';

/**
 * Entries of the wanted paths in an index file of version 2, 3 or 4 of a SHA-1 repository (gitformat-index(5)); `null` when it is
 * a split or sparse index, whose entries are not all in this file. @throws malformed, unsupported-repository
 */
export function parseIndex(bytes: Uint8Array, wanted: ReadonlySet<string>, file: string): readonly IndexEntry[] | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { entries, complete } = scanIndex(data, (name) => wanted.has(decodeUtf8(name)), { file, hashBytes: 20 });
  if (!complete) return null;
  return entries.map(({ start, flags, moreFlags, name }) => ({
    path: decodeUtf8(name),
    stage: (flags >> 12) & 3,
    mode: data.readUInt32BE(start + 24),
    oid: data.toString('hex', start + 40, start + 60),
    mtimeSeconds: data.readUInt32BE(start + 8),
    mtimeNanoseconds: data.readUInt32BE(start + 12),
    size: data.readUInt32BE(start + 36),
    skipWorkTree: (moreFlags & 0x4000) !== 0,
  }));
}
