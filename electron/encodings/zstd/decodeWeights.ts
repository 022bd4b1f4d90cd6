import { highestBit, MAX_ACCURACY, MIN_ACCURACY, spreadSymbols } from './fseTable';
import { MAX_CODE_BITS } from './huffmanKernels';

/** A byte's weight is implied where it is the last, so that at most 255 are written. */
const MAX_WEIGHTS = 255;

/**
 * Decodes the finite state entropy stream of Huffman weights that `encodeWeights` describes (RFC 8878, section 4.2.1.2).
 * @returns `null` when it is broken
 */
export function decodeWeights(stream: Uint8Array): readonly number[] | null {
  const head = readShares(stream);
  if (head === null) return null;
  const { shares, accuracy } = head;
  const size = 2 ** accuracy;
  const symbols = spreadSymbols(shares, accuracy);
  const bits = backwardBits(stream.subarray(head.bytes));
  if (bits === null) return null;
  // A state of a symbol is followed by its share, counted up from the first state on.
  const next = shares.map((share) => Math.max(1, share));
  const widths = new Uint8Array(size);
  const bases = new Uint8Array(size);
  for (const [state, symbol] of symbols.entries()) {
    const follower = next[symbol] ?? 1;
    next[symbol] = follower + 1;
    const width = accuracy - highestBit(follower);
    widths[state] = width;
    bases[state] = (follower << width) - size;
  }
  const states = [bits.take(accuracy), bits.take(accuracy)];
  if (bits.left() < 0) return null;
  const weights: number[] = [];
  for (let turn = 0; weights.length < MAX_WEIGHTS; turn ^= 1) {
    const state = states[turn] ?? 0;
    weights.push(symbols[state] ?? 0);
    const low = bits.take(widths[state] ?? 0);
    if (bits.left() < 0) {
      // The other state has nothing to follow either.
      weights.push(symbols[states[turn ^ 1] ?? 0] ?? 0);
      return weights.length <= MAX_WEIGHTS ? weights : null;
    }
    states[turn] = (bases[state] ?? 0) + low;
  }
  return null;
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
