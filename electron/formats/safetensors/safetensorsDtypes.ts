import type { DType } from '../../../shared/model/dtype';

/** safetensors' spelling of the types that it can hold (`Dtype` of the reference implementation, safetensors/src/tensor.rs). */
const NAMES = {
  BOOL: 'bool',
  U8: 'uint8',
  I8: 'int8',
  U16: 'uint16',
  I16: 'int16',
  U32: 'uint32',
  I32: 'int32',
  U64: 'uint64',
  I64: 'int64',
  F8_E4M3: 'float8_e4m3fn',
  F8_E4M3FNUZ: 'float8_e4m3fnuz',
  F8_E5M2: 'float8_e5m2',
  F8_E5M2FNUZ: 'float8_e5m2fnuz',
  F8_E8M0: 'float8_e8m0fnu',
  F16: 'float16',
  BF16: 'bfloat16',
  F32: 'float32',
  F64: 'float64',
  C64: 'complex64',
} as const satisfies Record<string, DType>;

const BY_NAME: ReadonlyMap<string, DType> = new Map(Object.entries(NAMES));
const BY_DTYPE: ReadonlyMap<DType, string> = new Map(Object.entries(NAMES).map(([name, dtype]) => [dtype, name]));

/** Packed types of the reference whose elements are no whole bytes, with their bits; we check their place but do not read them. */
const PACKED_BITS: ReadonlyMap<string, number> = new Map([
  ['F4', 4],
  ['F6_E2M3', 6],
  ['F6_E3M2', 6],
]);

export function dtypeOf(name: string): DType | undefined {
  return BY_NAME.get(name);
}

export function packedBits(name: string): number | undefined {
  return PACKED_BITS.get(name);
}

/** `undefined` for the types that safetensors has no name for (complex32, complex128). */
export function nameOf(dtype: DType): string | undefined {
  return BY_DTYPE.get(dtype);
}
