import type { DType } from '../../../shared/model/dtype';

/**
 * The least positive normal number of a floating-point type (of a part, for complex ones); 0 for types that have no subnormal numbers:
 * integers, and E8M0, which has exponents only. Biases as in decodeTables.ts: 2^(1 - bias).
 */
export function leastNormal(dtype: DType): number {
  switch (dtype) {
    case 'float16':
    case 'complex32':
      return 2 ** -14;
    case 'bfloat16':
    case 'float32':
    case 'complex64':
      return 2 ** -126;
    case 'float64':
    case 'complex128':
      return 2 ** -1022;
    case 'float8_e4m3fn':
      return 2 ** -6;
    case 'float8_e4m3fnuz':
      return 2 ** -7;
    case 'float8_e5m2':
      return 2 ** -14;
    case 'float8_e5m2fnuz':
      return 2 ** -15;
    default:
      return 0;
  }
}
