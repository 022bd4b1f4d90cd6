import type { DType } from '../../../shared/model/dtype';
import { addLanes } from './addLanes';
import { isBig, type Lanes } from './lanes';

export interface Addition {
  /** Elements of the target, each inside it. */
  readonly positions: Int32Array;
  /** What is added to each, in the target's type. */
  readonly values: Lanes;
}

/** `target[p] = value + target[p]` one after the other, so that a position may come again; arithmetic as in `addLanes`. */
export function addAt(dtype: DType, target: Lanes, { positions, values }: Addition): void {
  if (dtype === 'bool' || dtype === 'float16' || dtype === 'bfloat16') addOneByOne(dtype, target, { positions, values });
  else if (dtype.startsWith('complex')) addPairs(target, { positions, values });
  else if (target instanceof Float32Array && values instanceof Float32Array) addFloat32(target, positions, values);
  else if (isBig(target) && isBig(values)) {
    for (let i = 0; i < positions.length; i++) {
      const at = positions[i] ?? 0;
      target[at] = (values[i] ?? 0n) + (target[at] ?? 0n);
    }
  } else if (!isBig(target) && !isBig(values)) {
    for (let i = 0; i < positions.length; i++) {
      const at = positions[i] ?? 0;
      target[at] = (values[i] ?? 0) + (target[at] ?? 0);
    }
  }
}

function addFloat32(target: Float32Array, positions: Int32Array, values: Float32Array): void {
  for (let i = 0; i < positions.length; i++) {
    const at = positions[i] ?? 0;
    target[at] = (values[i] ?? 0) + (target[at] ?? 0);
  }
}

function addOneByOne(dtype: DType, target: Lanes, { positions, values }: Addition): void {
  for (let i = 0; i < positions.length; i++) {
    const at = positions[i] ?? 0;
    addLanes(dtype, values.subarray(i, i + 1), target.subarray(at, at + 1));
  }
}

function addPairs(target: Lanes, { positions, values }: Addition): void {
  if (isBig(target) || isBig(values)) return;
  for (let i = 0; i < positions.length; i++) {
    const at = 2 * (positions[i] ?? 0);
    target[at] = (values[2 * i] ?? 0) + (target[at] ?? 0);
    target[at + 1] = (values[2 * i + 1] ?? 0) + (target[at + 1] ?? 0);
  }
}
