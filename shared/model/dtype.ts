/**
 * Element types by PyTorch's spelling; file formats translate their own spelling at their edge.
 * `bytes` is the size of one element; complex types count both parts.
 */
const TABLE = {
  bool: { bytes: 1, kind: 'bool' },
  uint8: { bytes: 1, kind: 'uint' },
  int8: { bytes: 1, kind: 'int' },
  uint16: { bytes: 2, kind: 'uint' },
  int16: { bytes: 2, kind: 'int' },
  uint32: { bytes: 4, kind: 'uint' },
  int32: { bytes: 4, kind: 'int' },
  uint64: { bytes: 8, kind: 'uint' },
  int64: { bytes: 8, kind: 'int' },
  float8_e4m3fn: { bytes: 1, kind: 'float' },
  float8_e4m3fnuz: { bytes: 1, kind: 'float' },
  float8_e5m2: { bytes: 1, kind: 'float' },
  float8_e5m2fnuz: { bytes: 1, kind: 'float' },
  float8_e8m0fnu: { bytes: 1, kind: 'float' },
  float16: { bytes: 2, kind: 'float' },
  bfloat16: { bytes: 2, kind: 'float' },
  float32: { bytes: 4, kind: 'float' },
  float64: { bytes: 8, kind: 'float' },
  complex32: { bytes: 4, kind: 'complex' },
  complex64: { bytes: 8, kind: 'complex' },
  complex128: { bytes: 16, kind: 'complex' },
} as const satisfies Record<string, { bytes: number; kind: DTypeKind }>;

export type DTypeKind = 'bool' | 'int' | 'uint' | 'float' | 'complex';
export type DType = keyof typeof TABLE;

export const DTYPES = Object.keys(TABLE) as readonly DType[];

export function isDType(name: string): name is DType {
  return Object.hasOwn(TABLE, name);
}

/** Bytes of one element. */
export function dtypeBytes(dtype: DType): number {
  return TABLE[dtype].bytes;
}

export function dtypeKind(dtype: DType): DTypeKind {
  return TABLE[dtype].kind;
}
