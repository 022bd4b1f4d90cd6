/** Columns one after the other, each of `rows` numbers; at least as many rows as columns. */
export interface ColumnMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/** Sweeps over all pairs of columns; a dozen is more than any matrix has needed. */
const MOST_SWEEPS = 60;
/** Distance from 1 to the next double. */
export const EPSILON = 2 ** -52;

/**
 * Singular values, descending: Householder's QR makes the matrix small and square, one-sided Jacobi rotations make its columns orthogonal
 * (Demmel and Veselić: small values keep their digits, which the eigenvalues of a Gram matrix would lose). The values are overwritten.
 */
export function singularValues(matrix: ColumnMatrix): number[] {
  const scale = largestOf(matrix.values);
  if (scale === 0 || !Number.isFinite(scale)) return new Array<number>(matrix.columns).fill(scale === 0 ? 0 : Number.NaN);
  // Squares must neither overflow nor vanish; a power of two changes no digit.
  const factor = 2 ** -Math.floor(Math.log2(scale));
  for (let i = 0; i < matrix.values.length; i++) matrix.values[i] = (matrix.values[i] as number) * factor;
  const square = matrix.rows > matrix.columns ? triangle(matrix) : matrix;
  rotate(square);
  const found = columnsOf(square).map((column) => Math.sqrt(dot(column, column)) / factor);
  return found.sort((x, y) => y - x);
}

/** Largest magnitude. */
export function largestOf(values: Float64Array): number {
  let largest = 0;
  for (const value of values) if (!(Math.abs(value) <= largest)) largest = Math.abs(value);
  return largest;
}

/** Upper triangle R of QR, by Householder reflections. */
function triangle(matrix: ColumnMatrix): ColumnMatrix {
  const { columns } = matrix;
  const all = columnsOf(matrix);
  for (let k = 0; k < columns; k++) {
    const v = (all[k] as Float64Array).subarray(k);
    const head = v[0] as number;
    const length = Math.sqrt(dot(v, v));
    if (length === 0) continue;
    const alpha = head > 0 ? -length : length;
    v[0] = head - alpha;
    // |v|² / 2, without a second sum over v.
    const half = length * (length + Math.abs(head));
    for (let j = k + 1; j < columns; j++) {
      const column = (all[j] as Float64Array).subarray(k);
      addScaled(column, v, -dot(column, v) / half);
    }
    v.fill(0);
    v[0] = alpha;
  }
  const values = new Float64Array(columns * columns);
  for (const [k, column] of all.entries()) values.set(column.subarray(0, columns), k * columns);
  return { rows: columns, columns, values };
}

function rotate(matrix: ColumnMatrix): void {
  const all = columnsOf(matrix);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let turned = false;
    for (let p = 0; p < all.length - 1; p++) {
      for (let q = p + 1; q < all.length; q++) turned = rotatePair(all[p] as Float64Array, all[q] as Float64Array) || turned;
    }
    if (!turned) return;
  }
}

/** Makes two columns orthogonal. @returns whether they were not */
function rotatePair(x: Float64Array, y: Float64Array): boolean {
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i] as number, y[i] as number];
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  if (Math.abs(xy) <= EPSILON * Math.sqrt(xx) * Math.sqrt(yy) || xy === 0) return false;
  const zeta = (yy - xx) / (2 * xy);
  const tangent = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = cosine * tangent;
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i] as number, y[i] as number];
    x[i] = cosine * a - sine * b;
    y[i] = sine * a + cosine * b;
  }
  return true;
}

export function columnsOf({ rows, columns, values }: ColumnMatrix): Float64Array[] {
  return Array.from({ length: columns }, (_, k) => values.subarray(k * rows, (k + 1) * rows));
}

export function dot(x: Float64Array, y: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const four = x.length - (x.length % 4);
  for (let i = 0; i < four; i += 4) {
    a += (x[i] as number) * (y[i] as number);
    b += (x[i + 1] as number) * (y[i + 1] as number);
    c += (x[i + 2] as number) * (y[i + 2] as number);
    d += (x[i + 3] as number) * (y[i + 3] as number);
  }
  for (let i = four; i < x.length; i++) a += (x[i] as number) * (y[i] as number);
  return a + b + (c + d);
}

/** into += factor · x */
export function addScaled(into: Float64Array, x: Float64Array, factor: number): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) + factor * (x[i] as number);
}
