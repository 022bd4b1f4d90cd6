import type { BitReader } from './bitReader';

export interface HuffmanTable {
  /** The next symbol, or -1 when the bits are no code. */
  read(bits: BitReader): number;
}

/**
 * Canonical Huffman codes from their lengths: shorter codes first, codes of one length in the order of the symbols.
 * @returns `null` when there are more codes of a length than fit
 */
export function makeHuffmanTable(lengths: readonly number[], longest: number): HuffmanTable | null {
  const symbols: number[] = [];
  /** For each length: first code, and where its symbols begin minus that code; codes below `ends` exist. */
  const ends = new Int32Array(longest + 1);
  const shifts = new Int32Array(longest + 1);
  let code = 0;
  for (let length = 1; length <= longest; length++) {
    shifts[length] = symbols.length - code;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      symbols.push(symbol);
      code++;
    }
    if (code > 2 ** length) return null;
    ends[length] = code;
    code *= 2;
  }
  return {
    read: (bits) => {
      let value = 0;
      for (let length = 1; length <= longest; length++) {
        value = (value << 1) | bits.read(1);
        if (value < (ends[length] ?? 0)) return symbols[value + (shifts[length] ?? 0)] ?? -1;
      }
      return -1;
    },
  };
}
