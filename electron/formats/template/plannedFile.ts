import { crc32 } from 'node:zlib';
import type { ByteSource } from '../../bytes/byteSource';
import { checkRange } from '../../bytes/checkRange';
import type { Placed } from '../format';
import { combineCrc32 } from '../npz/combineCrc32';

/** CRC-32 of a number of zeros: that of a zero, doubled. */
export function zerosChecksum(bytes: number): number {
  let sum = 0;
  let power = crc32(new Uint8Array(1));
  let length = 1;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) sum = combineCrc32(sum, power, length);
    power = combineCrc32(power, power, length);
    length *= 2;
  }
  return sum;
}

/** A planned file whose tensors are zeros. */
export class PlannedFile implements ByteSource {
  readonly length: number;
  readonly #pieces: readonly Placed[];

  constructor(length: number, pieces: readonly Placed[]) {
    this.length = length;
    this.#pieces = pieces.filter(({ bytes }) => bytes.byteLength > 0).sort((a, b) => a.offset - b.offset);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    checkRange(offset, length, this.length, 'plan');
    const into = new Uint8Array(length);
    for (const { at, bytes } of this.#inside(offset, length)) into.set(bytes, at - offset);
    return into;
  }

  checksum(offset: number, length: number): number {
    let sum = 0;
    let position = offset;
    const skip = (end: number) => {
      sum = combineCrc32(sum, zerosChecksum(end - position), end - position);
      position = end;
    };
    for (const { at, bytes } of this.#inside(offset, length)) {
      skip(at);
      sum = crc32(bytes, sum);
      position += bytes.byteLength;
    }
    skip(offset + length);
    return sum;
  }

  async close(): Promise<void> {}

  /** The parts of pieces that lie in a range. */
  *#inside(offset: number, length: number): Generator<{ at: number; bytes: Uint8Array }> {
    let low = 0;
    let high = this.#pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const piece = this.#pieces[middle];
      if (piece !== undefined && piece.offset + piece.bytes.byteLength <= offset) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.#pieces.length; index++) {
      const piece = this.#pieces[index];
      if (piece === undefined || piece.offset >= offset + length) return;
      const at = Math.max(piece.offset, offset);
      yield { at, bytes: piece.bytes.subarray(at - piece.offset, offset + length - piece.offset) };
    }
  }
}
