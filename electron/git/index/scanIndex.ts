import { CheckpointError } from '../../../shared/contract/errors';

const HEADER = 12;
/** Stat data before the object id of an entry. */
export const STAT_BYTES = 40;

/** Where an entry stands in an index file. */
export interface ScannedEntry {
  /** Offset of its stat data; the object id follows after `STAT_BYTES`. */
  readonly start: number;
  readonly flags: number;
  /** The second word of flags, 0 where there is none. */
  readonly moreFlags: number;
  readonly name: Buffer;
}

export interface IndexScan {
  readonly entries: readonly ScannedEntry[];
  /** Whether all entries are in this file: neither a split nor a sparse index. */
  readonly complete: boolean;
}

/**
 * Finds the entries of an index file of version 2, 3 or 4 (gitformat-index(5)) for which `wanted` is true.
 * @param hashBytes length of an object id: 20, or 32 in a SHA-256 repository
 * @throws malformed, unsupported-repository
 */
export function scanIndex(data: Buffer, wanted: (name: Buffer) => boolean, { file, hashBytes }: { file: string; hashBytes: number }): IndexScan {
  const fixed = STAT_BYTES + hashBytes + 2;
  const fail = (offset: number) =>
    new CheckpointError('malformed', 'The index of the repository is damaged.', { place: { file, offset }, hint: 'Run "git fsck".' });
  if (data.length < HEADER + hashBytes || data.toString('latin1', 0, 4) !== 'DIRC') throw fail(0);
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4)
    throw new CheckpointError('unsupported-repository', `The index has version ${version}; 2 to 4 are known.`, { place: { file } });
  const count = data.readUInt32BE(8);
  const end = data.length - hashBytes;
  if (count > (end - HEADER) / fixed) throw fail(8);
  const entries: ScannedEntry[] = [];
  let position = HEADER;
  let previous: Buffer = Buffer.alloc(0);
  for (let i = 0; i < count; i++) {
    const start = position;
    if (start + fixed > end) throw fail(start);
    const flags = data.readUInt16BE(start + fixed - 2);
    const extended = (flags & 0x4000) !== 0;
    const moreFlags = extended && version > 2 && start + fixed + 2 <= end ? data.readUInt16BE(start + fixed) : 0;
    let nameStart = start + fixed + (extended ? 2 : 0);
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
    if (wanted(name)) entries.push({ start, flags, moreFlags, name });
  }
  return { entries, complete: readsAlone(data, position, { end, fail }) };
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
function readsAlone(data: Buffer, from: number, { end, fail }: { end: number; fail: (offset: number) => CheckpointError }): boolean {
  let position = from;
  while (position + 8 <= end) {
    const first = data.readUInt8(position);
    if (first < 0x41 || first > 0x5a) return false;
    position += 8 + data.readUInt32BE(position + 4);
    if (position > end) throw fail(position);
  }
  return true;
}
