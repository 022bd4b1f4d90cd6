import { type DType, dtypeBytes, dtypeKind } from '../../shared/model/dtype';

/**
 * Element type of `a + b` and `a * b` of two arrays in NumPy 2 (NEP 50; bfloat16 as ml_dtypes registers it): int64 with float32 gives
 * float64, uint64 with int64 float64, int8 with float16 float16, int16 with float16 float32.
 * @returns `null` for types that NumPy has no arithmetic for (float8 of different kinds, complex32)
 */
export function promote(a: DType, b: DType): DType | null {
  if (isForeign(a) || isForeign(b)) return a === b && a !== 'complex32' ? a : null;
  if (a === b) return a;
  if (a === 'bool') return b;
  if (b === 'bool') return a;
  const kinds = [dtypeKind(a), dtypeKind(b)];
  if (kinds.includes('complex')) return realBytes(a) > 4 || realBytes(b) > 4 ? 'complex128' : 'complex64';
  if (kinds.includes('float')) return promoteFloat(a, b);
  return promoteIntegers(a, b);
}

/**
 * Element type of `a @ b`. It is that of `a * b`, but bfloat16 has no matrix product of its own and is computed in float32.
 */
export function promoteMatmul(a: DType, b: DType): DType | null {
  const product = promote(a, b);
  return product === 'bfloat16' ? 'float32' : product;
}

function isForeign(dtype: DType): boolean {
  return dtype.startsWith('float8') || dtype === 'complex32';
}

/** Bytes of the smallest float that holds the type's real part without loss, as NumPy sees it. */
function realBytes(dtype: DType): number {
  const bytes = dtypeBytes(dtype);
  const kind = dtypeKind(dtype);
  if (kind === 'complex') return bytes / 2;
  return kind === 'float' ? bytes : floatFor(bytes);
}

/** float16 holds 8-bit integers, float32 16-bit ones; NumPy puts all larger ones into float64. */
function floatFor(integerBytes: number): number {
  return integerBytes === 1 ? 2 : integerBytes === 2 ? 4 : 8;
}

function promoteFloat(a: DType, b: DType): DType {
  const bytes = Math.max(realBytes(a), realBytes(b));
  if (bytes === 8) return 'float64';
  if (bytes === 4) return 'float32';
  // Both have at most 16 bits: a half with an 8-bit integer, or the two halves, neither of which holds the other.
  if (dtypeKind(a) === 'float' && dtypeKind(b) === 'float') return 'float32';
  return dtypeKind(a) === 'float' ? a : b;
}

function promoteIntegers(a: DType, b: DType): DType {
  if (dtypeKind(a) === dtypeKind(b)) return dtypeBytes(a) >= dtypeBytes(b) ? a : b;
  const [signed, unsigned] = dtypeKind(a) === 'int' ? [a, b] : [b, a];
  if (dtypeBytes(signed) > dtypeBytes(unsigned)) return signed;
  switch (dtypeBytes(unsigned)) {
    case 1:
      return 'int16';
    case 2:
      return 'int32';
    case 4:
      return 'int64';
    default:
      return 'float64';
  }
}
