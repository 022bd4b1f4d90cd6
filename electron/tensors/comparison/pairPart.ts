import type { Closeness } from '../../../shared/model/pairNumbers';
import { joinCloseness, noCloseness } from './closenessTable';
import { addSum, emptySum, type Sum, totalOf } from './sum';

/** Equally many elements of both tensors, in the type they are compared in. */
export interface PairChunk {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  /** Place of the first element in the whole tensor. */
  readonly at: number;
}

/** What is known of a part of two tensors, or of all; parts join exactly but for the last bits of the sums. Plain data. */
export interface PairPart {
  elements: number;
  /** Elements that are finite on both sides: the sums are over these. */
  finite: number;
  changed: number;
  beyond: number;
  /** Elements that are finite on both sides and whose difference is not 0. */
  differing: number;
  notFinite: number;
  /** Elements that became NaN, and that are NaN no more. */
  nanAppeared: number;
  nanGone: number;
  signFlips: number;
  maxAbs: number;
  /** Place in the whole tensor, in elements; -1 without a change. */
  maxIndex: number;
  maxRelative: number;
  /** 0 for types without floating point. */
  maxUlp: number;
  /** Sum of |b - a|. */
  readonly absolute: Sum;
  /** Sums of |b - a|², |a|², |b|². */
  readonly squares: Sum;
  readonly before: Sum;
  readonly after: Sum;
  /** Sum of a · b; of complex numbers the real part of a · conj(b). */
  readonly product: Sum;
  /** Of those that are `differing`; empty where it was not asked for. */
  closeness: Closeness;
}

export function emptyPart(): PairPart {
  return {
    elements: 0,
    finite: 0,
    changed: 0,
    beyond: 0,
    differing: 0,
    notFinite: 0,
    nanAppeared: 0,
    nanGone: 0,
    signFlips: 0,
    maxAbs: 0,
    maxIndex: -1,
    maxRelative: 0,
    maxUlp: 0,
    absolute: emptySum(),
    squares: emptySum(),
    before: emptySum(),
    after: emptySum(),
    product: emptySum(),
    closeness: noCloseness(),
  };
}

/** Adds `part`, which lies behind all that `into` has seen, so that of two equal maxima the first stays. */
export function mergePart(into: PairPart, part: PairPart): void {
  for (const key of ['elements', 'finite', 'changed', 'beyond', 'differing', 'notFinite', 'nanAppeared', 'nanGone', 'signFlips'] as const)
    into[key] += part[key];
  noteMaximum(into, part.maxAbs, part.maxIndex);
  into.maxRelative = Math.max(into.maxRelative, part.maxRelative);
  into.maxUlp = Math.max(into.maxUlp, part.maxUlp);
  for (const key of ['absolute', 'squares', 'before', 'after', 'product'] as const) {
    const { value, exponent } = totalOf(part[key]);
    addSum(into[key], value, exponent);
  }
  into.closeness = joinCloseness(into.closeness, part.closeness);
}

export function noteMaximum(part: PairPart, abs: number, index: number): void {
  if (!(abs > part.maxAbs)) return;
  part.maxAbs = abs;
  part.maxIndex = index;
}
