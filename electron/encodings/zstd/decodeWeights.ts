import { highestBit, MAX_ACCURACY, MIN_ACCURACY, spreadSymbols } from './fseTable';
import { MAX_CODE_BITS } from './huffmanKernels';

/** A byte's weight is implied where it is the last, so that at most 255 are written. */
const MAX_WEIGHTS = 255;

/** What follows each state of the table. Used again for every stream. */
const widths = new Uint8Array(2 ** MAX_ACCURACY);
const bases = new Uint8Array(2 ** MAX_ACCURACY);

/**
 * Decodes the finite state entropy stream of Huffman weights that `encodeWeights` describes (RFC 8878, section 4.2.1.2). A checkpoint has
 * thousands of them.
 * @param weights has room for 256
 * @returns how many there are, or -1 when it is broken
 */
export function decodeWeights(stream: Uint8Array, weights: Uint8Array): number {
  const head = readShares(stream);
  if (head === null) return -1;
  const { shares, accuracy } = head;
  const symbols = spreadSymbols(shares, accuracy);
  const bits = backwardBits(stream.subarray(head.bytes));
  if (bits === null) return -1;
  fillStates(shares, symbols, accuracy);
  let state = bits.take(accuracy);
  let other = bits.take(accuracy);
  if (bits.left() < 0) return -1;
  for (let count = 0; count < MAX_WEIGHTS; ) {
    weights[count++] = symbols[state] ?? 0;
    const low = bits.take(widths[state] ?? 0);
    if (bits.left() < 0) {
      // The other state has nothing to follow either.
      weights[count++] = symbols[other] ?? 0;
      return count <= MAX_WEIGHTS ? count : -1;
    }
    const next = (bases[state] ?? 0) + low;
    state = other;
    other = next;
  }
  return -1;
}

/** A state of a symbol is followed by its share, counted up from the first state on. */
function fillStates(shares: readonly number[], symbols: Uint8Array, accuracy: number): void {
  const next = shares.map((share) => Math.max(1, share));
  for (let state = 0; state < symbols.length; state++) {
    const symbol = symbols[state] ?? 0;
    const follower = next[symbol] ?? 1;
    next[symbol] = follower + 1;
    const width = accuracy - highestBit(follower);
    widths[state] = width;
    bases[state] = (follower << width) - symbols.length;
  }
}

/** The table's description, the mirror of `describeShares`. */
function readShares(stream: Uint8Array): { readonly shares: readonly number[]; readonly accuracy: number; readonly bytes: number } | null {
  let position = 0;
  const peek = (count: number) => {
    const byte = position >>> 3;
    const word = (stream[byte] ?? 0) | ((stream[byte + 1] ?? 0) << 8) | ((stream[byte + 2] ?? 0) << 16);
    return (word >>> (position & 7)) & ((1 << count) - 1);
  };
  const accuracy = peek(4) + MIN_ACCURACY;
  position += 4;
  if (accuracy > MAX_ACCURACY) return null;
  const shares: number[] = [];
  let left = 2 ** accuracy + 1;
  let threshold = 2 ** accuracy;
  let width = accuracy + 1;
  while (left > 1) {
    if (shares.length > MAX_CODE_BITS || position > 8 * stream.length) return null;
    const short = 2 * threshold - 1 - left;
    const low = peek(width - 1);
    let value = low;
    if (low < short) position += width - 1;
    else {
      value = peek(width);
      if (value >= threshold) value -= short;
      position += width;
    }
    const share = value - 1;
    shares.push(share);
    left -= Math.abs(share);
    if (left < 1) return null;
    while (left < threshold) {
      width--;
      threshold /= 2;
    }
    if (share !== 0) continue;
    for (let zeros = 3; zeros === 3; ) {
      zeros = peek(2);
      position += 2;
      if (shares.length + zeros > MAX_CODE_BITS + 1 || position > 8 * stream.length) return null;
      for (let i = 0; i < zeros; i++) shares.push(0);
    }
  }
  const bytes = Math.ceil(position / 8);
  return shares.length <= MAX_CODE_BITS + 1 && bytes < stream.length ? { shares, accuracy, bytes } : null;
}

interface BackwardBits {
  /** The next bits from the end, the first in the highest place; zeros once the stream is used up. */
  take(count: number): number;
  /** Bits not taken yet; negative when more were taken than there are. */
  left(): number;
}

/** A stream that is read from its end, where a 1 closes it; `null` when there is none. */
function backwardBits(stream: Uint8Array): BackwardBits | null {
  const last = stream[stream.length - 1] ?? 0;
  if (last === 0) return null;
  let left = 8 * (stream.length - 1) + highestBit(last);
  return {
    take: (count) => {
      left -= count;
      const from = Math.max(0, left);
      const byte = from >>> 3;
      const word = (stream[byte] ?? 0) | ((stream[byte + 1] ?? 0) << 8);
      const kept = Math.max(0, Math.min(count, left + count));
      return ((word >>> (from & 7)) & ((1 << kept) - 1)) << (count - kept);
    },
    left: () => left,
  };
}
