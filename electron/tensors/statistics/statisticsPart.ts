import type { TensorStats } from '../../../shared/model/tensorStats';
import { type DistinctRegisters, joinDistinct } from './distinctCounter';
import { joinMoments, type Moments } from './moments';

/** What is known of some elements of a tensor; plain and sendable. Parts of one tensor are joined exactly, in any grouping. */
export type StatisticsPart = PatternPart | NumberPart;

/** Types of up to 16 bits: how often each bit pattern occurs (65,536, or 256 used). Everything follows from it exactly. */
export interface PatternPart {
  readonly kind: 'patterns';
  readonly counts: Float64Array<ArrayBuffer>;
}

export interface NumberPart {
  readonly kind: 'numbers';
  readonly count: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  readonly zeros: number;
  readonly subnormals: number;
  /** +Infinity and -Infinity when nothing is finite. */
  readonly min: number;
  readonly max: number;
  readonly exact: TensorStats['exact'];
  readonly moments: Moments;
  readonly registers: DistinctRegisters;
  /** Of float32: how often each pattern of the upper 16 bits (sign, exponent, seven bits of the mantissa) occurs; `null` for other types. */
  readonly cells: Float64Array<ArrayBuffer> | null;
}

/** Makes a part of elements that pass by. */
export interface PartCollector<Part extends StatisticsPart> {
  /** Whole elements, little-endian; need not be aligned. */
  add(block: Uint8Array): void;
  /** Memory that elements can be put into before `addInput`, which saves a copy; `null` for types that are decoded first. */
  readonly input: Uint8Array | null;
  /** Adds the whole elements in the first `bytes` of `input`. */
  addInput(bytes: number): void;
  part(): Part;
}

/** Both together; the arrays of `a` are used for the result. @throws TypeError when they are of different types */
export function joinParts(a: StatisticsPart, b: StatisticsPart): StatisticsPart {
  if (a.kind === 'patterns' && b.kind === 'patterns') {
    addCounts(a.counts, b.counts);
    return a;
  }
  if (a.kind !== 'numbers' || b.kind !== 'numbers') throw new TypeError('Parts of different element types cannot be joined');
  joinDistinct(a.registers, b.registers);
  if (a.cells !== null && b.cells !== null) addCounts(a.cells, b.cells);
  return {
    kind: 'numbers',
    count: a.count + b.count,
    nan: a.nan + b.nan,
    positiveInfinity: a.positiveInfinity + b.positiveInfinity,
    negativeInfinity: a.negativeInfinity + b.negativeInfinity,
    zeros: a.zeros + b.zeros,
    subnormals: a.subnormals + b.subnormals,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    exact: joinExact(a.exact, b.exact),
    moments: joinMoments(a.moments, b.moments),
    registers: a.registers,
    cells: a.cells,
  };
}

function addCounts(all: Float64Array, part: Float64Array): void {
  for (let i = 0; i < all.length; i++) (all[i] as number) += part[i] as number;
}

function joinExact(a: TensorStats['exact'], b: TensorStats['exact']): TensorStats['exact'] {
  if (a === null || b === null) return a ?? b;
  return { min: BigInt(a.min) < BigInt(b.min) ? a.min : b.min, max: BigInt(a.max) > BigInt(b.max) ? a.max : b.max };
}
