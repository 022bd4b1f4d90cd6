export interface RidgeFrame {
  readonly width: number;
  /** From one base line to the next. */
  readonly step: number;
  /** How many steps the highest ridge reaches up. */
  readonly overlap: number;
}

export interface Ridge {
  readonly baseline: number;
  /** Closed, along the base line. */
  readonly path: string;
}

/**
 * One ridge for each histogram, all over the same bins and to the same height, the first at the bottom: share of its elements, so that versions
 * of other sizes compare. `null` stands for a version without a histogram and leaves its place empty.
 */
export function layoutRidges(histograms: readonly (Float64Array | null)[], { width, step, overlap }: RidgeFrame): readonly Ridge[] {
  const shares = histograms.map((counts) => (counts === null ? null : sharesOf(counts)));
  const highest = Math.max(0, ...shares.map((values) => (values === null ? 0 : Math.max(0, ...values))));
  const reach = step * overlap;
  return shares.map((values, place) => {
    const baseline = reach + (histograms.length - 1 - place) * step;
    if (values === null || values.length === 0 || highest === 0) return { baseline, path: '' };
    const bin = width / values.length;
    const points = Array.from(values, (share, index) => `L${round((index + 0.5) * bin)} ${round(baseline - (share / highest) * reach)}`);
    return { baseline, path: `M0 ${baseline}${points.join('')}L${round(width)} ${baseline}Z` };
  });
}

/** Height of the whole picture. */
export function ridgesHeight(count: number, { step, overlap }: Pick<RidgeFrame, 'step' | 'overlap'>): number {
  return count === 0 ? 0 : step * overlap + (count - 1) * step + 1;
}

function sharesOf(counts: Float64Array): Float64Array {
  let total = 0;
  for (const count of counts) total += count;
  return total === 0 ? counts : counts.map((count) => count / total);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
