import type { TensorStats } from '../../../shared/model/tensorStats';

/** Extremes and sums of 64-bit integers beyond what their doubles tell. */
export interface WideIntegers {
  /** @param values the elements of `block` as doubles; @param extremes the least and the largest of them */
  look(block: Uint8Array, values: Float64Array, extremes: { readonly low: number; readonly high: number }): void;
  exact(): TensorStats['exact'];
}

export function createWideIntegers(signed: boolean): WideIntegers {
  let least: bigint | null = null;
  let most: bigint | null = null;
  return {
    look(block, values, { low, high }) {
      // A double may stand for several integers: only where it is a new extreme, or the old one once more, the integers themselves are read.
      const lower = least === null || low <= Number(least);
      const higher = most === null || high >= Number(most);
      if (!lower && !higher) return;
      const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
      const read = (i: number) => (signed ? view.getBigInt64(i * 8, true) : view.getBigUint64(i * 8, true));
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        if (value !== low && value !== high) continue;
        const integer = read(i);
        if (least === null || integer < least) least = integer;
        if (most === null || integer > most) most = integer;
      }
    },
    exact: () => (least === null || most === null ? null : { min: `${least}`, max: `${most}` }),
  };
}

/** The exact sum of up to 2^20 integers of 64 bits as a double and what rounding took from it. `words` holds low and high words in turn. */
export function sumWide(words: Uint32Array, highWords: Uint32Array | Int32Array): { readonly sum: number; readonly lost: number } {
  let low = 0;
  let high = 0;
  for (let i = 0; i < words.length; i += 2) {
    low += words[i] as number;
    high += highWords[i + 1] as number;
  }
  const large = high * 4294967296;
  const sum = large + low;
  const part = sum - large;
  return { sum, lost: large - (sum - part) + (low - part) };
}
