/** Big-endian bits of a byte array, most significant first. Reading past the end gives zeros and sets `overrun`. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #bits = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The byte that the next bits come from when nothing of a byte is held. */
  get position(): number {
    return this.#at;
  }

  get overrun(): boolean {
    return this.#at > this.#bytes.byteLength;
  }

  /** @param count 1 to 24 */
  read(count: number): number {
    while (this.#bits < count) {
      this.#held = ((this.#held << 8) | (this.#bytes[this.#at++] ?? 0)) >>> 0;
      this.#bits += 8;
    }
    this.#bits -= count;
    const value = this.#held >>> this.#bits;
    this.#held &= (1 << this.#bits) - 1;
    return value;
  }

  /** Drops what is left of the current byte. At most 7 bits are held between two reads. */
  alignToByte(): void {
    this.#held = 0;
    this.#bits = 0;
  }
}
