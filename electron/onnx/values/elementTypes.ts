import type { DType } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';

/** One element type of ONNX: TensorProto.DataType of onnx.proto. */
export interface ElementType {
  readonly code: number;
  /** ONNX's own spelling in lower case. */
  readonly name: string;
  /** Bits of one element in raw_data; 0 for texts, which have no fixed size. */
  readonly bits: number;
  /** `null` for texts and for types of less than a byte. */
  readonly dtype: DType | null;
  /** First version of the IR that has the type, where that is later than 3. */
  readonly since: number;
}

const ROWS: readonly (readonly [number, string, number, DType | null, number])[] = [
  [1, 'float', 32, 'float32', 1],
  [2, 'uint8', 8, 'uint8', 1],
  [3, 'int8', 8, 'int8', 1],
  [4, 'uint16', 16, 'uint16', 1],
  [5, 'int16', 16, 'int16', 1],
  [6, 'int32', 32, 'int32', 1],
  [7, 'int64', 64, 'int64', 1],
  [8, 'string', 0, null, 1],
  [9, 'bool', 8, 'bool', 1],
  [10, 'float16', 16, 'float16', 1],
  [11, 'double', 64, 'float64', 1],
  [12, 'uint32', 32, 'uint32', 1],
  [13, 'uint64', 64, 'uint64', 1],
  [14, 'complex64', 64, 'complex64', 1],
  [15, 'complex128', 128, 'complex128', 1],
  [16, 'bfloat16', 16, 'bfloat16', 1],
  [17, 'float8e4m3fn', 8, 'float8_e4m3fn', 9],
  [18, 'float8e4m3fnuz', 8, 'float8_e4m3fnuz', 9],
  [19, 'float8e5m2', 8, 'float8_e5m2', 9],
  [20, 'float8e5m2fnuz', 8, 'float8_e5m2fnuz', 9],
  [21, 'uint4', 4, null, 10],
  [22, 'int4', 4, null, 10],
  [23, 'float4e2m1', 4, null, 11],
  [24, 'float8e8m0', 8, 'float8_e8m0fnu', 12],
  [25, 'uint2', 2, null, 13],
  [26, 'int2', 2, null, 13],
];

export const STRING = 8;

const BY_CODE: ReadonlyMap<number, ElementType> = new Map(ROWS.map(([code, name, bits, dtype, since]) => [code, { code, name, bits, dtype, since }]));
const BY_DTYPE: ReadonlyMap<DType, number> = new Map(ROWS.flatMap(([code, , , dtype]) => (dtype === null ? [] : [[dtype, code] as const])));

/** `null` for 0 (undefined) and for types that came after this program (27, 28: 6-bit floats). */
export function elementType(code: number): ElementType | null {
  return BY_CODE.get(code) ?? null;
}

/** By ONNX's own spelling in lower case; `null` for one that is none of them. */
export function elementTypeNamed(name: string): ElementType | null {
  for (const type of BY_CODE.values()) if (type.name === name) return type;
  return null;
}

/** ONNX's type of the same bits; `null` for complex32, which ONNX does not have. */
export function elementTypeOf(dtype: DType): number | null {
  return BY_DTYPE.get(dtype) ?? null;
}

/** `float`, `type 27` for one that we do not know. */
export function elementTypeName(code: number): string {
  return BY_CODE.get(code)?.name ?? `type ${code}`;
}

/** `float[2, 3]`; a scalar has `[]`. */
export function typeAndShape(code: number, dims: readonly (number | string | null)[] | null): string {
  return dims === null ? elementTypeName(code) : `${elementTypeName(code)}[${dims.map((dim) => dim ?? '?').join(', ')}]`;
}

/** Elements of a shape; `null` when no tensor can have it (a hostile file names negative or endless extents). */
export function countOf(dims: Shape): number | null {
  try {
    return elementCount(dims);
  } catch {
    return null;
  }
}

/**
 * Bytes that raw_data has for a shape: types of less than a byte are packed, the last byte padded. `null` for texts, for types that we do
 * not know, and for shapes that no tensor can have.
 */
export function rawBytes(code: number, dims: Shape): number | null {
  const bits = BY_CODE.get(code)?.bits ?? 0;
  const count = countOf(dims);
  if (bits === 0 || count === null) return null;
  const bytes = bits < 8 ? Math.ceil(count / (8 / bits)) : count * (bits / 8);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
