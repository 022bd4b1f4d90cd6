import { decodeWeights } from './decodeWeights';
import { highestBit } from './fseTable';
import { type HuffmanKernels, MAX_CODE_BITS } from './huffmanKernels';

export interface TreeRead {
  /** Bits that are looked up in the table: those of the longest code. */
  readonly log: number;
  /** Bytes of the description. */
  readonly bytes: number;
}

/**
 * Reads the description of a Huffman tree (RFC 8878, section 4.2.1) and fills the kernels' table for decoding.
 * @param description begins with it; may go on behind it
 * @returns `null` when it is broken
 */
export function readTree({ table }: Pick<HuffmanKernels, 'table'>, description: Uint8Array): TreeRead | null {
  const first = description[0] ?? 0;
  const direct = first >= 128;
  const bytes = 1 + (direct ? Math.ceil((first - 127) / 2) : first);
  if (bytes > description.length) return null;
  const written = direct ? directWeights(description, first - 127) : decodeWeights(description.subarray(1, bytes));
  if (written === null) return null;
  // A weight w is a share of 2^(w - 1); that of the last byte fills up to a power of two.
  const sum = written.reduce((total, weight) => total + ((1 << weight) >>> 1), 0);
  if (sum === 0) return null;
  const log = highestBit(sum) + 1;
  const rest = 2 ** log - sum;
  if (log > MAX_CODE_BITS || (rest & (rest - 1)) !== 0) return null;
  const weights = [...written, highestBit(rest) + 1];
  const longest = weights.filter((weight) => weight === 1).length;
  if (longest < 2 || longest % 2 !== 0) return null;
  let at = 0;
  for (let weight = 1; weight <= log; weight++) {
    const length = 1 << (weight - 1);
    for (let byte = weights.indexOf(weight); byte >= 0; byte = weights.indexOf(weight, byte + 1)) {
      table.fill((byte << 8) | (log + 1 - weight), at, at + length);
      at += length;
    }
  }
  return { log, bytes };
}

function directWeights(description: Uint8Array, count: number): readonly number[] | null {
  const weights = Array.from({ length: count }, (_, i) => {
    const pair = description[1 + (i >>> 1)] ?? 0;
    return i % 2 === 0 ? pair >>> 4 : pair & 15;
  });
  return weights.some((weight) => weight > MAX_CODE_BITS) ? null : weights;
}
