import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { contiguousStrides, elementCount, type Shape } from '../../../shared/model/shape';
import { encodeBlosc } from '../blosc/testing/encodeBlosc';

/** Elements of a chunk at most, whatever the element type. */
const CHUNK_ELEMENTS = 1_048_576;

/** One array for `encodeObject`: little-endian bytes in C order. */
export interface ArrayToWrite {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: Uint8Array;
}

/**
 * A complete git-theta LFS object with the member `parameter`, as git-theta writes dense updates. For tests and measurements.
 * @param bytes little-endian elements in C order
 */
export function encodeDenseObject(dtype: DType, shape: Shape, bytes: Uint8Array): Uint8Array {
  return encodeObject({ parameter: { dtype, shape, bytes } });
}

/** A git-theta LFS object `{member: {file: bytes}}` with these members, in this order. */
export function encodeObject(members: Readonly<Record<string, ArrayToWrite>>): Uint8Array {
  const parts: Uint8Array[] = [mapHead(Object.keys(members).length)];
  for (const [name, array] of Object.entries(members)) {
    const files = filesOf(array);
    parts.push(stringBytes(name), mapHead(files.length));
    for (const [file, content] of files) parts.push(stringBytes(file), binaryHead(content.byteLength), content);
  }
  return Buffer.concat(parts);
}

/** tensorstore's chunk rule: the largest f such that chunks of min(extent, f) on every axis have at most 1048576 elements. */
function chunkShape(shape: Shape): number[] {
  const chunks = (f: number) => shape.map((extent) => Math.max(1, Math.min(extent, f)));
  let low = 1;
  let high = Math.max(1, ...shape);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (chunks(middle).reduce((product, extent) => product * extent, 1) <= CHUNK_ELEMENTS) low = middle;
    else high = middle - 1;
  }
  return chunks(low);
}

/** `.zarray` as tensorstore writes it (compact, keys sorted), then the chunks by their keys in byte order. */
function filesOf({ dtype, shape, bytes }: ArrayToWrite): (readonly [string, Uint8Array])[] {
  const chunks = chunkShape(shape);
  const header = {
    chunks,
    compressor: { blocksize: 0, clevel: 5, cname: 'lz4', id: 'blosc', shuffle: -1 },
    dimension_separator: '.',
    dtype: zarrDtype(dtype),
    fill_value: null,
    filters: null,
    order: 'C',
    shape,
    zarr_format: 2,
  };
  const files = [...chunkIndices(shape, chunks)].map((index) => {
    const content = encodeBlosc(cutChunk({ dtype, shape, bytes }, chunks, index), dtypeBytes(dtype));
    return [index.length === 0 ? '0' : index.join('.'), content] as const;
  });
  files.sort(([a], [b]) => (a < b ? -1 : 1));
  return [['.zarray', Buffer.from(JSON.stringify(header))], ...files];
}

function* chunkIndices(shape: Shape, chunks: Shape): Generator<number[]> {
  if (elementCount(shape) === 0) return;
  const counts = shape.map((extent, axis) => Math.ceil(extent / (chunks[axis] ?? 1)));
  const index = counts.map(() => 0);
  for (;;) {
    yield [...index];
    let axis = counts.length - 1;
    while (axis >= 0 && index[axis] === (counts[axis] ?? 1) - 1) index[axis--] = 0;
    if (axis < 0) return;
    index[axis] = (index[axis] ?? 0) + 1;
  }
}

/** One chunk, padded with zeros where it reaches over the array. */
function cutChunk({ dtype, shape, bytes }: ArrayToWrite, chunks: Shape, index: readonly number[]): Uint8Array {
  const item = dtypeBytes(dtype);
  const elements = chunks.reduce((product, extent) => product * extent, 1);
  if (shape.every((extent, axis) => extent === chunks[axis])) return bytes;
  const chunk = new Uint8Array(elements * item);
  const strides = contiguousStrides(shape);
  const row = chunks[chunks.length - 1] ?? 1;
  const last = shape.length - 1;
  const within = Math.min(row, (shape[last] ?? 1) - (index[last] ?? 0) * row) * item;
  for (let write = 0; write < elements; write += row) {
    let rest = write / row;
    let from = (index[last] ?? 0) * row;
    let inside = true;
    for (let axis = last - 1; axis >= 0; axis--) {
      const height = chunks[axis] ?? 1;
      const position = (index[axis] ?? 0) * height + (rest % height);
      rest = Math.floor(rest / height);
      inside &&= position < (shape[axis] ?? 1);
      from += position * (strides[axis] ?? 1);
    }
    if (inside) chunk.set(bytes.subarray(from * item, from * item + within), write * item);
  }
  return chunk;
}

function zarrDtype(dtype: DType): string {
  if (dtype.startsWith('bfloat') || dtype.startsWith('float8') || dtype === 'complex32') return dtype;
  const kind = dtypeKind(dtype);
  const letter = kind === 'bool' ? 'b' : kind === 'int' ? 'i' : kind === 'uint' ? 'u' : kind === 'float' ? 'f' : 'c';
  const bytes = dtypeBytes(dtype);
  return `${bytes === 1 ? '|' : '<'}${letter}${bytes}`;
}

function mapHead(entries: number): Uint8Array {
  return entries < 16 ? Uint8Array.of(0x80 | entries) : numbered(entries, [0xde, 0xdf], 2);
}

function stringBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const head = bytes.byteLength < 32 ? Uint8Array.of(0xa0 | bytes.byteLength) : numbered(bytes.byteLength, [0xd9, 0xda, 0xdb], 1);
  return Buffer.concat([head, bytes]);
}

function binaryHead(length: number): Uint8Array {
  return numbered(length, [0xc4, 0xc5, 0xc6], 1);
}

/** A type byte and a big-endian number in the fewest bytes that the types allow: `first`, twice that, ... */
function numbered(value: number, types: readonly number[], first: number): Uint8Array {
  for (const [i, type] of types.entries()) {
    const width = first << i;
    if (value >= 256 ** width) continue;
    return Uint8Array.from({ length: width + 1 }, (_, at) => (at === 0 ? type : Math.floor(value / 256 ** (width - at)) % 256));
  }
  throw new RangeError(`${value} is too large`);
}
