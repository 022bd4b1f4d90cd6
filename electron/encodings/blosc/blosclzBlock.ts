import type { Lz4Range } from './lz4Block';

/** Largest distance of a near match; farther ones give the excess in 16 more bits (FastLZ level 2, of which BloscLZ is a dialect). */
const MAX_NEAR = 8191;

/**
 * Decodes one BloscLZ stream: a control byte below 32 announces 1 to 32 literals; otherwise its upper three bits are the length of a
 * match (7: more bytes follow) and its lower five the high part of the distance. Bounds as for `decodeLz4Block`.
 * @returns whether the stream was sound and filled the output exactly.
 */
export function decodeBlosclzBlock(source: Uint8Array, target: Uint8Array, range: Lz4Range): boolean {
  const { to, start, end } = range;
  let read = range.from;
  let write = start;
  // The first control byte is always a literal run; its upper bits are the level.
  let control = (source[read++] ?? 0) & 31;
  for (;;) {
    if (control < 32) {
      const literals = control + 1;
      if (literals > to - read || literals > end - write) return false;
      for (const stop = write + literals; write < stop; ) target[write++] = source[read++] ?? 0;
    } else {
      let length = (control >>> 5) + 2;
      if (length === 9) {
        let more = 255;
        while (more === 255) {
          if (read >= to) return false;
          more = source[read++] ?? 0;
          length += more;
        }
      }
      if (read >= to) return false;
      const low = source[read++] ?? 0;
      let distance = ((control & 31) << 8) + low + 1;
      if (distance === MAX_NEAR + 1) {
        if (to - read < 2) return false;
        distance = MAX_NEAR + 1 + ((source[read] ?? 0) << 8) + (source[read + 1] ?? 0);
        read += 2;
      }
      if (length > end - write || distance > write - start) return false;
      for (const stop = write + length; write < stop; write++) target[write] = target[write - distance] ?? 0;
    }
    if (read >= to) return write === end;
    control = source[read++] ?? 0;
  }
}
