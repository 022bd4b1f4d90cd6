import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import type { SkippedEntry } from '../../../shared/model/checkpoint';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { possibleTensorBytes, type Shape } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { parseDescr } from '../../encodings/npy/npyTypes';
import { readZip, STORED, type ZipEntry } from '../../encodings/zip/readZip';
import { readZipEntry } from '../../encodings/zip/readZipEntry';
import type { TensorRef } from '../../tensors/tensorRef';
import type { FileCheckpoint, FileGroup, ReadOptions } from '../format';
import { carrierOf, DTYPE_RECORD, decodeDtypeRecord } from './dtypeRecord';
import { type MemberHeader, readMemberHeader } from './readMemberHeader';

const SUFFIX = '.npy';
/** An end of central directory and nothing else. */
const EMPTY_ZIP_BYTES = 22;
const HEADERS_AT_ONCE = 32;
/** The record of types has some dozens of bytes for each group; no file has groups for more. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** A zip whose first member is an array, or the zip without members that numpy.savez makes of no arrays. */
export function looksLikeNpz(head: Uint8Array, size: number): boolean {
  if (head.byteLength < EMPTY_ZIP_BYTES) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (size === EMPTY_ZIP_BYTES) return view.getUint32(0, true) === 0x06054b50;
  if (head.byteLength < 30) return false;
  if (view.getUint32(0, true) !== 0x04034b50) return false;
  const length = view.getUint16(26, true);
  if (30 + length > head.byteLength) return false;
  return Buffer.from(head.subarray(30, 30 + length))
    .toString('latin1')
    .endsWith(SUFFIX);
}

/**
 * Reads the zip's directory and the header of every array. Groups are named as numpy.load names them; arrays that are compressed
 * (numpy.savez_compressed) are listed with their type and shape, but their data is an error.
 * @throws CheckpointError malformed, truncated, too-large
 */
export async function readNpz(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const { file, signal } = options;
  const entries = await readZip(source, { file, ...(signal === undefined ? {} : { signal }) });
  const headers = await readHeaders(source, entries, options);
  const types = await readTypes(source, { entry: entries.find(({ name }) => name === DTYPE_RECORD + SUFFIX), file });
  const groups: FileGroup[] = [];
  const skipped: SkippedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = entry.name.endsWith(SUFFIX) ? entry.name.slice(0, -SUFFIX.length) : entry.name;
    const header = headers[index] ?? { kind: 'other', reason: 'It is no array.' };
    if (types !== null && name === DTYPE_RECORD) continue;
    if (header.kind === 'other') {
      skipped.push({ name, reason: header.reason });
      continue;
    }
    const found = parseDescr(header.descr);
    if (found === null) {
      skipped.push({ name, reason: `An array [${header.shape.join(', ')}] of the type '${header.descr.slice(0, 100)}', which is not read.` });
      continue;
    }
    const dtype = restoredType(found.dtype, types?.get(name));
    const { shape } = header;
    groups.push({ keys: [name], dtype, shape, data: dataOf(entry, header, { options, dtype, name, bigEndian: found.bigEndian }), tiedTo: null });
  }
  return { format: 'npz', groups, skipped, metadata: [] };
}

async function readHeaders(source: ByteSource, entries: readonly ZipEntry[], { file, signal }: ReadOptions): Promise<MemberHeader[]> {
  const result: MemberHeader[] = [];
  for (let start = 0; start < entries.length; start += HEADERS_AT_ONCE) {
    throwIfCancelled(signal);
    const batch = entries.slice(start, start + HEADERS_AT_ONCE).map(async (entry): Promise<MemberHeader> => {
      if (!entry.name.endsWith(SUFFIX)) return { kind: 'other', reason: 'It is no array: its name does not end in .npy.' };
      return readMemberHeader(source, entry, file);
    });
    for (const settled of await Promise.allSettled(batch)) {
      if (settled.status === 'rejected') throw settled.reason;
      result.push(settled.value);
    }
  }
  return result;
}

async function readTypes(source: ByteSource, { entry, file }: { entry: ZipEntry | undefined; file: string }): Promise<ReadonlyMap<string, DType> | null> {
  if (entry === undefined) return null;
  const bytes = await readZipEntry(source, entry, { file, maxBytes: MAX_RECORD_BYTES });
  const header = await readMemberHeader(source, entry, file);
  if (header.kind === 'other' || header.descr !== '|u1') return null;
  return decodeDtypeRecord(bytes.subarray(header.bytes), file);
}

/** The recorded type, when the array is indeed what we write for it. */
function restoredType(stored: DType, recorded: DType | undefined): DType {
  return recorded !== undefined && dtypeBytes(recorded) === dtypeBytes(stored) && carrierOf(recorded) === stored ? recorded : stored;
}

interface DataOptions {
  readonly options: ReadOptions;
  readonly dtype: DType;
  readonly name: string;
  readonly bigEndian: boolean;
}

function dataOf(entry: ZipEntry, header: MemberHeader & { readonly kind: 'array' }, { options, dtype, name, bigEndian }: DataOptions): TensorRef | ErrorData {
  const { shape } = header;
  const offset = entry.dataOffset + header.bytes;
  const place = { file: options.file, group: name, offset };
  if (entry.method !== STORED || entry.encrypted) {
    const how = entry.encrypted ? 'encrypted' : 'compressed';
    return new CheckpointError('unsupported-format', `The array is ${how} inside the NumPy file, and such arrays are not read.`, {
      place,
      hint: 'Write the file again with numpy.savez instead of numpy.savez_compressed.',
    }).toData();
  }
  const has = entry.bytes - header.bytes;
  const needs = possibleTensorBytes(dtype, shape);
  if (needs === null || needs > has) {
    return new CheckpointError('truncated', `The array needs ${needs ?? 'more bytes than any file has'} for its shape [${shape.join(', ')}], but has ${has}.`, {
      place,
    }).toData();
  }
  if (needs < has)
    return new CheckpointError('malformed', `The array has ${has} bytes of data, but its shape [${shape.join(', ')}] needs ${needs}.`, { place }).toData();
  return { dtype, shape, source: options.ref, offset, strides: header.fortranOrder ? fortranStrides(shape) : null, bigEndian };
}

/** Strides in elements when the first axis varies fastest; `null` where that is C order too. */
function fortranStrides(shape: Shape): number[] | null {
  if (shape.length < 2) return null;
  let step = 1;
  return shape.map((extent) => {
    const stride = step;
    step *= extent;
    return stride;
  });
}
