import { MAX_CODE_BITS } from './huffmanKernels';

/**
 * Lengths of the codes that make a text shortest: Huffman's, by the in-place method of Moffat and Katajainen, then with no code longer
 * than MAX_CODE_BITS: too long codes are cut, and as many of the longest others made longer as restores a complete tree.
 * @param counts how often each of 256 bytes occurs, at least two of them
 * @returns bits of the code of every byte, 0 for one that does not occur
 */
export function huffmanLengths(counts: Uint32Array): Uint8Array {
  // Count and byte in one number, so that sorting needs no comparison function; a block has at most 2^17 bytes.
  const sorted = new Uint32Array(256);
  let used = 0;
  for (let byte = 0; byte < 256; byte++) {
    const count = counts[byte] ?? 0;
    if (count > 0) sorted[used++] = count * 256 + byte;
  }
  const present = sorted.subarray(0, used).sort();
  const codesOf = limit(codesOfLength(Float64Array.from(present, (key) => key >>> 8)));
  const lengths = new Uint8Array(256);
  let at = 0;
  for (let bits = MAX_CODE_BITS; bits > 0; bits--) {
    for (let left = codesOf[bits] ?? 0; left > 0; left--) lengths[(present[at++] ?? 0) & 0xff] = bits;
  }
  return lengths;
}

/** How many codes there are of each length. @param a weights in ascending order, overwritten */
function codesOfLength(a: Float64Array): number[] {
  const last = a.length - 1;
  a[0] = at(a, 0) + at(a, 1);
  for (let next = 1, root = 0, leaf = 2; next < last; next++) {
    let weight = 0;
    for (let child = 0; child < 2; child++) {
      if (leaf > last || (root < next && at(a, root) < at(a, leaf))) {
        weight += at(a, root);
        a[root++] = next;
      } else weight += at(a, leaf++);
    }
    a[next] = weight;
  }
  // Depths of the inner nodes, from the root down.
  a[last - 1] = 0;
  for (let next = last - 2; next >= 0; next--) a[next] = at(a, at(a, next)) + 1;
  const codes: number[] = [0];
  let node = last - 1;
  for (let depth = 0, places = 1; places > 0; depth++) {
    let inner = 0;
    while (node >= 0 && at(a, node) === depth) {
      inner++;
      node--;
    }
    codes[depth] = places - inner;
    places = 2 * inner;
  }
  return codes;
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function limit(codes: number[]): number[] {
  const limited = Array.from({ length: MAX_CODE_BITS + 1 }, (_, bits) => codes[bits] ?? 0);
  for (let bits = MAX_CODE_BITS + 1; bits < codes.length; bits++) limited[MAX_CODE_BITS] = (limited[MAX_CODE_BITS] ?? 0) + (codes[bits] ?? 0);
  let taken = limited.reduce((sum, count, bits) => (bits === 0 ? 0 : sum + count * 2 ** (MAX_CODE_BITS - bits)), 0);
  for (; taken > 2 ** MAX_CODE_BITS; taken--) {
    let bits = MAX_CODE_BITS - 1;
    while (bits > 1 && limited[bits] === 0) bits--;
    limited[MAX_CODE_BITS] = (limited[MAX_CODE_BITS] ?? 0) - 1;
    limited[bits] = (limited[bits] ?? 0) - 1;
    limited[bits + 1] = (limited[bits + 1] ?? 0) + 2;
  }
  return limited;
}
