import type { Histogram } from '../../shared/model/tensorStats';
import { type HistogramLayout, type HistogramSize, layoutHistogram } from './histogramBars';

export interface OverlaidHistograms {
  readonly a: HistogramLayout;
  readonly b: HistogramLayout;
  /** Elements in the fullest bin of either. */
  readonly peak: number;
}

/** Two histograms over the same bins, on one scale: bars of equal height are equal counts. */
export function overlayHistograms(a: Histogram, b: Histogram, size: HistogramSize): OverlaidHistograms {
  const [alone, other] = [layoutHistogram(a, size), layoutHistogram(b, size)];
  const peak = Math.max(alone.peak, other.peak);
  const scaled = (layout: HistogramLayout): HistogramLayout => ({
    ...layout,
    bars: layout.bars.map((bar) => ({ ...bar, height: heightOf(bar.count, peak, size) })),
  });
  return { a: scaled(alone), b: scaled(other), peak };
}

function heightOf(count: number, peak: number, { height, scale }: HistogramSize): number {
  if (count <= 0 || peak <= 0) return 0;
  return Math.max(1, (scale === 'log' ? Math.log1p(count) / Math.log1p(peak) : count / peak) * height);
}

/** The upper edge of all bars as one line, from the base line and back to it. */
export function outlinePath({ bars }: HistogramLayout, height: number): string {
  const [first] = bars;
  if (first === undefined) return '';
  const steps = bars.map((bar) => `V${round(height - bar.height)}H${round(bar.x + bar.width)}`);
  return `M${round(first.x)} ${height}${steps.join('')}V${height}`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
