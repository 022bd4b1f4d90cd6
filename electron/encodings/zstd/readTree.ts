import { decodeWeights } from './decodeWeights';
import { highestBit } from './fseTable';
import { type HuffmanKernels, MAX_CODE_BITS } from './huffmanKernels';

export interface TreeRead {
  /** Bits that are looked up in the table: those of the longest code. */
  readonly log: number;
  /** Bytes of the description. */
  readonly bytes: number;
}

/** Used again for every tree: a checkpoint has thousands. */
const weights = new Uint8Array(256);
const counts = new Uint32Array(MAX_CODE_BITS + 1);
const starts = new Uint32Array(MAX_CODE_BITS + 1);

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
  const written = direct ? directWeights(description, first - 127) : decodeWeights(description.subarray(1, bytes), weights);
  if (written < 0) return null;
  // A weight w is a share of 2^(w - 1); that of the last byte fills up to a power of two.
  let sum = 0;
  for (let i = 0; i < written; i++) sum += (1 << (weights[i] ?? 0)) >>> 1;
  if (sum === 0) return null;
  const log = highestBit(sum) + 1;
  const rest = 2 ** log - sum;
  if (log > MAX_CODE_BITS || (rest & (rest - 1)) !== 0) return null;
  weights[written] = highestBit(rest) + 1;
  counts.fill(0);
  for (let byte = 0; byte <= written; byte++) counts[weights[byte] ?? 0] = (counts[weights[byte] ?? 0] ?? 0) + 1;
  const longest = counts[1] ?? 0;
  if (longest < 2 || longest % 2 !== 0) return null;
  fillTable(table, written + 1, log);
  return { log, bytes };
}

/** Entries of the longest codes come first, those of one length in the order of the bytes. */
function fillTable(table: Uint16Array, bytes: number, log: number): void {
  for (let weight = 1, at = 0; weight <= log; weight++) {
    starts[weight] = at;
    at += (counts[weight] ?? 0) << (weight - 1);
  }
  for (let byte = 0; byte < bytes; byte++) {
    const weight = weights[byte] ?? 0;
    if (weight === 0) continue;
    const from = starts[weight] ?? 0;
    const end = from + (1 << (weight - 1));
    const entry = (byte << 8) | (log + 1 - weight);
    for (let at = from; at < end; at++) table[at] = entry;
    starts[weight] = end;
  }
}

/** @returns as `decodeWeights` */
function directWeights(description: Uint8Array, count: number): number {
  for (let i = 0; i < count; i++) {
    const pair = description[1 + (i >>> 1)] ?? 0;
    const weight = i % 2 === 0 ? pair >>> 4 : pair & 15;
    if (weight > MAX_CODE_BITS) return -1;
    weights[i] = weight;
  }
  return count;
}
