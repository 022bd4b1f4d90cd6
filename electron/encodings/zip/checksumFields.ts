import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';
import type { ZipEntry } from './readZip';
import { U32_MAX } from './zipRecords';

const LOCAL = 0x04034b50;
const DIRECTORY = 0x02014b50;
const DESCRIPTOR = 0x08074b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const END_BYTES = 22;
const LOCATOR64_BYTES = 20;
const END64_BYTES = 56;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_EXTRA = 0x0001;
const HAS_DESCRIPTOR = 0x0008;

/**
 * Where the CRC-32 of each entry stands in the file: in its record of the central directory, and in its local header or the data
 * descriptor behind its data (APPNOTE.TXT 4.3.7, 4.3.9, 4.3.12). Only places of which the structure is what it must be are given; what
 * stands there, the caller compares.
 * @param entries as `readZip` gives them: in the directory's order.
 * @returns offsets for each entry; none for all when the directory is not where it should be.
 */
export async function checksumFields(source: ByteSource, entries: readonly ZipEntry[]): Promise<readonly (readonly number[])[]> {
  const directory = new ReadAhead(source);
  const ahead = new ReadAhead(source);
  const fields: number[][] = [];
  let record = await directoryOffset(source);
  for (const entry of entries) {
    const head = record === null ? null : await recordAt(directory, record, { signature: DIRECTORY, bytes: 46 });
    if (record === null || head === null) return entries.map(() => []);
    const [name, extra, comment] = [head.getUint16(28, true), head.getUint16(30, true), head.getUint16(32, true)];
    const all = await recordAt(directory, record, { signature: DIRECTORY, bytes: 46 + name + extra });
    if (all === null) return entries.map(() => []);
    fields.push([record + 16, ...(await besideData(ahead, { entry, header: headerOffset(all, 46 + name) }))]);
    record += 46 + name + extra + comment;
  }
  return fields;
}

/** The field of the local header, or of the descriptor when the header says that there is one. */
async function besideData(ahead: ReadAhead, { entry, header }: { entry: ZipEntry; header: number }): Promise<number[]> {
  const local = await recordAt(ahead, header, { signature: LOCAL, bytes: 30 });
  if (local === null || header + 30 + local.getUint16(26, true) + local.getUint16(28, true) !== entry.dataOffset) return [];
  if ((local.getUint16(6, true) & HAS_DESCRIPTOR) === 0) return [header + 14];
  const end = entry.dataOffset + entry.storedBytes;
  const signed = await recordAt(ahead, end, { signature: DESCRIPTOR, bytes: 8 });
  // Some writers leave the signature out; some fill both places.
  return [header + 14, signed === null ? end : end + 4].filter((offset) => offset + 4 <= ahead.length);
}

async function recordAt(ahead: ReadAhead, offset: number, { signature, bytes }: { signature: number; bytes: number }): Promise<DataView | null> {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset + bytes > ahead.length) return null;
  const window = ahead.peek(offset, bytes) ?? (await ahead.load(offset, bytes));
  const view = new DataView(window.buffer, window.byteOffset, bytes);
  return view.getUint32(0, true) === signature ? view : null;
}

/** Of an entry's local header, as its directory record says it; -1 when it does not. */
function headerOffset(record: DataView, extraStart: number): number {
  const offset = record.getUint32(42, true);
  if (offset !== U32_MAX) return offset;
  const before = [24, 20].filter((at) => record.getUint32(at, true) === U32_MAX).length * 8;
  for (let at = extraStart; at + 4 <= record.byteLength; ) {
    const bytes = record.getUint16(at + 2, true);
    const value = at + 4 + before;
    if (record.getUint16(at, true) === ZIP64_EXTRA)
      return value + 8 <= record.byteLength && before + 8 <= bytes ? Number(record.getBigUint64(value, true)) : -1;
    at += 4 + bytes;
  }
  return -1;
}

/** First record of the central directory; `null` when nothing says where it is. */
async function directoryOffset(source: ByteSource): Promise<number | null> {
  const start = Math.max(0, source.length - END_BYTES - MAX_COMMENT_BYTES - LOCATOR64_BYTES);
  const tail = await source.read(start, source.length - start);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END || at + END_BYTES + view.getUint16(at + 20, true) !== tail.byteLength) continue;
    const locator = at - LOCATOR64_BYTES;
    if (locator < 0 || view.getUint32(locator, true) !== LOCATOR64) return view.getUint32(at + 16, true);
    const end = await recordAt(new ReadAhead(source), Number(view.getBigUint64(locator + 8, true)), { signature: END64, bytes: END64_BYTES });
    return end === null ? null : Number(end.getBigUint64(48, true));
  }
  return null;
}
