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
  /** Sum of the magnitudes of the finite elements. */
  readonly l1: number;
  /** Euclidean norm of the finite elements. */
  readonly norm: number;
  /** Elements that are not zero and smaller than the least normal number of their type; 0 for types without such numbers. */
  readonly subnormals: number;
  /** Different bit patterns among the elements: exact for types of up to 16 bits and small tensors, else an estimate within some per cent. */
  readonly distinct: { readonly count: number; readonly exact: boolean };
  /** Extremes of 64-bit integers, which a double may round, in decimal digits; `null` for other types and empty tensors. */
  readonly exact: { readonly min: string; readonly max: string } | null;
}

/** Bins from `min` to `max`, the last one closed. */
export interface Histogram {
  readonly min: number;
  readonly max: number;
  readonly counts: Float64Array<ArrayBuffer>;
  /** The edges, one more than counts, where bins are not equally wide (symmetric logarithm); `null`: equal bins. */
  readonly edges: Float64Array<ArrayBuffer> | null;
}

export interface Quantile {
  /** From 0 to 1. */
  readonly at: number;
  /** Linear interpolation between the two nearest finite elements, as NumPy's default. */
  readonly value: number;
}

/** Part of a tensor as a matrix: two axes, or one for a vector, with every other axis held at an index. */
export interface SliceView {
  /** `null`: one row. */
  readonly rowAxis: number | null;
  /** `null` for a scalar. */
  readonly columnAxis: number | null;
  /** One index per axis of the tensor; those of `rowAxis` and `columnAxis` are not looked at. */
  readonly fixed: readonly number[];
  /** Rows and columns shown, ends excluded. */
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
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
