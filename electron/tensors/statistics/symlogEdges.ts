/** The part of the largest magnitude up to which a symmetric logarithm is nearly linear. */
const LINEAR_PART = 2 ** -20;

/**
 * Edges of `bins` bins from `min` to `max` that are equally wide in sign(x) · log(1 + |x| / c): narrow around zero, wide far from it. When zero
 * lies between, the edge nearest to it is put there, so that signs are not mixed.
 */
export function symlogEdges(min: number, max: number, bins: number): Float64Array<ArrayBuffer> {
  const linear = Math.max(Math.abs(min), Math.abs(max)) * LINEAR_PART;
  if (!(max > min) || linear === 0) return Float64Array.of(min, max);
  const bend = (x: number) => Math.sign(x) * Math.log1p(Math.abs(x) / linear);
  const [from, to] = [bend(min), bend(max)];
  const edges = Float64Array.from({ length: bins + 1 }, (_, k) => {
    const y = from + ((to - from) * k) / bins;
    return Math.sign(y) * Math.expm1(Math.abs(y)) * linear;
  });
  edges[0] = min;
  edges[bins] = max;
  if (min < 0 && max > 0 && bins > 1) {
    const zero = Math.min(bins - 1, Math.max(1, Math.round((-from / (to - from)) * bins)));
    edges[zero] = 0;
  }
  return edges;
}
