/** A histogram that is wanted. */
export interface HistogramRequest {
  /** Bins at most. */
  readonly bins: number;
  /** `null`: what the finite elements cover. */
  readonly range: { readonly min: number; readonly max: number } | null;
  /** `symlog`: bins equally wide in sign(x) · log(1 + |x| / c), where c is the largest magnitude of the range / 2^20. */
  readonly scale: 'linear' | 'symlog';
}
