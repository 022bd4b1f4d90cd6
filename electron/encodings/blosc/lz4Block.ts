/** Copies at least this long go through `copyWithin`/`set`; the call costs as much as a loop over about that many bytes. */
const LONG_COPY = 40;

export interface Lz4Range {
  /** First byte of the block in the source, and the byte after its last. */
  readonly from: number;
  readonly to: number;
  /** First byte of the output in the target, and the byte after its last. */
  readonly start: number;
  readonly end: number;
}

/**
 * Decodes one LZ4 block (the raw block format: token, literals, little-endian 16-bit distance, match; the last sequence has literals only).
 * Never reads outside [from, to) of `source` or writes outside [start, end) of `target`; matches reach back to `start` at most.
 * @returns whether the block was sound and filled the output exactly.
 */
export function decodeLz4Block(source: Uint8Array, target: Uint8Array, range: Lz4Range): boolean {
  const { to, start, end } = range;
  let read = range.from;
  let write = start;
  while (read < to) {
    const token = source[read++] ?? 0;
    let literals = token >>> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255) {
        if (read >= to) return false;
        more = source[read++] ?? 0;
        literals += more;
      }
    }
    if (literals > to - read || literals > end - write) return false;
    if (literals > LONG_COPY) {
      target.set(source.subarray(read, read + literals), write);
      read += literals;
      write += literals;
    } else {
      for (const stop = write + literals; write < stop; ) target[write++] = source[read++] ?? 0;
    }
    if (read === to) return write === end;
    if (to - read < 2) return false;
    const distance = (source[read] ?? 0) | ((source[read + 1] ?? 0) << 8);
    read += 2;
    if (distance === 0 || distance > write - start) return false;
    let length = token & 15;
    if (length === 15) {
      let more = 255;
      while (more === 255) {
        if (read >= to) return false;
        more = source[read++] ?? 0;
        length += more;
      }
    }
    length += 4;
    if (length > end - write) return false;
    write = copyMatch(target, write, { distance, length });
  }
  return false;
}

/** A match may overlap its own output: `distance` bytes are then repeated. Returns the new write position. */
function copyMatch(target: Uint8Array, write: number, match: { readonly distance: number; readonly length: number }): number {
  const { distance, length } = match;
  const stop = write + length;
  if (length <= LONG_COPY) {
    for (let from = write - distance; write < stop; ) target[write++] = target[from++] ?? 0;
    return stop;
  }
  if (distance === 1) {
    target.fill(target[write - 1] ?? 0, write, stop);
    return stop;
  }
  // Doubling: what has been written so far is a whole number of periods, so it may be copied as one piece.
  const from = write - distance;
  let known = distance;
  while (write < stop) {
    const size = Math.min(known, stop - write);
    target.copyWithin(write, from, from + size);
    write += size;
    known += size;
  }
  return stop;
}
