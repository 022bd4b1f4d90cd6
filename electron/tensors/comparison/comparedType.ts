import type { DType } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';
import { convertLanes } from '../kernels/convertLanes';
import { decodeHalves } from '../kernels/decodeHalves';
import { bytesOf, lanesOf } from '../kernels/lanes';
import { promote } from '../promote';

/**
 * The type in which two tensors are compared: their own when it is one, else the one that NumPy 2 would compute a + b in (`promote`), which
 * holds every value of both but for 64-bit integers beside floats (nearest double there, as NumPy casts). Types that NumPy has no arithmetic for
 * count as the next one that holds all their values: 8-bit floats as float32, complex32 as complex64.
 */
export function comparedType(a: DType, b: DType): DType {
  if (a === b) return a;
  // What is known to NumPy always has a common type; float64 is never reached.
  return promote(known(a), known(b)) ?? 'float64';
}

function known(dtype: DType): DType {
  if (dtype.startsWith('float8')) return 'float32';
  return dtype === 'complex32' ? 'complex64' : dtype;
}

/** Little-endian elements of one type as those of a wider one, as `comparedType` gave it. The bytes themselves when the type is the same. */
export function widen(bytes: Uint8Array, from: DType, to: DType): Uint8Array {
  if (from === to) return bytes;
  if (from.startsWith('float8')) {
    const values = new Float64Array(bytes.byteLength);
    decodeToFloat64(from, bytes, values);
    return bytesOf(convertLanes(Float32Array.from(values), 'float32', to));
  }
  if (from === 'complex32') {
    const halves = lanesOf(from, bytes);
    const parts = halves instanceof Uint16Array ? decodeHalves('float16', halves) : new Float32Array(0);
    return bytesOf(convertLanes(parts, 'complex64', to));
  }
  return bytesOf(convertLanes(lanesOf(from, bytes), from, to));
}
