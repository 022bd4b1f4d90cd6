import type { DType } from '../../../shared/model/dtype';

/** Fields of TensorProto that hold values of one kind. */
export type TypedField = 'float_data' | 'int32_data' | 'int64_data' | 'double_data' | 'uint64_data';

export interface OnnxType {
  /** Of the groups that hold such values. */
  readonly dtype: DType;
  /** Where the values lie when they are not in raw_data. */
  readonly field: TypedField;
  /** Elements in a byte: 1 but for types of less than a byte, whose groups are the packed bytes. */
  readonly perByte: 1 | 2 | 4;
}

const whole = (dtype: DType, field: TypedField): OnnxType => ({ dtype, field, perByte: 1 });
const packed = (perByte: 2 | 4): OnnxType => ({ dtype: 'uint8', field: 'int32_data', perByte });

/** TensorProto.DataType of onnx.proto, and which field its comments give to each. */
const TYPES: ReadonlyMap<number, OnnxType> = new Map<number, OnnxType>([
  [1, whole('float32', 'float_data')],
  [2, whole('uint8', 'int32_data')],
  [3, whole('int8', 'int32_data')],
  [4, whole('uint16', 'int32_data')],
  [5, whole('int16', 'int32_data')],
  [6, whole('int32', 'int32_data')],
  [7, whole('int64', 'int64_data')],
  [9, whole('bool', 'int32_data')],
  [10, whole('float16', 'int32_data')],
  [11, whole('float64', 'double_data')],
  [12, whole('uint32', 'uint64_data')],
  [13, whole('uint64', 'uint64_data')],
  [14, whole('complex64', 'float_data')],
  [15, whole('complex128', 'double_data')],
  [16, whole('bfloat16', 'int32_data')],
  [17, whole('float8_e4m3fn', 'int32_data')],
  [18, whole('float8_e4m3fnuz', 'int32_data')],
  [19, whole('float8_e5m2', 'int32_data')],
  [20, whole('float8_e5m2fnuz', 'int32_data')],
  [21, packed(2)],
  [22, packed(2)],
  [23, packed(2)],
  [24, whole('float8_e8m0fnu', 'int32_data')],
  [25, packed(4)],
  [26, packed(4)],
]);

/** Names of the types that no DType stands for. */
const OTHER_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'UNDEFINED'],
  [8, 'STRING'],
  [21, 'UINT4'],
  [22, 'INT4'],
  [23, 'FLOAT4E2M1'],
  [25, 'UINT2'],
  [26, 'INT2'],
  [27, 'FLOAT6E2M3'],
  [28, 'FLOAT6E3M2'],
]);

export function onnxType(code: number): OnnxType | undefined {
  return TYPES.get(code);
}

/** Name of a type that is not read, or not as what it is. */
export function otherTypeName(code: number): string {
  return OTHER_NAMES.get(code) ?? `number ${code}`;
}

/** Field numbers of TensorProto. */
export const TYPED_FIELDS: ReadonlyMap<number, TypedField> = new Map<number, TypedField>([
  [4, 'float_data'],
  [5, 'int32_data'],
  [7, 'int64_data'],
  [10, 'double_data'],
  [11, 'uint64_data'],
]);
