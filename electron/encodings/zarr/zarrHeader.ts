import { BoundedMap } from '../../../shared/base/boundedMap';
import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import { type Compressor, parseCompressor } from './compressor';
import { encodeFillValue } from './fillValue';
import { parseZarrDtype } from './zarrDtype';

/** numpy's own limit. */
const MAX_RANK = 64;
/** Headers up to this many characters are remembered: the objects of a chain have many alike. */
const USUAL_LENGTH = 1024;

const parsed = new BoundedMap<string, ZarrHeader>(512);

export interface ZarrHeader {
  readonly dtype: DType;
  readonly bigEndian: boolean;
  readonly shape: Shape;
  readonly chunks: Shape;
  readonly order: 'C' | 'F';
  readonly separator: '.' | '/';
  readonly compressor: Compressor;
  /** One element, little-endian: the value of elements of missing chunks. */
  readonly fill: Uint8Array;
}

/**
 * The `.zarray` of a zarr v2 array. Refused: what zarr.json version 3 would say, filters, dtypes that are no numbers, and (as
 * git-theta's reader does) a missing `compressor`, `filters` or `fill_value`.
 * @throws CheckpointError malformed, unsupported-format
 */
export function parseZarrHeader(content: Uint8Array): ZarrHeader {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8');
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const header = readHeader(text);
  if (text.length <= USUAL_LENGTH) parsed.set(text, header);
  return header;
}

function readHeader(text: string): ZarrHeader {
  const fields = parseJson(text);
  if (fields.zarr_format !== 2) throw malformed(`zarr_format is ${JSON.stringify(fields.zarr_format)}, not 2`);
  for (const name of ['compressor', 'filters', 'fill_value'] as const) {
    if (!Object.hasOwn(fields, name)) throw malformed(`${name} is missing`);
  }
  if (fields.filters !== null && !(Array.isArray(fields.filters) && fields.filters.length === 0)) {
    throw new CheckpointError('unsupported-format', 'The array uses zarr filters, which git-theta does not read either.');
  }
  const shape = extents(fields.shape, 'shape', 0);
  const chunks = extents(fields.chunks, 'chunks', 1);
  if (shape.length !== chunks.length) throw malformed(`shape has ${shape.length} axes, chunks has ${chunks.length}`);
  const { order = 'C', dimension_separator: separator = '.' } = fields;
  if (order !== 'C' && order !== 'F') throw malformed(`order is ${JSON.stringify(order)}`);
  if (separator !== '.' && separator !== '/') throw malformed(`dimension_separator is ${JSON.stringify(separator)}`);
  const { dtype, bigEndian } = parseZarrDtype(fields.dtype);
  checkSizes(dtype, shape, chunks);
  const fill = encodeFillValue(fields.fill_value, dtype, text);
  return { dtype, bigEndian, shape, chunks, order, separator, compressor: parseCompressor(fields.compressor), fill };
}

interface Fields {
  readonly [name: string]: unknown;
}

function parseJson(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('it is not JSON');
  }
  if (!isFields(value)) throw malformed('it is not a JSON object');
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function extents(value: unknown, name: string, smallest: number): Shape {
  if (!Array.isArray(value) || value.length > MAX_RANK) throw malformed(`${name} is no list of at most ${MAX_RANK} numbers`);
  return value.map((extent: unknown) => {
    if (typeof extent !== 'number' || !Number.isSafeInteger(extent) || extent < smallest) throw malformed(`${name} contains ${JSON.stringify(extent)}`);
    return extent;
  });
}

/** Both the array and a chunk must have a number of bytes that can be counted exactly. */
function checkSizes(dtype: DType, shape: Shape, chunks: Shape): void {
  try {
    tensorBytes(dtype, shape);
    tensorBytes(dtype, chunks);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

function malformed(what: string): CheckpointError {
  return new CheckpointError('malformed', `The description of an array (.zarray) is damaged: ${what}.`);
}
