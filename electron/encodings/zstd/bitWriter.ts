/** Collects bits into bytes, the first bit in the lowest place. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #bits = 0;

  /** @param count at most 16 */
  put(value: number, count: number): void {
    this.#held |= (value & ((1 << count) - 1)) << this.#bits;
    this.#bits += count;
    while (this.#bits >= 8) {
      this.#bytes.push(this.#held & 0xff);
      this.#held >>>= 8;
      this.#bits -= 8;
    }
  }

  /** All bytes; the last one filled with zeros. */
  finish(): readonly number[] {
    return this.#bits === 0 ? this.#bytes : [...this.#bytes, this.#held];
  }
}
