import { crc32 } from 'node:zlib';
import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import { makeNpyHeader } from '../../encodings/npy/npyHeader';
import { descrOf } from '../../encodings/npy/npyTypes';
import { layoutStoredZip } from '../../encodings/zip/storedZipLayout';
import type { FileLayout, GroupToWrite } from '../format';
import { joinKeys } from '../joinKeys';
import { combineCrc32 } from './combineCrc32';
import { carrierOf, DTYPE_RECORD, encodeDtypeRecord } from './dtypeRecord';

/** NumPy aligns an array's data inside its .npy; with the member aligned too, the data can be mapped. */
const ALIGNMENT = 64;

/**
 * What numpy.savez writes: one stored .npy per group, named by its joined keys. Types that NumPy does not have are written as
 * unsigned integers with the same bits, and one more array records which they were (dtypeRecord.ts).
 * @throws CheckpointError unsupported-format, too-large
 */
export function layoutNpz(groups: readonly GroupToWrite[], metadata: readonly MetadataEntry[]): FileLayout {
  const { names, nested } = joinKeys(groups, 'NumPy');
  const foreign = new Map<string, DType>();
  const members = groups.map(({ dtype, shape }, index) => {
    const name = names[index] ?? '';
    checkName(name);
    const descr = descrOf(dtype);
    if (descr === null) foreign.set(name, dtype);
    const header = makeNpyHeader(descr ?? descrFor(carrierOf(dtype)), shape);
    return { name: `${name}.npy`, header, data: tensorBytes(dtype, shape) };
  });
  const entries = members.map(({ name, header, data }) => ({ name, bytes: header.byteLength + data, content: null }));
  const record = foreign.size === 0 ? null : wholeArray(encodeDtypeRecord(foreign));
  const zip = layoutStoredZip(record === null ? entries : [...entries, { name: `${DTYPE_RECORD}.npy`, bytes: record.byteLength, content: record }], {
    alignment: ALIGNMENT,
  });
  return {
    bytes: zip.bytes,
    pieces: [...zip.pieces, ...members.map(({ header }, index) => ({ offset: zip.offsets[index] ?? 0, bytes: header }))],
    tensors: members.map(({ header }, index) => (zip.offsets[index] ?? 0) + header.byteLength),
    finish: (checksums) => zip.finish(members.map(({ header, data }, index) => combineCrc32(crc32(header), checksums[index] ?? 0, data))),
    notes: notesOf({ nested, foreign, metadata: metadata.length }),
  };
}

function checkName(name: string): void {
  const place = { group: name };
  if (name === DTYPE_RECORD) throw new CheckpointError('unsupported-format', `The name ${name} is needed for the record of types.`, { place });
  // Python's zipfile cuts names there.
  if (name.includes('\0')) throw new CheckpointError('unsupported-format', 'A NumPy file cannot hold a name with a NUL character.', { place });
}

function descrFor(dtype: DType): string {
  const descr = descrOf(dtype);
  if (descr === null) throw new CheckpointError('internal', `${dtype} has no NumPy type.`);
  return descr;
}

function wholeArray(bytes: Uint8Array): Uint8Array {
  const shape: Shape = [bytes.byteLength];
  return Buffer.concat([makeNpyHeader(descrFor('uint8'), shape), bytes]);
}

function notesOf({ nested, foreign, metadata }: { nested: boolean; foreign: ReadonlyMap<string, DType>; metadata: number }): string[] {
  const notes: string[] = [];
  if (nested) notes.push('NumPy files have no nested keys: they were joined by "/" to one name.');
  for (const dtype of new Set(foreign.values())) {
    notes.push(`NumPy has no type ${dtype}: its bits were stored as ${carrierOf(dtype)}. The array ${DTYPE_RECORD} says which arrays these are.`);
  }
  if (metadata > 0) notes.push('NumPy files have no place for metadata: it was left out.');
  return notes;
}
