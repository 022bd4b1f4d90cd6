import type { DType } from '../../../shared/model/dtype';

/** Fields of TensorProto that hold values of one kind. */
export type TypedField = 'float_data' | 'int32_data' | 'int64_data' | 'double_data' | 'uint64_data';

export interface OnnxType {
  readonly dtype: DType;
  /** Where the values lie when they are not in raw_data. */
  readonly field: TypedField;
}

/** TensorProto.DataType of onnx.proto, and which field its comments give to each. */
const TYPES: ReadonlyMap<number, OnnxType> = new Map<number, OnnxType>([
  [1, { dtype: 'float32', field: 'float_data' }],
  [2, { dtype: 'uint8', field: 'int32_data' }],
  [3, { dtype: 'int8', field: 'int32_data' }],
  [4, { dtype: 'uint16', field: 'int32_data' }],
  [5, { dtype: 'int16', field: 'int32_data' }],
  [6, { dtype: 'int32', field: 'int32_data' }],
  [7, { dtype: 'int64', field: 'int64_data' }],
  [9, { dtype: 'bool', field: 'int32_data' }],
  [10, { dtype: 'float16', field: 'int32_data' }],
  [11, { dtype: 'float64', field: 'double_data' }],
  [12, { dtype: 'uint32', field: 'uint64_data' }],
  [13, { dtype: 'uint64', field: 'uint64_data' }],
  [14, { dtype: 'complex64', field: 'float_data' }],
  [15, { dtype: 'complex128', field: 'double_data' }],
  [16, { dtype: 'bfloat16', field: 'int32_data' }],
  [17, { dtype: 'float8_e4m3fn', field: 'int32_data' }],
  [18, { dtype: 'float8_e4m3fnuz', field: 'int32_data' }],
  [19, { dtype: 'float8_e5m2', field: 'int32_data' }],
  [20, { dtype: 'float8_e5m2fnuz', field: 'int32_data' }],
  [24, { dtype: 'float8_e8m0fnu', field: 'int32_data' }],
]);

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

/** Name of a type that is not read. */
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
