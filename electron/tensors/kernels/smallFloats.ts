const single = new Float32Array(1);
const word = new Uint32Array(single.buffer);

/**
 * float32 to binary16, to nearest, ties to even; NaN keeps its sign and the upper bits of its payload, as numpy's `npy_floatbits_to_halfbits`.
 * @param value a float32 value; other doubles are rounded to float32 first
 */
export function toFloat16(value: number): number {
  single[0] = value;
  const bits = word[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x47800000) {
    if (magnitude <= 0x7f800000) return sign | 0x7c00;
    const payload = (magnitude >>> 13) & 0x3ff;
    return sign | 0x7c00 | (payload === 0 ? 1 : payload);
  }
  // Half of the smallest subnormal, 2^-25, and below rounds to zero.
  if (magnitude <= 0x33000000) return sign;
  if (magnitude < 0x38800000) {
    // Subnormal: the 24-bit significand, shifted to units of 2^-24.
    return sign | roundShift((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >>> 23));
  }
  // A carry out of the fraction goes into the exponent, as it should.
  return sign | roundShift(magnitude - 0x38000000, 13);
}

/**
 * float32 to bfloat16, to nearest, ties to even; every NaN becomes the quiet NaN with its sign, as ml_dtypes (numpy's bfloat16) does.
 * @param value a float32 value; other doubles are rounded to float32 first
 */
export function toBfloat16(value: number): number {
  single[0] = value;
  const bits = word[0] ?? 0;
  if ((bits & 0x7fffffff) > 0x7f800000) return ((bits >>> 16) & 0x8000) | 0x7fc0;
  return roundShift(bits, 16);
}

/** bits / 2^shift, to nearest, ties to even. */
function roundShift(bits: number, shift: number): number {
  const kept = bits >>> shift;
  const rest = bits & (2 ** shift - 1);
  const half = 2 ** (shift - 1);
  return kept + (rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0);
}
