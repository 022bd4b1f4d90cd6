import type { MessageSchema } from '../../encodings/protobuf/skeleton';

/**
 * Which fields of onnx.proto hold messages (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), so that the large contents inside
 * them can be told from the large contents that are payloads. `kept` are names and the lists of attributes.
 */
function schema(kept: readonly number[], fields: readonly (readonly [number, MessageSchema])[] = []): Writable {
  return { kept: new Set(kept), fields: new Map(fields) };
}

interface Writable extends MessageSchema {
  readonly fields: Map<number, MessageSchema>;
}

const ENTRY = schema([1, 2]);
const DIMENSION = schema([2]);
const SHAPE = schema([], [[1, DIMENSION]]);
const TENSOR_TYPE = schema([], [[2, SHAPE]]);
/** Of the types of sequences, maps and optionals only the kind is read. */
const TYPE = schema(
  [6],
  [
    [1, TENSOR_TYPE],
    [8, TENSOR_TYPE],
  ],
);
const VALUE_INFO = schema([1], [[2, TYPE]]);
const TENSOR = schema([1, 8], [[13, ENTRY]]);
const SPARSE = schema(
  [3],
  [
    [1, TENSOR],
    [2, TENSOR],
  ],
);
const ATTRIBUTE = schema(
  [1, 4, 7, 8, 9, 21],
  [
    [5, TENSOR],
    [10, TENSOR],
    [22, SPARSE],
    [23, SPARSE],
    [14, TYPE],
    [15, TYPE],
  ],
);
const SHARDING = schema([1]);
const NODE = schema(
  [1, 2, 3, 4, 7, 8],
  [
    [5, ATTRIBUTE],
    [9, ENTRY],
    [10, schema([1], [[2, SHARDING]])],
  ],
);
const ANNOTATION = schema([1], [[2, ENTRY]]);
const GRAPH = schema(
  [2],
  [
    [1, NODE],
    [5, TENSOR],
    [15, SPARSE],
    [11, VALUE_INFO],
    [12, VALUE_INFO],
    [13, VALUE_INFO],
    [14, ANNOTATION],
    [16, ENTRY],
  ],
);
ATTRIBUTE.fields.set(6, GRAPH);
ATTRIBUTE.fields.set(11, GRAPH);
const OPSET = schema([1]);
const FUNCTION = schema(
  [1, 4, 5, 6, 10, 13],
  [
    [7, NODE],
    [9, OPSET],
    [11, ATTRIBUTE],
    [12, VALUE_INFO],
    [14, ENTRY],
  ],
);
const TRAINING = schema(
  [],
  [
    [1, GRAPH],
    [2, GRAPH],
    [3, ENTRY],
    [4, ENTRY],
  ],
);

/** ModelProto. */
export const MODEL_SCHEMA: MessageSchema = schema(
  [2, 3, 4],
  [
    [7, GRAPH],
    [8, OPSET],
    [14, ENTRY],
    [20, TRAINING],
    [25, FUNCTION],
  ],
);
