import { assertNever } from '../../../shared/base/assertNever';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';

export type NumberLanes = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type BigLanes = BigInt64Array | BigUint64Array;

/**
 * Elements as a typed array: 16- and 8-bit floats as their bits, complex numbers as pairs. All hosts are little-endian, so lanes are
 * views of the raw bytes.
 */
export type Lanes = NumberLanes | BigLanes;

interface LaneType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** The bytes as lanes; copied only where they are not aligned. */
export function lanesOf(dtype: DType, bytes: Uint8Array): Lanes {
  const view = <T>(type: LaneType<T>): T => {
    const aligned = bytes.byteOffset % type.BYTES_PER_ELEMENT === 0 ? bytes : Uint8Array.from(bytes);
    return new type(aligned.buffer, aligned.byteOffset, aligned.byteLength / type.BYTES_PER_ELEMENT);
  };
  switch (dtype) {
    case 'bool':
    case 'uint8':
    case 'float8_e4m3fn':
    case 'float8_e4m3fnuz':
    case 'float8_e5m2':
    case 'float8_e5m2fnuz':
    case 'float8_e8m0fnu':
      return view(Uint8Array);
    case 'int8':
      return view(Int8Array);
    case 'uint16':
    case 'float16':
    case 'bfloat16':
    case 'complex32':
      return view(Uint16Array);
    case 'int16':
      return view(Int16Array);
    case 'uint32':
      return view(Uint32Array);
    case 'int32':
      return view(Int32Array);
    case 'uint64':
      return view(BigUint64Array);
    case 'int64':
      return view(BigInt64Array);
    case 'float32':
    case 'complex64':
      return view(Float32Array);
    case 'float64':
    case 'complex128':
      return view(Float64Array);
    default:
      return assertNever(dtype);
  }
}

/** Lanes of zeros for so many elements. */
export function zeroLanes(dtype: DType, count: number): Lanes {
  return lanesOf(dtype, new Uint8Array(count * dtypeBytes(dtype)));
}

/** Lanes of one element: two for complex types. */
export function lanesPerElement(dtype: DType): number {
  return dtype.startsWith('complex') ? 2 : 1;
}

/** The raw bytes behind lanes. */
export function bytesOf(lanes: Lanes): Uint8Array {
  return new Uint8Array(lanes.buffer, lanes.byteOffset, lanes.byteLength);
}

export function isBig(lanes: Lanes): lanes is BigLanes {
  return lanes instanceof BigInt64Array || lanes instanceof BigUint64Array;
}
