import type { DType } from '../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../shared/model/shape';
import { compareKeys } from './compareKeys';

interface Sized {
  readonly keys: readonly string[];
  readonly dtype: DType;
  readonly shape: Shape;
}

/**
 * The group whose object carries the facts about the whole checkpoint: the one with the fewest bytes, the first by its keys among equals.
 * Writer and reader follow the same rule, so nothing has to say which one it is.
 */
export function carrierOf<T extends Sized>(groups: Iterable<T>): T | null {
  let carrier: T | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const group of groups) {
    const bytes = tensorBytes(group.dtype, group.shape);
    if (carrier === null || bytes < least || (bytes === least && compareKeys(group.keys, carrier.keys) < 0)) {
      carrier = group;
      least = bytes;
    }
  }
  return carrier;
}
