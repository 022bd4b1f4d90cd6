/**
 * Statistics over the finite elements of a tensor; complex numbers count by their magnitude.
 * `min`, `max`, `mean`, `std` are `null` without finite elements. `std` is the population's.
 */
export interface TensorStats {
  readonly count: number;
  readonly finite: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  readonly zeros: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly std: number | null;
  /** Euclidean norm of the finite elements. */
  readonly norm: number;
}

/** Equal bins from `min` to `max`, the last one closed. */
export interface Histogram {
  readonly min: number;
  readonly max: number;
  readonly counts: Float64Array<ArrayBuffer>;
}

/**
 * A tensor seen as a matrix (leading axes × last axis), down-sampled by averaging to at most 256 × 256.
 * `values` is row-major; NaN marks a cell that holds a NaN, ±Infinity one that holds an infinity.
 */
export interface TensorPreview {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array<ArrayBuffer>;
  /** Shape of the matrix before it was down-sampled. */
  readonly sourceRows: number;
  readonly sourceColumns: number;
}
