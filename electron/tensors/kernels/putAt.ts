import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { bytesOf, type Lanes } from './lanes';

export interface Replacement {
  /** Elements of the target, each inside it, counted from `first`. */
  readonly positions: Int32Array;
  /** Position of the target's first element; default 0. */
  readonly first?: number;
  /** What each becomes, in the target's type. */
  readonly values: Lanes;
}

/** `target[p - first] = value`. Bits are moved as integers: a processor that moves floats may change a NaN. */
export function putAt(dtype: DType, target: Lanes, { positions, first = 0, values }: Replacement): void {
  const unit = Math.min(4, target.BYTES_PER_ELEMENT);
  const units = dtypeBytes(dtype) / unit;
  const to = unitsOf(target, unit);
  const from = unitsOf(values, unit);
  if (units === 1) {
    for (let i = 0; i < positions.length; i++) to[(positions[i] ?? 0) - first] = from[i] ?? 0;
    return;
  }
  for (let i = 0; i < positions.length; i++) {
    const at = ((positions[i] ?? 0) - first) * units;
    for (let part = 0; part < units; part++) to[at + part] = from[i * units + part] ?? 0;
  }
}

function unitsOf(lanes: Lanes, unit: number): Uint8Array | Uint16Array | Uint32Array {
  if (unit === 1) return bytesOf(lanes);
  const length = lanes.byteLength / unit;
  return unit === 2 ? new Uint16Array(lanes.buffer, lanes.byteOffset, length) : new Uint32Array(lanes.buffer, lanes.byteOffset, length);
}
