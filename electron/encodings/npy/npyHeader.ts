import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { Shape } from '../../../shared/model/shape';
import { parsePythonDict } from './parsePythonDict';

const MAGIC = Buffer.from('\x93NUMPY', 'latin1');
/** NumPy pads the header so that the data starts at a multiple of this. */
const ALIGNMENT = 64;
/** What a version 1 header can have at most. Longer ones describe structured arrays, which are not read. */
const MAX_HEADER_BYTES = 0xffff;
/** Enough to learn how long the header is. */
export const NPY_PREFIX_BYTES = 12;

export interface NpyHeader {
  /** `null` for a structured type. */
  readonly descr: string | null;
  readonly fortranOrder: boolean;
  readonly shape: Shape;
  /** Bytes before the data. */
  readonly bytes: number;
}

/**
 * Bytes of magic, version, length and header, from the first NPY_PREFIX_BYTES bytes (format of numpy.lib.format, versions 1.0 to 3.0).
 * @throws CheckpointError malformed, unsupported-format, too-large
 */
export function npyHeaderBytes(prefix: Uint8Array, place: ErrorPlace): number {
  if (prefix.byteLength < 10 || !MAGIC.equals(prefix.subarray(0, MAGIC.byteLength)))
    throw new CheckpointError('malformed', 'This is no NumPy array: it does not start with \\x93NUMPY.', { place });
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
  const version = view.getUint8(6);
  if (version < 1 || version > 3)
    throw new CheckpointError('unsupported-format', `The array has version ${version} of NumPy's format; 1 to 3 are read.`, { place });
  if (version > 1 && prefix.byteLength < 12) throw new CheckpointError('truncated', 'The array ends inside its header.', { place });
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER_BYTES)
    throw new CheckpointError('too-large', `The array's header has ${length} bytes; up to ${MAX_HEADER_BYTES} are read.`, { place });
  return (version === 1 ? 10 : 12) + length;
}

/** The header of an array, from its first `npyHeaderBytes` bytes. @throws CheckpointError malformed */
export function parseNpyHeader(bytes: Uint8Array, place: ErrorPlace): NpyHeader {
  const fail = (what: string) => new CheckpointError('malformed', `The array's header is broken: ${what}.`, { place });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', bytes[6] === 1 ? 10 : 12);
  const dict = parsePythonDict(text);
  if (dict === null) throw fail('it is no dictionary of simple values');
  const descr = dict.get('descr');
  const fortranOrder = dict.get('fortran_order');
  const shape = dict.get('shape');
  if (descr === undefined || (typeof descr !== 'string' && !Array.isArray(descr))) throw fail("'descr' is missing or is no type");
  if (typeof fortranOrder !== 'boolean') throw fail("'fortran_order' is missing or is neither True nor False");
  if (!Array.isArray(shape)) throw fail("'shape' is missing or is no tuple");
  const extents: number[] = [];
  for (const extent of shape) {
    if (typeof extent !== 'number' || !Number.isSafeInteger(extent) || extent < 0) throw fail("'shape' holds something that is no whole number from 0");
    extents.push(extent);
  }
  return { descr: typeof descr === 'string' ? descr : null, fortranOrder, shape: extents, bytes: bytes.byteLength };
}

/** The header that NumPy writes for a C-order array: version 1.0, or 2.0 when the shape makes it too long for that. */
export function makeNpyHeader(descr: string, shape: Shape): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const total = (start: number) => Math.ceil((start + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const first = total(10) - 10 <= MAX_HEADER_BYTES;
  const start = first ? 10 : 12;
  const header = Buffer.alloc(total(start), ' ');
  MAGIC.copy(header);
  header.writeUInt16LE(first ? 1 : 2, 6);
  if (first) header.writeUInt16LE(header.byteLength - start, 8);
  else header.writeUInt32LE(header.byteLength - start, 8);
  header.write(text, start, 'latin1');
  header.write('\n', header.byteLength - 1, 'latin1');
  return header;
}
