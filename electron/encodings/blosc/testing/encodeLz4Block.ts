/** Rules of the LZ4 block format: the last 5 bytes are literals, no match begins in the last 12 bytes; 64 KiB of distance. */
const LAST_LITERALS = 5;
const NO_MATCH_IN = 12;
const MAX_DISTANCE = 65_535;
const HASH_BITS = 14;

/** Step through data without matches, as LZ4 "fast" does at acceleration 5. */
const ACCELERATION = 5;

/** Greedy LZ4 of one block; `null` when that is not smaller. */
export function encodeLz4Block(bytes: Uint8Array): Uint8Array | null {
  const end = bytes.byteLength;
  const out = new Uint8Array(end);
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  const seen = new Int32Array(1 << HASH_BITS).fill(-1);
  let write = 0;
  let literalsFrom = 0;
  let at = 0;
  let misses = ACCELERATION << 6;
  while (at < end - NO_MATCH_IN) {
    const word = view.getUint32(at, true);
    const hash = Math.imul(word, 2654435761) >>> (32 - HASH_BITS);
    const candidate = seen[hash] ?? -1;
    seen[hash] = at;
    if (candidate < 0 || at - candidate > MAX_DISTANCE || view.getUint32(candidate, true) !== word) {
      at += misses++ >>> 6;
      continue;
    }
    let length = 4;
    while (at + length < end - LAST_LITERALS && bytes[candidate + length] === bytes[at + length]) length++;
    write = putSequence(out, write, { literals: bytes.subarray(literalsFrom, at), distance: at - candidate, length });
    if (write < 0) return null;
    at += length;
    literalsFrom = at;
    misses = ACCELERATION << 6;
  }
  write = putSequence(out, write, { literals: bytes.subarray(literalsFrom), distance: 0, length: 0 });
  return write < 0 ? null : out.subarray(0, write);
}

interface Sequence {
  readonly literals: Uint8Array;
  /** 0 in the last sequence, which has no match. */
  readonly distance: number;
  readonly length: number;
}

/** @returns the new write position, or -1 when there is no room */
function putSequence(out: Uint8Array, at: number, { literals, distance, length }: Sequence): number {
  const count = literals.byteLength;
  const match = distance === 0 ? 0 : length - 4;
  if (at + 1 + count + count / 255 + match / 255 + 4 >= out.byteLength) return -1;
  out[at++] = (Math.min(count, 15) << 4) | Math.min(match, 15);
  let write = putLength(out, at, count);
  out.set(literals, write);
  write += count;
  if (distance === 0) return write;
  out[write++] = distance;
  out[write++] = distance >>> 8;
  return putLength(out, write, match);
}

function putLength(out: Uint8Array, at: number, length: number): number {
  let write = at;
  if (length < 15) return write;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out[write++] = 255;
  out[write++] = rest;
  return write;
}
