import { type DType, dtypeKind } from '../../../shared/model/dtype';
import { addLanes } from './addLanes';
import { addZeroFloat32 } from './float32Kernels';
import { type Lanes, zeroLanes } from './lanes';

/** Elements at a time, so that the zeros stay small. */
const PIECE = 65_536;

/**
 * `lanes = 0 + lanes`: what adding a sparse update does to every element that it does not name. -0.0 becomes +0.0 and a signalling NaN
 * quiet; integers stay as they are.
 */
export function addZero(dtype: DType, lanes: Lanes): void {
  const kind = dtypeKind(dtype);
  if (kind !== 'float' && kind !== 'complex') return;
  if (lanes instanceof Float32Array) {
    addZeroFloat32(lanes);
    return;
  }
  if (lanes instanceof Float64Array) {
    for (let i = 0; i < lanes.length; i++) lanes[i] = 0 + (lanes[i] ?? 0);
    return;
  }
  const zeros = zeroLanes(dtype, Math.min(PIECE, lanes.length));
  for (let at = 0; at < lanes.length; at += PIECE) {
    const piece = lanes.subarray(at, at + PIECE);
    addLanes(dtype, zeros.subarray(0, piece.length), piece);
  }
}
