import { encodeWeights } from './encodeWeights';

/** Most weights that can be written four bits each; a first byte from 128 on says how many there are. */
const MAX_DIRECT = 128;
/** Most bytes of weights in a finite state entropy stream: a first byte below 128 says how many there are. */
const MAX_CODED = 127;

/**
 * Describes a Huffman tree as zstd does (RFC 8878, section 4.2.1): weights `longest + 1 - bits` of all bytes but the last that occurs, whose
 * weight follows from the others.
 * @param lengths bits of the code of every byte, 0 for one that does not occur
 * @returns `null` for a tree that the format cannot describe
 */
export function describeTree(lengths: Uint8Array): Uint8Array | null {
  const longest = lengths.reduce((a, b) => Math.max(a, b), 0);
  let last = 255;
  while (last > 0 && lengths[last] === 0) last--;
  const weights = Array.from(lengths.subarray(0, last), (bits) => (bits === 0 ? 0 : longest + 1 - bits));
  const coded = new Set(weights).size > 1 && weights.length > 2 ? encodeWeights(weights) : null;
  if (coded !== null && coded.length <= MAX_CODED && (coded.length < weights.length / 2 || weights.length > MAX_DIRECT)) {
    return Uint8Array.from([coded.length, ...coded]);
  }
  if (weights.length > MAX_DIRECT) return null;
  const described = [MAX_DIRECT - 1 + weights.length];
  for (let i = 0; i < weights.length; i += 2) described.push(((weights[i] ?? 0) << 4) | (weights[i + 1] ?? 0));
  return Uint8Array.from(described);
}

/**
 * Codes by their lengths, in zstd's order: the longest begin at 0, those of one length in the order of the bytes.
 * @param codes filled with `code << 8 | bits`
 */
export function assignCodes(lengths: Uint8Array, codes: Uint32Array): void {
  let code = 0;
  codes.fill(0);
  for (let bits = lengths.reduce((a, b) => Math.max(a, b), 0); bits > 0; bits--) {
    for (let byte = 0; byte < 256; byte++) {
      if (lengths[byte] === bits) codes[byte] = (code++ << 8) | bits;
    }
    code >>>= 1;
  }
}
