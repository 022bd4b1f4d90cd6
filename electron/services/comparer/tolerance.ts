/** An element is changed beyond it when |b - a| > atol + rtol · |a|. */
export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}
