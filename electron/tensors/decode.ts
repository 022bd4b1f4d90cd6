import { assertNever } from '../../shared/base/assertNever';
import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { floatTable } from './decodeTables';

/**
 * Little-endian elements as numbers, for statistics: int64 and uint64 become the nearest double, bool 0 or 1, complex numbers their
 * magnitude (that of complex64 rounded to float32 where that is finite). Everything else is exact.
 * @param bytes whole elements; need not be aligned.
 * @param into at least as long as there are elements.
 * @returns how many elements were decoded.
 */
export function decodeToFloat64(dtype: DType, bytes: Uint8Array, into: Float64Array): number {
  const count = bytes.byteLength / dtypeBytes(dtype);
  if (!Number.isInteger(count)) throw new RangeError(`${bytes.byteLength} bytes are no whole number of ${dtype} elements`);
  if (into.length < count) throw new RangeError(`${count} elements do not fit into ${into.length}`);
  switch (dtype) {
    case 'bool':
      for (let i = 0; i < count; i++) into[i] = bytes[i] === 0 ? 0 : 1;
      return count;
    case 'float8_e4m3fn':
    case 'float8_e4m3fnuz':
    case 'float8_e5m2':
    case 'float8_e5m2fnuz':
    case 'float8_e8m0fnu':
      return lookUp(floatTable(dtype), bytes, into);
    case 'float16':
    case 'bfloat16':
      return lookUp(floatTable(dtype), view(Uint16Array, bytes), into);
    case 'uint8':
      into.set(bytes);
      return count;
    case 'int8':
      into.set(new Int8Array(bytes.buffer, bytes.byteOffset, count));
      return count;
    case 'uint16':
      into.set(view(Uint16Array, bytes));
      return count;
    case 'int16':
      into.set(view(Int16Array, bytes));
      return count;
    case 'uint32':
      into.set(view(Uint32Array, bytes));
      return count;
    case 'int32':
      into.set(view(Int32Array, bytes));
      return count;
    case 'float32':
      into.set(view(Float32Array, bytes));
      return count;
    case 'float64':
      into.set(view(Float64Array, bytes));
      return count;
    case 'uint64':
      return wideIntegers(view(Uint32Array, bytes), view(Uint32Array, bytes), into);
    case 'int64':
      return wideIntegers(view(Uint32Array, bytes), view(Int32Array, bytes), into);
    case 'complex32': {
      const halves = view(Uint16Array, bytes);
      const table = floatTable('float16');
      for (let i = 0; i < count; i++) into[i] = Math.hypot(table[halves[2 * i] ?? 0] ?? 0, table[halves[2 * i + 1] ?? 0] ?? 0);
      return count;
    }
    case 'complex64':
      magnitudes(view(Float32Array, bytes), into);
      // As NumPy and PyTorch give it, a number of the type that the parts have; but no finite one becomes infinite.
      for (let i = 0; i < count; i++) {
        const rounded = Math.fround(into[i] ?? 0);
        if (Number.isFinite(rounded)) into[i] = rounded;
      }
      return count;
    case 'complex128':
      return magnitudes(view(Float64Array, bytes), into);
    default:
      return assertNever(dtype);
  }
}

interface ViewType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** The bytes as a typed array (all hosts that Node and Electron run on are little-endian); copied only when not aligned. */
function view<T>(type: ViewType<T>, bytes: Uint8Array): T {
  const aligned = bytes.byteOffset % type.BYTES_PER_ELEMENT === 0 ? bytes : Uint8Array.from(bytes);
  return new type(aligned.buffer, aligned.byteOffset, aligned.byteLength / type.BYTES_PER_ELEMENT);
}

function lookUp(table: Float32Array, indices: Uint8Array | Uint16Array, into: Float64Array): number {
  for (let i = 0; i < indices.length; i++) into[i] = table[indices[i] ?? 0] ?? 0;
  return indices.length;
}

/** `high` is the same words, signed or not. Both products are exact, so the sum is rounded once. */
function wideIntegers(low: Uint32Array, high: Uint32Array | Int32Array, into: Float64Array): number {
  const count = low.length / 2;
  for (let i = 0; i < count; i++) into[i] = (high[2 * i + 1] ?? 0) * 4294967296 + (low[2 * i] ?? 0);
  return count;
}

function magnitudes(parts: Float32Array | Float64Array, into: Float64Array): number {
  const count = parts.length / 2;
  // Math.hypot scales, so that squares neither overflow nor vanish.
  for (let i = 0; i < count; i++) into[i] = Math.hypot(parts[2 * i] ?? 0, parts[2 * i + 1] ?? 0);
  return count;
}
