import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';

export interface PatternValues {
  /** Value of every bit pattern. */
  readonly values: Float64Array;
  /** Patterns of finite values, ascending by value. */
  readonly ascending: Uint16Array;
}

const made = new Map<DType, PatternValues>();

/** What the bit patterns of a type of up to 16 bits stand for; made when first asked for. */
export function patternValues(dtype: DType): PatternValues {
  let found = made.get(dtype);
  if (found === undefined) {
    const size = dtypeBytes(dtype);
    const patterns = size === 1 ? Uint8Array.from({ length: 256 }, (_, i) => i) : Uint16Array.from({ length: 65_536 }, (_, i) => i);
    const values = new Float64Array(patterns.length);
    decodeToFloat64(dtype, new Uint8Array(patterns.buffer), values);
    const finite = [...patterns].filter((pattern) => Number.isFinite(values[pattern]));
    found = { values, ascending: Uint16Array.from(finite.sort((a, b) => (values[a] as number) - (values[b] as number))) };
    made.set(dtype, found);
  }
  return found;
}
