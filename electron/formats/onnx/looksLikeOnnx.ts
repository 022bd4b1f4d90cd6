import { CheckpointError } from '../../../shared/contract/errors';
import { FIELD_HEAD_BYTES, parseField, type WireField } from '../../encodings/protobuf/wireField';

/** Fields of ModelProto (onnx.proto) by number, with their kind on the wire. */
const MODEL: ReadonlyMap<number, WireField['kind']> = new Map<number, WireField['kind']>([
  [1, 'varint'],
  [2, 'bytes'],
  [3, 'bytes'],
  [4, 'bytes'],
  [5, 'varint'],
  [6, 'bytes'],
  [7, 'bytes'],
  [8, 'bytes'],
  [14, 'bytes'],
  [20, 'bytes'],
  [25, 'bytes'],
  [26, 'bytes'],
]);
const IR_VERSION = 1;
const GRAPH = 7;
/** Fields of GraphProto; all are messages or texts. */
const GRAPH_FIELDS = new Set([1, 2, 5, 10, 11, 12, 13, 14, 15, 16]);
/** The IR stands at 13 after eight years. */
const MAX_IR_VERSION = 100n;

/**
 * An ONNX model: only fields of ModelProto with their kinds, a small IR version, and a graph that begins with a field of GraphProto. Every
 * writer puts the graph behind a few short fields, so that it begins in the first bytes; a graph that is longer than the
 * file is still one, so that its being cut off can be told.
 */
export function looksLikeOnnx(head: Uint8Array): boolean {
  let version = false;
  try {
    for (let at = 0; at < head.byteLength; ) {
      const field = parseField(head.subarray(at, at + FIELD_HEAD_BYTES), at, { limit: Number.MAX_SAFE_INTEGER, place: {} });
      if (MODEL.get(field.number) !== field.kind) return false;
      if (field.number === IR_VERSION && field.kind === 'varint') {
        if (field.value < 1n || field.value > MAX_IR_VERSION) return false;
        version = true;
      }
      if (field.number === GRAPH && field.kind === 'bytes') return version && field.length > 0 && beginsGraph(head.subarray(field.offset));
      at = field.next;
    }
  } catch (error) {
    if (error instanceof CheckpointError) return false;
    throw error;
  }
  return false;
}

function beginsGraph(bytes: Uint8Array): boolean {
  const field = parseField(bytes.subarray(0, FIELD_HEAD_BYTES), 0, { limit: Number.MAX_SAFE_INTEGER, place: {} });
  return field.kind === 'bytes' && GRAPH_FIELDS.has(field.number);
}
