/** A 32-bit field with this value says: look in the zip64 extra field. */
export const U32_MAX = 0xffff_ffff;
const U16_MAX = 0xffff;

/** 1980-01-01 00:00, the first moment that a zip can name: files do not depend on when they were written. */
const DOS_TIME = 0;
const DOS_DATE = 0x0021;
/** General purpose bit 11: the name is UTF-8. */
const UTF8_NAME = 0x0800;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
const ZIP64_EXTRA = 0x0001;
/** 'FB', the padding field of PyTorch's writer. */
const PADDING_EXTRA = 0x4246;
/** PyTorch fills its padding with 'Z'. */
const PADDING_BYTE = 0x5a;

export interface PlannedEntry {
  readonly name: Uint8Array;
  readonly bytes: number;
  readonly headerOffset: number;
  readonly dataOffset: number;
  /** Bytes of the padding extra field, its 4-byte head included; 0 for none. */
  readonly padding: number;
  /** Whether the sizes need zip64. */
  readonly sizes64: boolean;
}

/** Local file header with name and extra fields (APPNOTE.TXT 4.3.7). */
export function localHeader(entry: PlannedEntry, checksum: number): Uint8Array {
  const bytes = new Uint8Array(entry.dataOffset - entry.headerOffset);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(4, entry.sizes64 ? VERSION_ZIP64 : VERSION_PLAIN, true);
  view.setUint16(6, UTF8_NAME, true);
  view.setUint16(10, DOS_TIME, true);
  view.setUint16(12, DOS_DATE, true);
  view.setUint32(14, checksum, true);
  const size = entry.sizes64 ? U32_MAX : entry.bytes;
  view.setUint32(18, size, true);
  view.setUint32(22, size, true);
  view.setUint16(26, entry.name.byteLength, true);
  view.setUint16(28, (entry.sizes64 ? 20 : 0) + entry.padding, true);
  bytes.set(entry.name, 30);
  let position = 30 + entry.name.byteLength;
  if (entry.sizes64) {
    view.setUint16(position, ZIP64_EXTRA, true);
    view.setUint16(position + 2, 16, true);
    view.setBigUint64(position + 4, BigInt(entry.bytes), true);
    view.setBigUint64(position + 12, BigInt(entry.bytes), true);
    position += 20;
  }
  if (entry.padding > 0) {
    view.setUint16(position, PADDING_EXTRA, true);
    view.setUint16(position + 2, entry.padding - 4, true);
    bytes.fill(PADDING_BYTE, position + 4);
  }
  return bytes;
}

/** Central directory and end records (APPNOTE.TXT 4.3.12 to 4.3.16). */
export function centralDirectory(entries: readonly PlannedEntry[], checksums: readonly number[], offset: number): Uint8Array {
  const directory = entries.reduce((sum, entry) => sum + 46 + entry.name.byteLength + zip64Length(entry), 0);
  const zip64 = entries.length >= U16_MAX || directory >= U32_MAX || offset >= U32_MAX;
  const bytes = new Uint8Array(directory + (zip64 ? 76 : 0) + 22);
  const view = new DataView(bytes.buffer);
  let position = 0;
  for (const [index, entry] of entries.entries()) position = putDirectoryEntry(view, position, { entry, checksum: checksums[index] ?? 0 });
  if (zip64) {
    view.setUint32(position, 0x06064b50, true);
    view.setBigUint64(position + 4, 44n, true);
    view.setUint16(position + 12, VERSION_ZIP64, true);
    view.setUint16(position + 14, VERSION_ZIP64, true);
    view.setBigUint64(position + 24, BigInt(entries.length), true);
    view.setBigUint64(position + 32, BigInt(entries.length), true);
    view.setBigUint64(position + 40, BigInt(directory), true);
    view.setBigUint64(position + 48, BigInt(offset), true);
    view.setUint32(position + 56, 0x07064b50, true);
    view.setBigUint64(position + 64, BigInt(offset + directory), true);
    view.setUint32(position + 72, 1, true);
    position += 76;
  }
  view.setUint32(position, 0x06054b50, true);
  view.setUint16(position + 8, Math.min(entries.length, U16_MAX), true);
  view.setUint16(position + 10, Math.min(entries.length, U16_MAX), true);
  view.setUint32(position + 12, Math.min(directory, U32_MAX), true);
  view.setUint32(position + 16, Math.min(offset, U32_MAX), true);
  return bytes;
}

function zip64Length(entry: PlannedEntry): number {
  const data = (entry.sizes64 ? 16 : 0) + (entry.headerOffset >= U32_MAX ? 8 : 0);
  return data === 0 ? 0 : 4 + data;
}

function putDirectoryEntry(view: DataView, start: number, { entry, checksum }: { entry: PlannedEntry; checksum: number }): number {
  const extra = zip64Length(entry);
  const version = extra > 0 ? VERSION_ZIP64 : VERSION_PLAIN;
  const size = entry.sizes64 ? U32_MAX : entry.bytes;
  view.setUint32(start, 0x02014b50, true);
  view.setUint16(start + 4, version, true);
  view.setUint16(start + 6, version, true);
  view.setUint16(start + 8, UTF8_NAME, true);
  view.setUint16(start + 12, DOS_TIME, true);
  view.setUint16(start + 14, DOS_DATE, true);
  view.setUint32(start + 16, checksum, true);
  view.setUint32(start + 20, size, true);
  view.setUint32(start + 24, size, true);
  view.setUint16(start + 28, entry.name.byteLength, true);
  view.setUint16(start + 30, extra, true);
  view.setUint32(start + 42, Math.min(entry.headerOffset, U32_MAX), true);
  new Uint8Array(view.buffer).set(entry.name, start + 46);
  let position = start + 46 + entry.name.byteLength;
  if (extra > 0) {
    view.setUint16(position, ZIP64_EXTRA, true);
    view.setUint16(position + 2, extra - 4, true);
    position += 4;
    const fields = entry.sizes64 ? [entry.bytes, entry.bytes] : [];
    if (entry.headerOffset >= U32_MAX) fields.push(entry.headerOffset);
    for (const field of fields) {
      view.setBigUint64(position, BigInt(field), true);
      position += 8;
    }
  }
  return position;
}
