/** Accuracy of the tables that code Huffman weights: at least 5 bits by the format, at most 6 (RFC 8878, section 4.2.1.2). */
export const MIN_ACCURACY = 5;
export const MAX_ACCURACY = 6;

/**
 * Which symbol each state of a finite state entropy table stands for: every symbol has as many states as its share, spread by the
 * fixed step of RFC 8878, section 4.1.1.
 * @param shares for every symbol; their magnitudes add up to `2 ** accuracy`, and -1 is a share of "less than one" at the table's end
 */
export function spreadSymbols(shares: readonly number[], accuracy: number): Uint8Array {
  const size = 2 ** accuracy;
  const symbols = new Uint8Array(size);
  let end = size;
  for (const [symbol, share] of shares.entries()) {
    if (share === -1) symbols[--end] = symbol;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let state = 0;
  for (let symbol = 0; symbol < shares.length; symbol++) {
    const share = shares[symbol] ?? 0;
    for (let i = 0; i < share; i++) {
      symbols[state] = symbol;
      do state = (state + step) & (size - 1);
      while (state >= end);
    }
  }
  return symbols;
}

/** Position of the highest set bit of a number from 1 to 2^31 - 1. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}
