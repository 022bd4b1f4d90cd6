import type { DType } from '../../../shared/model/dtype';
import { dtypeKind } from '../../../shared/model/dtype';
import type { PairNumbers } from '../../../shared/model/pairNumbers';
import type { Shape } from '../../../shared/model/shape';
import type { Tolerance } from './judgeDifferences';
import type { PairPart } from './pairPart';
import { rootOf, scaled, totalOf } from './sum';

export interface ComparedTensors {
  readonly comparedAs: DType;
  readonly shape: Shape;
  readonly tolerance: Tolerance;
  /** Whether both were of that type; units in the last place mean nothing between different types. */
  readonly sameType: boolean;
}

/** The numbers of two whole tensors. */
export function pairNumbersOf(part: PairPart, { comparedAs, shape, tolerance, sameType }: ComparedTensors): PairNumbers {
  const { elements, finite, changed, beyond, notFinite, signFlips, maxAbs, maxRelative } = part;
  const kind = dtypeKind(comparedAs);
  const absolute = totalOf(part.absolute);
  const norm = rootOf(part.squares);
  const mean = (value: number) => (finite === 0 ? 0 : value / finite);
  return {
    comparedAs,
    shape,
    elements,
    changed,
    beyond,
    ...tolerance,
    notFinite,
    signFlips,
    maxAbs,
    maxAt: part.maxIndex < 0 ? null : multiIndex(part.maxIndex, shape),
    maxRelative,
    meanAbs: scaled(mean(absolute.value), absolute.exponent),
    rms: rootOf({ ...part.squares, value: mean(part.squares.value), rest: mean(part.squares.rest) }),
    norm,
    relativeL2: relativeOf(part),
    cosine: cosineOf(part),
    maxUlp: sameType && (kind === 'float' || kind === 'complex') ? part.maxUlp : null,
  };
}

/** Indices along each axis of the element that has `place` others before it in C order. */
export function multiIndex(place: number, shape: Shape): number[] {
  const index = new Array<number>(shape.length);
  let rest = place;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis] as number;
    index[axis] = rest % extent;
    rest = Math.floor(rest / extent);
  }
  return index;
}

/** Ratio of the roots, formed before the scales come in: neither norm has to fit into a double. */
function relativeOf({ squares, before }: PairPart): number | null {
  const [delta, base] = [totalOf(squares), totalOf(before)];
  if (delta.value === 0) return 0;
  if (base.value === 0) return null;
  return scaled(Math.sqrt(delta.value) / Math.sqrt(base.value), (delta.exponent - base.exponent) / 2);
}

function cosineOf({ before, after, product, squares }: PairPart): number | null {
  const [a, b, inner] = [totalOf(before), totalOf(after), totalOf(product)];
  if (a.value === 0 && b.value === 0) return 1;
  if (a.value === 0 || b.value === 0) return null;
  // Equal tensors are parallel, whatever the root of a square is rounded to.
  if (totalOf(squares).value === 0) return 1;
  const cosine = scaled(inner.value / Math.sqrt(a.value) / Math.sqrt(b.value), inner.exponent - (a.exponent + b.exponent) / 2);
  return Math.min(1, Math.max(-1, cosine));
}
