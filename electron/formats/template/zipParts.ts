import type { ByteSource } from '../../bytes/byteSource';
import { checksumFields } from '../../encodings/zip/checksumFields';
import { readZip, STORED, type ZipEntry } from '../../encodings/zip/readZip';
import { CONTENT_ID_BYTES, contentId, NAMES_ID_BYTES } from './contentId';
import { CHECKSUM_BYTES, type TemplateSegment } from './fileTemplate';
import type { TensorRange } from './placeGroups';

export interface ZipPart {
  readonly offset: number;
  readonly segment: TemplateSegment;
}

export interface ZipParts {
  /** Data of the entries whose checksums the template computes, in the directory's order. */
  readonly entries: readonly { readonly offset: number; readonly bytes: number }[];
  /** Fields that are computed; they overlap neither each other nor a tensor. */
  readonly parts: readonly ZipPart[];
}

export interface ZipPartsOptions {
  readonly file: string;
  readonly signal: AbortSignal | undefined;
  /** CRC-32 of a range of the file. */
  readonly checksum: (offset: number, bytes: number) => Promise<number>;
}

const NONE: ZipParts = { entries: [], parts: [] };
const LOCAL_HEADER = 0x04034b50;
const ID_RECORD = '.data/serialization_id';

interface Entry extends ZipEntry {
  readonly hasTensors: boolean;
  /** Tensors do not lie across its end. */
  readonly whole: boolean;
}

/**
 * What of a zip depends on the values of its tensors beside the tensors: checksums of the stored entries that hold them, and PyTorch's
 * digest of the checksums. What the file says otherwise than it would be computed is left as it is.
 * @param ranges by offset.
 */
export async function zipParts(source: ByteSource, ranges: readonly TensorRange[], options: ZipPartsOptions): Promise<ZipParts> {
  if (ranges.length === 0 || source.length < 4) return NONE;
  const head = await source.read(0, 4);
  if (new DataView(head.buffer, head.byteOffset, 4).getUint32(0, true) !== LOCAL_HEADER) return NONE;
  const found = await readZip(source, { file: options.file, ...(options.signal === undefined ? {} : { signal: options.signal }) });
  const entries = found.map((entry) => ({ ...entry, ...occupancy(entry, ranges) }));
  const sums: (number | null)[] = [];
  for (const entry of entries) sums.push(entry.hasTensors && entry.whole ? await verifiedSum(entry, options) : null);
  const id = await findContentId(source, { entries, sums, options });
  // The digest counts every entry before it; a checksum of its own stands behind it.
  const chosen = entries.map((_, index) => (id !== null && index <= id.index) || sums[index] !== null);
  const numbers = numbered(chosen);
  const parts: ZipPart[] = id === null ? [] : [{ offset: id.offset, segment: { kind: 'content-id', bytes: CONTENT_ID_BYTES, entries: id.index } }];
  const fields = await checksumFields(source, found);
  for (const [index, offsets] of fields.entries()) {
    const sum = sums[index] ?? (index === id?.index ? (entries[index]?.checksum ?? null) : null);
    const entry = numbers[index];
    if (sum === null || entry === undefined || entry === null) continue;
    for (const offset of offsets)
      if ((await readU32(source, offset)) === sum) parts.push({ offset, segment: { kind: 'checksum', bytes: CHECKSUM_BYTES, entry } });
  }
  const data = entries.filter((_, index) => chosen[index] === true).map(({ dataOffset, bytes }) => ({ offset: dataOffset, bytes }));
  return { entries: data, parts: apart(parts, { ranges, data }) };
}

function numbered(chosen: readonly boolean[]): (number | null)[] {
  let next = 0;
  return chosen.map((is) => (is ? next++ : null));
}

/** Whether tensors lie in an entry's data, and none across its start or end. */
function occupancy({ dataOffset, storedBytes }: ZipEntry, ranges: readonly TensorRange[]): { hasTensors: boolean; whole: boolean } {
  const end = dataOffset + storedBytes;
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range !== undefined && range.offset + range.bytes <= dataOffset) low = middle + 1;
    else high = middle;
  }
  let hasTensors = false;
  let whole = true;
  for (let index = low; index < ranges.length; index++) {
    const range = ranges[index];
    if (range === undefined || range.offset >= end) break;
    hasTensors = true;
    whole &&= range.offset >= dataOffset && range.offset + range.bytes <= end;
  }
  return { hasTensors, whole };
}

/** The checksum of an entry's data when the directory says the same. */
async function verifiedSum(entry: Entry, { checksum }: ZipPartsOptions): Promise<number | null> {
  if (entry.method !== STORED || entry.encrypted) return null;
  return (await checksum(entry.dataOffset, entry.bytes)) === entry.checksum ? entry.checksum : null;
}

interface IdSearch {
  readonly entries: readonly Entry[];
  readonly sums: readonly (number | null)[];
  readonly options: ZipPartsOptions;
}

/** PyTorch's digest, when it is what the entries before it give; for that all of them must be stored and have true checksums. */
async function findContentId(source: ByteSource, { entries, sums, options }: IdSearch): Promise<{ index: number; offset: number } | null> {
  const index = entries.findIndex(({ name }) => name.endsWith(`/${ID_RECORD}`));
  const entry = entries[index];
  if (entry === undefined || entry.hasTensors || entry.bytes !== NAMES_ID_BYTES + CONTENT_ID_BYTES) return null;
  if ((await verifiedSum(entry, options)) === null) return null;
  const counted: number[] = [];
  for (const [before, other] of entries.slice(0, index).entries()) {
    const sum = sums[before] ?? (other.whole ? await verifiedSum(other, options) : null);
    if (sum === null) return null;
    if (other.bytes > 0) counted.push(sum);
  }
  const offset = entry.dataOffset + NAMES_ID_BYTES;
  return Buffer.from(contentId(counted)).equals(await source.read(offset, CONTENT_ID_BYTES)) ? { index, offset } : null;
}

async function readU32(source: ByteSource, offset: number): Promise<number> {
  const bytes = await source.read(offset, 4);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}

/** By offset, without fields that lie on each other, on a tensor, or in the data that a checksum is of; only a forged zip has such. */
function apart(
  parts: readonly ZipPart[],
  { ranges, data }: { ranges: readonly TensorRange[]; data: readonly { readonly offset: number; readonly bytes: number }[] },
): ZipPart[] {
  const marks = [
    ...ranges.map((range) => ({ ...range, part: null, data: false })),
    ...data.map((range) => ({ ...range, part: null, data: true })),
    ...parts.map((part) => ({ offset: part.offset, bytes: part.segment.bytes, part, data: false })),
  ].sort((a, b) => a.offset - b.offset || Number(b.data) - Number(a.data));
  const kept: ZipPart[] = [];
  let end = 0;
  let dataEnd = 0;
  for (const mark of marks) {
    const markEnd = mark.offset + mark.bytes;
    if (mark.data) dataEnd = Math.max(dataEnd, markEnd);
    else if (mark.part === null) {
      const last = kept.at(-1);
      if (last !== undefined && last.offset + last.segment.bytes > mark.offset) kept.pop();
      end = Math.max(end, markEnd);
    } else if (mark.offset >= end && (mark.part.segment.kind === 'content-id' || mark.offset >= dataEnd)) {
      kept.push(mark.part);
      end = markEnd;
    }
  }
  return kept;
}
