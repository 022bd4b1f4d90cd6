import type { Quantile } from '../../../shared/model/tensorStats';
import type { Values } from '../statisticsValues';
import { interpolate, quantilePlace } from './quantiles';

const DIGIT = 65_536;

/** An element that is looked for: the `rank`-th smallest (from 0) of those whose key begins with `prefix`, read as a number. */
interface Wanted {
  rank: number;
  /** Up to 48 bits, which a double holds. */
  prefix: number;
  /** The digit found last. */
  digit: number;
}

/** Exact quantiles by several passes over the same values. */
export interface RadixSelection {
  /** Passes in all. */
  readonly passes: number;
  /** Values of the pass; what is not finite is left out. */
  add(values: Values): void;
  /** Ends a pass. */
  next(): void;
  /** After the last pass. */
  finish(): readonly Quantile[];
}

/**
 * Exact quantiles in bounded memory: the bits of a float, turned so that they ascend with it, are settled 16 at a time, in two passes over
 * float32 and four over float64. A table of 65,536 counters is held for every prefix that a wanted element has.
 * @param finite number of finite elements, at least one
 */
export function createRadixSelection(quantiles: readonly number[], finite: number, type: 'float32' | 'float64'): RadixSelection {
  const passes = type === 'float32' ? 2 : 4;
  const places = quantiles.map((at) => quantilePlace(at, finite));
  const wanted = new Map<number, Wanted>();
  for (const { lower, upper } of places) for (const rank of [lower, upper]) wanted.set(rank, { rank, prefix: 0, digit: 0 });
  let pass = 0;
  let tables = new Map<number, Float64Array>([[0, new Float64Array(DIGIT)]]);

  return {
    passes,
    add(values) {
      if (values instanceof Float32Array) addFloats(values, tables, pass);
      else addDoubles(values, tables, pass);
    },
    next() {
      for (const entry of wanted.values()) {
        descend(entry, tables.get(entry.prefix));
        if (pass < passes - 1) entry.prefix = entry.prefix * DIGIT + entry.digit;
      }
      pass++;
      tables = new Map(pass === passes ? [] : [...wanted.values()].map(({ prefix }) => [prefix, new Float64Array(DIGIT)]));
    },
    finish() {
      const value = (rank: number) => {
        const { prefix = 0, digit = 0 } = wanted.get(rank) ?? {};
        return type === 'float32' ? floatOf(prefix * DIGIT + digit) : doubleOf(Math.floor(prefix / DIGIT), (prefix % DIGIT) * DIGIT + digit);
      };
      return places.map((place) => interpolate(place, value(place.lower), value(place.upper)));
    },
  };
}

function addFloats(values: Float32Array, tables: ReadonlyMap<number, Float64Array>, pass: number): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  // Nearly all elements of the second pass have another prefix than the one of the table asked last.
  let prefix = -1;
  let table: Float64Array | undefined;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (x - x !== 0) continue;
    const word = words[i] as number;
    const key = word >>> 31 === 1 ? ~word : word | 0x80000000;
    const high = pass === 0 ? 0 : key >>> 16;
    if (high !== prefix) {
      prefix = high;
      table = tables.get(high);
    }
    if (table === undefined) continue;
    const digit = pass === 0 ? key >>> 16 : key & 0xffff;
    (table[digit] as number)++;
  }
}

function addDoubles(values: Float64Array, tables: ReadonlyMap<number, Float64Array>, pass: number): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (x - x !== 0) continue;
    const [low, high] = [words[2 * i] as number, words[2 * i + 1] as number];
    const negative = high >>> 31 === 1;
    const first = (negative ? ~high : high | 0x80000000) >>> 0;
    const second = (negative ? ~low : low) >>> 0;
    // 16 bits more in every pass: up to 48, which a double holds.
    const prefix = pass === 0 ? 0 : pass === 1 ? first >>> 16 : pass === 2 ? first : first * DIGIT + (second >>> 16);
    const table = tables.get(prefix);
    if (table === undefined) continue;
    const digit = pass === 0 ? first >>> 16 : pass === 1 ? first & 0xffff : pass === 2 ? second >>> 16 : second & 0xffff;
    (table[digit] as number)++;
  }
}

/** Goes down to the digit that the wanted element has. */
function descend(entry: Wanted, table: Float64Array | undefined): void {
  if (table === undefined) return;
  for (let digit = 0; digit < DIGIT; digit++) {
    const times = table[digit] as number;
    if (entry.rank < times) {
      entry.digit = digit;
      return;
    }
    entry.rank -= times;
  }
}

/** The float32 that a key stands for. */
function floatOf(key: number): number {
  const bits = key >= 2 ** 31 ? key - 2 ** 31 : ~key;
  return new Float32Array(Uint32Array.of(bits).buffer)[0] ?? 0;
}

function doubleOf(high: number, low: number): number {
  const words = high >= 2 ** 31 ? Uint32Array.of(low, high - 2 ** 31) : Uint32Array.of(~low, ~high);
  return new Float64Array(words.buffer)[0] ?? 0;
}
