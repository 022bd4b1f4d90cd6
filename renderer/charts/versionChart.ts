import { scaleLinear } from 'd3-scale';
import type { StoryLink } from './storyPoints';

export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  /** Room for the numbers at the left. */
  readonly left: number;
}

export interface VersionChart {
  /** Middle of each version, left to right. */
  readonly x: readonly number[];
  /** `null` where there is no number. */
  readonly y: readonly (readonly (number | null)[])[];
  readonly strokes: readonly { readonly series: number; readonly line: number; readonly isMerge: boolean; readonly path: string }[];
  /** Area between the first and the last series, where both have numbers; `null` without one. */
  readonly band: string | null;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

const PADDING = 6;

/**
 * Numbers over versions: one place for each version, equally far apart, because commits come in bursts; a stroke for each link whose ends both
 * have a number. Several series share the axis (mean and mean ± std, min and max).
 */
export function layoutVersionChart(
  series: readonly (readonly (number | null)[])[],
  links: readonly StoryLink[],
  { frame, hasBand }: { readonly frame: ChartFrame; readonly hasBand: boolean },
): VersionChart {
  const count = series[0]?.length ?? 0;
  const x = versionPlaces(count, frame);
  const known = series.flat().filter((value): value is number => value !== null && Number.isFinite(value));
  if (known.length === 0) return { x, y: series.map((values) => values.map(() => null)), strokes: [], band: null, ticks: [] };
  const scale = scaleLinear(domainOf(known), [frame.height - PADDING, PADDING]).nice(3);
  const place = (value: number | null | undefined) => (value == null || !Number.isFinite(value) ? null : round(scale(value)));
  const y = series.map((values) => values.map(place));
  const strokes = y.flatMap((places, index) =>
    links.flatMap(({ from, to, line, isMerge }) => {
      const [a, b] = [places[from], places[to]];
      return a == null || b == null ? [] : [{ series: index, line, isMerge, path: `M${x[from]} ${a}L${x[to]} ${b}` }];
    }),
  );
  return {
    x,
    y,
    strokes,
    band: hasBand ? bandPath({ x, upper: y[0] ?? [], lower: y.at(-1) ?? [], links }) : null,
    ticks: scale.ticks(3).map((value) => ({ value, y: round(scale(value)) })),
  };
}

/** Middle of each version's place on the axis. */
export function versionPlaces(count: number, { width, left }: Pick<ChartFrame, 'width' | 'left'>): number[] {
  const room = Math.max(0, width - left);
  return Array.from({ length: count }, (_, place) => round(left + ((place + 0.5) * room) / count));
}

/** The version nearest to a place on the axis. */
export function versionAt(x: number, count: number, { width, left }: Pick<ChartFrame, 'width' | 'left'>): number | null {
  if (count === 0 || width <= left) return null;
  return Math.max(0, Math.min(count - 1, Math.floor(((x - left) / (width - left)) * count)));
}

/** Version that a key leads to from another one; `null` for keys that lead nowhere. */
export function stepVersion(key: string, from: number | null, count: number): number | null {
  const last = count - 1;
  const start = from ?? last;
  const target = { ArrowRight: start + 1, ArrowLeft: start - 1, PageUp: start + 10, PageDown: start - 10, Home: 0, End: last }[key];
  return target === undefined || count === 0 ? null : Math.max(0, Math.min(last, target));
}

/** All numbers equal: some room around them, so that the line is in the middle. */
function domainOf(known: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of known) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low < high) return [low, high];
  if (low === 0) return [0, 1];
  const room = Math.abs(low) / 2;
  return [low - room, high + room];
}

interface Band {
  readonly x: readonly number[];
  readonly upper: readonly (number | null)[];
  readonly lower: readonly (number | null)[];
  readonly links: readonly StoryLink[];
}

function bandPath({ x, upper, lower, links }: Band): string {
  return links
    .flatMap(({ from, to, isMerge }) => {
      const [a, b, c, d] = [upper[from], upper[to], lower[to], lower[from]];
      return isMerge || a == null || b == null || c == null || d == null ? [] : [`M${x[from]} ${a}L${x[to]} ${b}L${x[to]} ${c}L${x[from]} ${d}Z`];
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
