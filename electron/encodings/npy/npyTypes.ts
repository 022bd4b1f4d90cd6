import { type DType, dtypeBytes } from '../../../shared/model/dtype';

/** NumPy's kind and size of the types that it has itself (numpy.dtype.str without the byte order). */
const CODES = {
  b1: 'bool',
  u1: 'uint8',
  i1: 'int8',
  u2: 'uint16',
  i2: 'int16',
  u4: 'uint32',
  i4: 'int32',
  u8: 'uint64',
  i8: 'int64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  c8: 'complex64',
  c16: 'complex128',
} as const satisfies Record<string, DType>;

const BY_CODE: ReadonlyMap<string, DType> = new Map(Object.entries(CODES));
const BY_DTYPE: ReadonlyMap<DType, string> = new Map(Object.entries(CODES).map(([code, dtype]) => [dtype, code]));

export interface NpyType {
  readonly dtype: DType;
  readonly bigEndian: boolean;
}

/** NumPy's letter and bytes of a type, without the byte order (`f4`); `b1` is bool, not a byte. `undefined` for what is none of ours. */
export function numpyDtype(code: string): DType | undefined {
  return BY_CODE.get(code);
}

/** `descr` of a simple array, e.g. `<f4`; `null` for a type that is none of ours (texts, objects, long double, void ...). */
export function parseDescr(descr: string): NpyType | null {
  const order = descr.charAt(0);
  const dtype = BY_CODE.get(descr.slice(1));
  if (dtype === undefined || !'<>|='.includes(order)) return null;
  return { dtype, bigEndian: order === '>' && dtypeBytes(dtype) > 1 };
}

/** `null` for the types that NumPy does not have: bfloat16, 8-bit floats, complex32. */
export function descrOf(dtype: DType): string | null {
  const code = BY_DTYPE.get(dtype);
  if (code === undefined) return null;
  return dtypeBytes(dtype) === 1 ? `|${code}` : `<${code}`;
}
