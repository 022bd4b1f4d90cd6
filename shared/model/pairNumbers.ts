import type { DType } from './dtype';
import type { Shape } from './shape';

/**
 * How two tensors of one shape differ, `b` against `a`, over the elements that are finite on both sides; complex numbers by the magnitude of
 * the difference. Elements of different types are compared as numbers of the wider type.
 */
export interface PairNumbers {
  readonly comparedAs: DType;
  readonly shape: Shape;
  readonly elements: number;
  /** Elements whose bits differ (of different types: whose values differ, NaN equal to NaN, -0.0 not to 0.0). */
  readonly changed: number;
  /** Elements beyond |b - a| <= atol + rtol · |a|; a NaN or an infinity on one side only, or other infinities, are beyond it, NaN on both sides is not. */
  readonly beyond: number;
  readonly rtol: number;
  readonly atol: number;
  /** Elements that are finite on one side only, or not finite in different ways. */
  readonly notFinite: number;
  /** Elements that are positive on one side and negative on the other. */
  readonly signFlips: number;
  readonly maxAbs: number;
  /** Multi-index of the first largest |b - a|; `null` without a change. */
  readonly maxAt: readonly number[] | null;
  /** Largest |b - a| / |a| where a is not zero; infinite where b left an exact zero. */
  readonly maxRelative: number;
  readonly meanAbs: number;
  readonly rms: number;
  /** Euclidean norm of b - a. */
  readonly norm: number;
  /** |b - a| / |a|; `null` when `a` is zero everywhere and `b` is not; 0 when both are. */
  readonly relativeL2: number | null;
  /** `null` when one side is zero everywhere (1 when both are). */
  readonly cosine: number | null;
  /** Largest distance in units of the last place, counted over the numbers of the type; `null` for types without floating point and for different types. */
  readonly maxUlp: number | null;
}

/**
 * |b - a| against |a| by powers of two, so that other thresholds can be judged without reading again: `counts[row * columns + column]` changed
 * elements have |b - a| in [2^(deltaFrom + row), 2^(deltaFrom + row + 1)) and |a| in [2^(baseFrom + column), …); zeros of `a` are in column 0,
 * and what is smaller or larger than the table is in its first or last row or column.
 */
export interface Closeness {
  readonly deltaFrom: number;
  readonly baseFrom: number;
  readonly rows: number;
  readonly columns: number;
  readonly counts: Float64Array<ArrayBuffer>;
}

/** What kind of change it is, found in the values themselves. */
export interface PairStructure {
  /** Numerical rank of b - a seen as a matrix (leading axes × last, or first × the rest, whichever is asked for); `null` where it is no matrix or too large. */
  readonly rank: number | null;
  /** Whether `rank` is only a lower bound: the head of the spectrum ended before it fell away. */
  readonly rankIsAtLeast: boolean;
  /** Largest singular values of b - a, descending; estimates where the matrix is large. */
  readonly spectrum: readonly number[];
  /** b is a with each row (axis 0) or column (last axis), or everything, multiplied by a factor, within rounding. */
  readonly scaling: { readonly along: 'rows' | 'columns' | 'all'; readonly exact: boolean; readonly least: number; readonly largest: number } | null;
  /** b holds the rows (axis 0) or columns (last axis) of a in another order; `order[i]` is the place in a of what is at i in b. */
  readonly permutation: { readonly along: 'rows' | 'columns'; readonly order: readonly number[]; readonly moved: number } | null;
  /** In words, most telling first: "a rank-8 update", "1.0 % of the elements changed", "each row scaled". */
  readonly words: readonly string[];
}

/** One element that changed. Values as text, exact in their own type. */
export interface ChangedElement {
  readonly index: readonly number[];
  readonly a: string;
  readonly b: string;
  readonly delta: number;
}
