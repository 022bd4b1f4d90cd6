import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';
import type { OnnxGraph, OnnxModel, OnnxNode, OnnxTensor } from '../model/onnxModel';
import { countOf } from '../values/elementTypes';
import { MAX_CONTENT } from './inferContent';
import type { SmallTensors } from './inferTypes';

const FLOAT = 1;
const INT32 = 6;
const INT64 = 7;
const FLOAT_DATA = 4;
const INT32_DATA = 5;
const INT64_DATA = 7;
/** A value with its tag and, at most, ten bytes. */
const MAX_FIELD_BYTES = MAX_CONTENT * 12 + 16;
/** Numbers beyond are not extents. */
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Elements of the float32, int32 and int64 tensors of up to 64 elements that stand in the model itself: target shapes, axes, sizes, scales,
 * which inference needs. Ends of slices such as 2^63 - 1 become the largest safe integer. A tensor that is not as it should be is left out.
 * @throws CheckpointError cancelled, and what reading throws
 */
export async function readSmallTensors(
  model: OnnxModel,
  source: ByteSource,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SmallTensors> {
  const ahead = new ReadAhead(source);
  const small = new Map<OnnxTensor, readonly number[]>();
  for (const tensor of tensorsOf(model)) {
    throwIfCancelled(options.signal);
    const range = contentRange(tensor);
    if (range === null) continue;
    const bytes = ahead.peek(range.offset, range.length) ?? (await ahead.load(range.offset, range.length));
    const values = decode(tensor, bytes.subarray(0, range.length));
    if (values !== null) small.set(tensor, values);
  }
  return small;
}

function* tensorsOf(model: OnnxModel): Generator<OnnxTensor> {
  for (const graph of model.graphs) {
    yield* graph.initializers;
    yield* constantsOf(graph.nodes);
  }
  for (const { nodes } of model.functions) yield* constantsOf(nodes);
}

function* constantsOf(nodes: OnnxGraph['nodes'] | readonly OnnxNode[]): Generator<OnnxTensor> {
  for (const { op, attributes } of nodes) if (op === 'Constant') for (const { tensors } of attributes) yield* tensors;
}

function contentRange(tensor: OnnxTensor): { readonly offset: number; readonly length: number } | null {
  const { type, dims, raw, typed, external, segmented } = tensor;
  if (external !== null || segmented || dims.length > 1 || ![FLOAT, INT32, INT64].includes(type)) return null;
  const count = countOf(dims);
  if (count === null || count === 0 || count > MAX_CONTENT) return null;
  if (raw !== null) return raw.length === count * (type === INT64 ? 8 : 4) ? raw : null;
  const [site] = typed;
  if (site === undefined || typed.length > 1 || site.end - site.start > MAX_FIELD_BYTES) return null;
  return { offset: site.start, length: site.end - site.start };
}

function decode({ type, dims, raw, typed }: OnnxTensor, bytes: Uint8Array): readonly number[] | null {
  const count = countOf(dims) ?? 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (raw !== null) {
    if (type === FLOAT) return Array.from({ length: count }, (_, at) => view.getFloat32(4 * at, true));
    if (type === INT32) return Array.from({ length: count }, (_, at) => view.getInt32(4 * at, true));
    return Array.from({ length: count }, (_, at) => safe(view.getBigInt64(8 * at, true)));
  }
  const number = typed[0]?.number;
  const values =
    type === FLOAT && number === FLOAT_DATA
      ? floatField(view)
      : (type === INT32 && number === INT32_DATA) || (type === INT64 && number === INT64_DATA)
        ? varintField(bytes)
        : null;
  return values?.length === count ? values : null;
}

function safe(value: bigint): number {
  return Number(value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value);
}

/** A run of fields of one number, packed or one by one (https://protobuf.dev/programming-guides/encoding/#packed). The tags have one byte. */
function floatField(view: DataView): number[] | null {
  const values: number[] = [];
  for (let at = 0; at < view.byteLength; ) {
    const wire = view.getUint8(at++) & 7;
    let length = 4;
    if (wire === 2) {
      const head = varint(view, at);
      if (head === null) return null;
      length = Number(head.value);
      at = head.next;
    } else if (wire !== 5) return null;
    if (length % 4 !== 0 || at + length > view.byteLength) return null;
    for (const end = at + length; at < end; at += 4) values.push(view.getFloat32(at, true));
  }
  return values;
}

function varintField(bytes: Uint8Array): number[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: number[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const wire = view.getUint8(at++) & 7;
    let end = at;
    if (wire === 2) {
      const head = varint(view, at);
      if (head === null) return null;
      at = head.next;
      end = at + Number(head.value);
    } else if (wire !== 0) return null;
    do {
      const value = varint(view, at);
      if (value === null) return null;
      values.push(safe(BigInt.asIntN(64, value.value)));
      at = value.next;
    } while (at < end);
  }
  return values;
}

function varint(view: DataView, from: number): { readonly value: bigint; readonly next: number } | null {
  let value = 0n;
  for (let i = 0; i < 10 && from + i < view.byteLength; i++) {
    const byte = view.getUint8(from + i);
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value, next: from + i + 1 };
  }
  return null;
}
