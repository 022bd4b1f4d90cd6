import { scaleLinear } from 'd3-scale';
import type { Histogram } from '../../shared/model/tensorStats';
import { formatNumber } from './formatNumber';

export interface HistogramBar {
  readonly x: number;
  readonly width: number;
  /** Up from the base line; at least one pixel where anything is counted. */
  readonly height: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface Tick {
  /** Pixels from the left. */
  readonly at: number;
  readonly label: string;
}

export interface HistogramLayout {
  readonly bars: readonly HistogramBar[];
  readonly ticks: readonly Tick[];
  /** Elements in the fullest bin. */
  readonly peak: number;
  readonly total: number;
  /** Where zero stands; `null` outside of the range. */
  readonly zeroAt: number | null;
}

export interface HistogramSize {
  readonly width: number;
  readonly height: number;
  /** `log` shows bins with few elements beside those with millions. */
  readonly scale: 'linear' | 'log';
}

/**
 * Bars of a histogram in pixels. All elements equal (`min` = `max`) make one bar in the middle. Bins with edges of their own (symmetric
 * logarithm) are drawn equally wide, in the order of their values: the axis bends with them, and its ticks stand at edges.
 */
export function layoutHistogram({ min, max, counts, edges }: Histogram, { width, height, scale }: HistogramSize): HistogramLayout {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isPoint = !(max > min) || counts.length === 0;
  const bins = isPoint ? Float64Array.of(total) : counts;
  const peak = bins.reduce((most, count) => Math.max(most, count), 0);
  const tall = (count: number) => {
    if (count <= 0 || peak <= 0) return 0;
    const share = scale === 'log' ? Math.log1p(count) / Math.log1p(peak) : count / peak;
    return Math.max(1, share * height);
  };
  // Half of the difference twice: max - min may overflow.
  const at = (index: number) => (isPoint ? min : (edges?.[index] ?? min + (max / 2 - min / 2) * ((2 * index) / bins.length)));
  const step = isPoint ? Math.min(width, 24) : width / bins.length;
  const left = isPoint ? (width - step) / 2 : 0;
  const bars = Array.from(bins, (count, index) => ({
    x: left + index * step,
    width: step,
    height: tall(count),
    from: at(index),
    to: isPoint ? max : index === bins.length - 1 ? max : at(index + 1),
    count,
  }));
  if (isPoint) return { bars, ticks: [{ at: width / 2, label: formatNumber(min) }], peak, total, zeroAt: min === 0 ? width / 2 : null };
  if (edges !== null) return { bars, ticks: edgeTicks(edges, width), peak, total, zeroAt: placeAmong(edges, 0, width) };
  const position = scaleLinear([min, max], [0, width]);
  const ticks = position.ticks(Math.max(2, Math.floor(width / 90))).map((value) => ({ at: position(value), label: formatNumber(value) }));
  return { bars, ticks: ticks.filter((tick) => Number.isFinite(tick.at)), peak, total, zeroAt: min <= 0 && max >= 0 ? position(0) : null };
}

function edgeTicks(edges: Float64Array, width: number): Tick[] {
  const bins = edges.length - 1;
  const step = Math.max(1, Math.ceil(bins / Math.max(2, Math.floor(width / 90))));
  const ticks: Tick[] = [];
  for (let index = 0; index <= bins; index += step) ticks.push({ at: (index / bins) * width, label: formatNumber(edges[index] ?? 0) });
  return ticks;
}

/** Where a value stands between bins drawn equally wide; `null` outside of them. */
function placeAmong(edges: Float64Array, value: number, width: number): number | null {
  const bins = edges.length - 1;
  for (let index = 0; index < bins; index++) {
    const [from = 0, to = 0] = [edges[index], edges[index + 1]];
    if (value >= from && value <= to) return ((index + (to > from ? (value - from) / (to - from) : 0)) / bins) * width;
  }
  return null;
}

/** Bar under a position; the nearest one outside of the bars. */
export function barAt(layout: HistogramLayout, x: number): HistogramBar | undefined {
  const first = layout.bars[0];
  if (first === undefined) return undefined;
  const index = Math.floor((x - first.x) / first.width);
  return layout.bars[Math.max(0, Math.min(layout.bars.length - 1, index))];
}
