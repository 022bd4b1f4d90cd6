import { describe, expect, it } from 'vitest';
import { DTYPES, isDType } from '../../shared/model/dtype';
import { promote, promoteMatmul } from './promote';

/** `(np.zeros(1, a) + np.zeros(1, b)).dtype` of NumPy 2.4 with ml_dtypes 0.6, the columns in the order of the rows. */
const ADDED: Readonly<Record<string, string>> = {
  bool: 'bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex64 complex128',
  uint8: 'uint8 uint8 int16 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex64 complex128',
  int8: 'int8 int16 int8 int32 int16 int64 int32 float64 int64 float16 bfloat16 float32 float64 complex64 complex128',
  uint16: 'uint16 uint16 int32 uint16 int32 uint32 int32 uint64 int64 float32 float32 float32 float64 complex64 complex128',
  int16: 'int16 int16 int16 int32 int16 int64 int32 float64 int64 float32 float32 float32 float64 complex64 complex128',
  uint32: 'uint32 uint32 int64 uint32 int64 uint32 int64 uint64 int64 float64 float64 float64 float64 complex128 complex128',
  int32: 'int32 int32 int32 int32 int32 int64 int32 float64 int64 float64 float64 float64 float64 complex128 complex128',
  uint64: 'uint64 uint64 float64 uint64 float64 uint64 float64 uint64 float64 float64 float64 float64 float64 complex128 complex128',
  int64: 'int64 int64 int64 int64 int64 int64 int64 float64 int64 float64 float64 float64 float64 complex128 complex128',
  float16: 'float16 float16 float16 float32 float32 float64 float64 float64 float64 float16 float32 float32 float64 complex64 complex128',
  bfloat16: 'bfloat16 bfloat16 bfloat16 float32 float32 float64 float64 float64 float64 float32 bfloat16 float32 float64 complex64 complex128',
  float32: 'float32 float32 float32 float32 float32 float64 float64 float64 float64 float32 float32 float32 float64 complex64 complex128',
  float64: 'float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 complex128 complex128',
  complex64:
    'complex64 complex64 complex64 complex64 complex64 complex128 complex128 complex128 complex128 complex64 complex64 complex64 complex128 complex64 complex128',
  complex128:
    'complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128',
};
const NAMES = Object.keys(ADDED);

describe('promote', () => {
  it.each(NAMES)('gives what NumPy gives for %s with every type', (a) => {
    const found = NAMES.map((b) => (isDType(a) && isDType(b) ? promote(a, b) : 'unknown'));
    expect(found.join(' ')).toBe(ADDED[a]);
  });

  it('has nothing for types that NumPy cannot mix', () => {
    const foreign = DTYPES.filter((dtype) => !NAMES.includes(dtype));
    for (const a of foreign) for (const b of DTYPES) expect(promote(a, b)).toBe(a === b && a !== 'complex32' ? a : null);
  });
});

describe('promoteMatmul', () => {
  it('multiplies matrices of bfloat16 in float32', () => {
    // NumPy: (np.zeros((1, 1), a) @ np.zeros((1, 1), b)).dtype differs from that of a sum for these only.
    const differing = NAMES.flatMap((a) => NAMES.filter((b) => isDType(a) && isDType(b) && promoteMatmul(a, b) !== promote(a, b)).map((b) => `${a} ${b}`));
    expect(differing).toEqual(['bool bfloat16', 'uint8 bfloat16', 'int8 bfloat16', 'bfloat16 bool', 'bfloat16 uint8', 'bfloat16 int8', 'bfloat16 bfloat16']);
    expect(promoteMatmul('bfloat16', 'int8')).toBe('float32');
  });
});
