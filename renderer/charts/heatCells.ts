/** Colours of a map from low to high as 0xRRGGBB, evenly spaced. */
export interface HeatPalette {
  readonly diverging: readonly number[];
  readonly sequential: readonly number[];
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
}

/**
 * Blue for negative, orange for positive: told apart by every common kind of colour blindness. Zero is the surface's own colour, so that it
 * recedes in the dark too. NaN is a grey that gets hatched; infinities are darker (in the dark, brighter) than any number's colour.
 */
export const HEAT_PALETTES: { readonly light: HeatPalette; readonly dark: HeatPalette } = {
  light: {
    diverging: [0x0b3c8c, 0x2f74c9, 0x8fbbe8, 0xffffff, 0xf6b878, 0xd9731a, 0x8a3a00],
    sequential: [0xffffff, 0xd5e5f5, 0x8fbbe8, 0x2f74c9, 0x0b3c8c],
    nan: 0xb9bbc6,
    positiveInfinity: 0x4a1500,
    negativeInfinity: 0x04153a,
  },
  dark: {
    diverging: [0xa9d3ff, 0x4f9cf0, 0x224f82, 0x18191b, 0x7a4313, 0xe58a32, 0xffd3a1],
    sequential: [0x18191b, 0x1d3a5c, 0x2b69b0, 0x5aa5f2, 0xcbe5ff],
    nan: 0x5a6169,
    positiveInfinity: 0xfff1de,
    negativeInfinity: 0xe6f3ff,
  },
};

export interface HeatScale {
  readonly kind: 'diverging' | 'sequential';
  readonly low: number;
  readonly high: number;
  /** Values beyond the ends exist; they have the colour of the end. */
  readonly clipped: boolean;
}

/** A few outliers must not wash out all the rest: the ends leave out one value in 200. */
const KEPT = 0.995;

/** Scale of a heat map: around zero when there are negative values, else from zero (or the least value, for all-positive ones) up. */
export function chooseHeatScale(values: Float32Array): HeatScale {
  const finite = values.filter(Number.isFinite).sort();
  const least = finite[0];
  const most = finite.at(-1);
  if (least === undefined || most === undefined) return { kind: 'sequential', low: 0, high: 1, clipped: false };
  if (least >= 0) {
    const high = softEnd(finite);
    // Values far from zero and close to each other would all look alike on a scale from zero.
    const low = least > high / 2 && least < high ? least : 0;
    return { kind: 'sequential', low, high: high === 0 ? 1 : high, clipped: high < most };
  }
  const sizes = finite.map(Math.abs).sort();
  const end = softEnd(sizes);
  return { kind: 'diverging', low: -end, high: end, clipped: end < (sizes.at(-1) ?? 0) };
}

/** @param sorted ascending, not empty */
function softEnd(sorted: Float32Array): number {
  const most = sorted.at(-1) ?? 0;
  const kept = sorted[Math.ceil((sorted.length - 1) * KEPT)] ?? most;
  // Only a real outlier is cut off.
  return kept > 0 && most > 1.25 * kept ? kept : most;
}

/** Row-major RGBA of the values, one pixel each. */
export function paintHeatCells(values: Float32Array, scale: HeatScale, palette: HeatPalette): Uint8ClampedArray<ArrayBuffer> {
  const table = colourTable(scale.kind === 'diverging' ? palette.diverging : palette.sequential);
  const pixels = new Uint32Array(values.length);
  const span = scale.high - scale.low;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    let colour: number;
    if (Number.isNaN(value)) colour = packed(palette.nan);
    else if (value === Number.POSITIVE_INFINITY) colour = packed(palette.positiveInfinity);
    else if (value === Number.NEGATIVE_INFINITY) colour = packed(palette.negativeInfinity);
    else {
      const share = span > 0 ? (value - scale.low) / span : 0.5;
      colour = table[Math.max(0, Math.min(table.length - 1, Math.round(share * (table.length - 1))))] ?? 0;
    }
    pixels[index] = colour;
  }
  return new Uint8ClampedArray(pixels.buffer);
}

export interface HeatMark {
  readonly index: number;
  readonly kind: 'nan' | 'positive-infinity' | 'negative-infinity';
}

/** Cells that are no numbers, to be hatched or marked on top; at most `limit`. */
export function findHeatMarks(values: Float32Array, limit = values.length): HeatMark[] {
  const marks: HeatMark[] = [];
  for (let index = 0; index < values.length && marks.length < limit; index++) {
    const value = values[index] ?? 0;
    if (Number.isFinite(value)) continue;
    marks.push({ index, kind: Number.isNaN(value) ? 'nan' : value > 0 ? 'positive-infinity' : 'negative-infinity' });
  }
  return marks;
}

/** 511 colours (an odd number, so that zero has exactly the middle one), as the four bytes of a pixel. */
export function colourTable(stops: readonly number[]): Uint32Array {
  const table = new Uint32Array(511);
  for (let index = 0; index < table.length; index++) {
    const place = (index / (table.length - 1)) * (stops.length - 1);
    const from = Math.min(stops.length - 2, Math.floor(place));
    table[index] = packed(mix(stops[from] ?? 0, stops[from + 1] ?? 0, place - from));
  }
  return table;
}

function mix(from: number, to: number, share: number): number {
  const channel = (shift: number) => Math.round(((from >> shift) & 255) * (1 - share) + ((to >> shift) & 255) * share) << shift;
  return channel(16) | channel(8) | channel(0);
}

/** Colour of a share (0 to 1) between stops, as 0xRRGGBB. */
export function shadeAt(stops: readonly number[], share: number): number {
  const place = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const from = Math.min(stops.length - 2, Math.floor(place));
  return mix(stops[from] ?? 0, stops[from + 1] ?? 0, place - from);
}

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** 0xRRGGBB as the four bytes of a pixel in this machine's order, opaque. */
export function packed(rgb: number): number {
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
  return (LITTLE_ENDIAN ? (255 << 24) | (blue << 16) | (green << 8) | red : (red << 24) | (green << 16) | (blue << 8) | 255) >>> 0;
}

/** Colours for a legend, as CSS. */
export function legendColours(scale: HeatScale, palette: HeatPalette): string[] {
  return (scale.kind === 'diverging' ? palette.diverging : palette.sequential).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);
}
