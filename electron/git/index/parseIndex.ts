import { CheckpointError } from '../../../shared/contract/errors';
import { decodeUtf8 } from '../decodeText';
import type { IndexEntry } from './indexEntry';

const HEADER = 12;
/** Stat data, oid and flags of an entry in a SHA-1 repository. */
const FIXED = 62;
const CHECKSUM = 20;

/**
 * Entries of the wanted paths in an index file of version 2, 3 or 4 (gitformat-index(5)); `null` when it is a split or
 * sparse index, whose entries are not all in this file. @throws malformed, unsupported-repository
 */
export function parseIndex(bytes: Uint8Array, wanted: ReadonlySet<string>, file: string): readonly IndexEntry[] | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (offset: number) =>
    new CheckpointError('malformed', 'The index of the repository is damaged.', { place: { file, offset }, hint: 'Run "git fsck".' });
  if (data.length < HEADER + CHECKSUM || data.toString('latin1', 0, 4) !== 'DIRC') throw fail(0);
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4)
    throw new CheckpointError('unsupported-repository', `The index has version ${version}; 2 to 4 are known.`, { place: { file } });
  const count = data.readUInt32BE(8);
  const end = data.length - CHECKSUM;
  if (count > (end - HEADER) / FIXED) throw fail(8);
  const entries: IndexEntry[] = [];
  let position = HEADER;
  let previous: Buffer = Buffer.alloc(0);
  for (let i = 0; i < count; i++) {
    const start = position;
    if (start + FIXED > end) throw fail(start);
    const flags = data.readUInt16BE(start + 60);
    const extended = (flags & 0x4000) !== 0;
    const more = extended && version > 2 && start + FIXED + 2 <= end ? data.readUInt16BE(start + FIXED) : 0;
    let nameStart = start + FIXED + (extended ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const strip = readOffset(data, nameStart, end);
      if (strip === null || strip.value > previous.length) throw fail(nameStart);
      kept = previous.length - strip.value;
      nameStart = strip.next;
    }
    const nameEnd = data.indexOf(0, nameStart);
    if (nameEnd === -1 || nameEnd >= end) throw fail(nameStart);
    const name = Buffer.concat([previous.subarray(0, kept), data.subarray(nameStart, nameEnd)]);
    previous = version === 4 ? name : previous;
    // Versions 2 and 3 pad with one to eight NULs so that entries start at multiples of eight.
    position = version === 4 ? nameEnd + 1 : start + ((nameEnd - start + 8) & ~7);
    const path = decodeUtf8(name);
    if (!wanted.has(path)) continue;
    entries.push({
      path,
      stage: (flags >> 12) & 3,
      mode: data.readUInt32BE(start + 24),
      oid: data.toString('hex', start + 40, start + 60),
      mtimeSeconds: data.readUInt32BE(start + 8),
      mtimeNanoseconds: data.readUInt32BE(start + 12),
      size: data.readUInt32BE(start + 36),
      skipWorkTree: (more & 0x4000) !== 0,
    });
  }
  return readsAlone(data, position, end, fail) ? entries : null;
}

/** git's variable-length number: seven bits a byte, most significant first, one added for each byte that follows. */
function readOffset(data: Buffer, start: number, end: number): { readonly value: number; readonly next: number } | null {
  let position = start;
  let byte = position < end ? data.readUInt8(position++) : 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    if (position >= end || value > 2 ** 40) return null;
    byte = data.readUInt8(position++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: position };
}

/** Whether no extension says that entries are elsewhere. Extensions in capitals are optional, others must be understood. */
function readsAlone(data: Buffer, from: number, end: number, fail: (offset: number) => CheckpointError): boolean {
  let position = from;
  while (position + 8 <= end) {
    const first = data.readUInt8(position);
    if (first < 0x41 || first > 0x5a) return false;
    position += 8 + data.readUInt32BE(position + 4);
    if (position > end) throw fail(position);
  }
  return true;
}
