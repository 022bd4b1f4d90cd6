import type { DType } from '../../../shared/model/dtype';
import { addLanes } from './addLanes';
import { isBig, type Lanes } from './lanes';

export interface Addition {
  /** Elements of the target, each inside it, counted from `first`. */
  readonly positions: Int32Array;
  /** Position of the target's first element; default 0. */
  readonly first?: number;
  /** What is added to each, in the target's type. */
  readonly values: Lanes;
}

/** `target[p - first] = value + target[p - first]` one after the other, so that a position may come again; arithmetic as in `addLanes`. */
export function addAt(dtype: DType, target: Lanes, { positions, first = 0, values }: Addition): void {
  if (dtype === 'bool' || dtype === 'float16' || dtype === 'bfloat16') addOneByOne(dtype, target, { positions, first, values });
  else if (dtype.startsWith('complex')) addPairs(target, { positions, first, values });
  else if (target instanceof Float32Array && values instanceof Float32Array) addFloat32(target, values, { positions, first });
  else if (isBig(target) && isBig(values)) {
    for (let i = 0; i < positions.length; i++) {
      const at = (positions[i] ?? 0) - first;
      target[at] = (values[i] ?? 0n) + (target[at] ?? 0n);
    }
  } else if (!isBig(target) && !isBig(values)) {
    for (let i = 0; i < positions.length; i++) {
      const at = (positions[i] ?? 0) - first;
      target[at] = (values[i] ?? 0) + (target[at] ?? 0);
    }
  }
}

function addFloat32(target: Float32Array, values: Float32Array, { positions, first }: Required<Pick<Addition, 'positions' | 'first'>>): void {
  for (let i = 0; i < positions.length; i++) {
    const at = (positions[i] ?? 0) - first;
    target[at] = (values[i] ?? 0) + (target[at] ?? 0);
  }
}

function addOneByOne(dtype: DType, target: Lanes, { positions, first, values }: Required<Addition>): void {
  for (let i = 0; i < positions.length; i++) {
    const at = (positions[i] ?? 0) - first;
    addLanes(dtype, values.subarray(i, i + 1), target.subarray(at, at + 1));
  }
}

function addPairs(target: Lanes, { positions, first, values }: Required<Addition>): void {
  if (isBig(target) || isBig(values)) return;
  for (let i = 0; i < positions.length; i++) {
    const at = 2 * ((positions[i] ?? 0) - first);
    target[at] = (values[2 * i] ?? 0) + (target[at] ?? 0);
    target[at + 1] = (values[2 * i + 1] ?? 0) + (target[at + 1] ?? 0);
  }
}
