import { constants, inflateRawSync } from 'node:zlib';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Shape } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { NPY_PREFIX_BYTES, npyHeaderBytes, parseNpyHeader } from '../../encodings/npy/npyHeader';
import { DEFLATED, STORED, type ZipEntry } from '../../encodings/zip/readZip';

export type MemberHeader =
  | {
      readonly kind: 'array';
      readonly descr: string;
      readonly fortranOrder: boolean;
      readonly shape: Shape /** Bytes before the data. */;
      readonly bytes: number;
    }
  | { readonly kind: 'other'; readonly reason: string };

/** Holds the header of nearly every array: NumPy pads them to a multiple of 64. */
const FIRST_READ_BYTES = 192;
/** Compressed bytes that are inflated for the header; deflate expands at most about thousandfold. */
const INFLATE_BYTES = 4096;

/** Type and shape of one member of the zip, without its data. What cannot be an array is `other`, with the reason. */
export async function readMemberHeader(source: ByteSource, entry: ZipEntry, file: string): Promise<MemberHeader> {
  const place = { file, group: entry.name, offset: entry.dataOffset };
  if (entry.encrypted) return { kind: 'other', reason: 'It is encrypted.' };
  if (entry.method !== STORED && entry.method !== DEFLATED) return { kind: 'other', reason: `It is compressed by method ${entry.method}, which is not read.` };
  try {
    const read = entry.method === STORED ? storedReader(source, entry) : await inflatedReader(source, entry);
    const start = await read(Math.min(entry.bytes, FIRST_READ_BYTES));
    const length = npyHeaderBytes(start.subarray(0, NPY_PREFIX_BYTES), place);
    if (length > entry.bytes) throw new CheckpointError('truncated', 'It ends inside its header.', { place });
    const header = parseNpyHeader(length <= start.byteLength ? start.subarray(0, length) : await read(length), place);
    if (header.descr === null) return { kind: 'other', reason: 'It is a structured array.' };
    return { kind: 'array', descr: header.descr, fortranOrder: header.fortranOrder, shape: header.shape, bytes: header.bytes };
  } catch (error) {
    const known = CheckpointError.from(error);
    if (known.code === 'malformed' || known.code === 'unsupported-format' || known.code === 'too-large' || known.code === 'truncated')
      return { kind: 'other', reason: known.message };
    throw known.at(place);
  }
}

type Reader = (bytes: number) => Promise<Uint8Array>;

function storedReader(source: ByteSource, entry: ZipEntry): Reader {
  return (bytes) => source.read(entry.dataOffset, bytes);
}

async function inflatedReader(source: ByteSource, entry: ZipEntry): Promise<Reader> {
  const compressed = await source.read(entry.dataOffset, Math.min(entry.storedBytes, INFLATE_BYTES));
  let bytes: Uint8Array;
  try {
    // The input is cut off on purpose, which only a flush without an end accepts.
    bytes = inflateRawSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw new CheckpointError('malformed', 'It cannot be decompressed.', { cause: error });
  }
  return async (length) => {
    if (length > bytes.byteLength) throw new CheckpointError('truncated', 'It ends inside its header.');
    return bytes.subarray(0, length);
  };
}
