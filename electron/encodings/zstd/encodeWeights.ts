import { BitWriter } from './bitWriter';
import { highestBit, MAX_ACCURACY, MIN_ACCURACY, spreadSymbols } from './fseTable';

/**
 * Huffman weights as a finite state entropy stream (RFC 8878, section 4.2.1.2): the table's description, then the weights, those at even
 * and odd places by two states that take turns, the last first.
 * @param weights at least 2 different ones, each from 0 to 11
 */
export function encodeWeights(weights: readonly number[]): Uint8Array {
  const accuracy = weights.length > 64 ? MAX_ACCURACY : MIN_ACCURACY;
  const shares = sharesOf(weights, accuracy);
  return Uint8Array.from([...describeShares(shares, accuracy), ...encodeStates(weights, shares, accuracy)]);
}

/** Shares of a table of `2 ** accuracy` states: in proportion, at least one for each weight that occurs. */
function sharesOf(weights: readonly number[], accuracy: number): number[] {
  const counts = new Array<number>(Math.max(...weights) + 1).fill(0);
  for (const weight of weights) counts[weight] = (counts[weight] ?? 0) + 1;
  const size = 2 ** accuracy;
  const shares = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.round((count * size) / weights.length))));
  // Rounding errors go to the largest, which notices them least.
  let rest = size - shares.reduce((sum, share) => sum + share, 0);
  while (rest !== 0) {
    const largest = shares.indexOf(Math.max(...shares));
    const change = Math.sign(rest);
    shares[largest] = (shares[largest] ?? 0) + change;
    rest -= change;
  }
  return shares;
}

/** RFC 8878, section 4.1.1: each share in as few bits as what is left allows; runs of zeros by their length. */
function describeShares(shares: readonly number[], accuracy: number): readonly number[] {
  const bits = new BitWriter();
  bits.put(accuracy - MIN_ACCURACY, 4);
  let left = 2 ** accuracy + 1;
  let threshold = 2 ** accuracy;
  let width = accuracy + 1;
  for (let symbol = 0; symbol < shares.length && left > 1; symbol++) {
    const share = shares[symbol] ?? 0;
    const short = 2 * threshold - 1 - left;
    left -= share;
    const value = share + 1;
    bits.put(value >= threshold ? value + short : value, value < short ? width - 1 : width);
    while (left < threshold) {
      width--;
      threshold /= 2;
    }
    if (share !== 0) continue;
    let zeros = 0;
    while (shares[symbol + 1 + zeros] === 0) zeros++;
    symbol += zeros;
    for (; zeros >= 3; zeros -= 3) bits.put(3, 2);
    bits.put(zeros, 2);
  }
  return bits.finish();
}

interface Coder {
  /** States of all symbols, by symbol, each plus the table's size. */
  readonly states: readonly number[];
  /** For every symbol: its share, and where its states begin. */
  readonly shares: readonly number[];
  readonly firsts: readonly number[];
  readonly accuracy: number;
}

function encodeStates(weights: readonly number[], shares: readonly number[], accuracy: number): readonly number[] {
  const size = 2 ** accuracy;
  const firsts: number[] = [];
  let sum = 0;
  for (const share of shares) {
    firsts.push(sum);
    sum += share;
  }
  const next = [...firsts];
  const states = new Array<number>(size).fill(0);
  for (const [state, symbol] of spreadSymbols(shares, accuracy).entries()) {
    const place = next[symbol] ?? 0;
    states[place] = size + state;
    next[symbol] = place + 1;
  }
  const coder: Coder = { states, shares, firsts, accuracy };
  const bits = new BitWriter();
  const held: (number | undefined)[] = [undefined, undefined];
  for (let i = weights.length - 1; i >= 0; i--) {
    const weight = weights[i] ?? 0;
    const state = held[i % 2];
    held[i % 2] = state === undefined ? (states[firsts[weight] ?? 0] ?? 0) : advance(coder, bits, { state, weight });
  }
  bits.put(held[1] ?? 0, accuracy);
  bits.put(held[0] ?? 0, accuracy);
  bits.put(1, 1);
  return bits.finish();
}

/** Puts out the low bits of a state, so that what remains is one of the symbol's shares, which gives the next state. */
function advance({ states, shares, firsts }: Coder, bits: BitWriter, { state, weight }: { readonly state: number; readonly weight: number }): number {
  const share = shares[weight] ?? 1;
  // `state >>> width` must lie in [share, 2 * share).
  let width = highestBit(state) - highestBit(share);
  if (state >>> width < share) width--;
  bits.put(state, width);
  return states[(firsts[weight] ?? 0) + (state >>> width) - share] ?? 0;
}
