const LEAST = 4096;

/** Bytes whose final number is not known; while it grows, up to twice of what is there is held. */
export class GrowingBytes {
  readonly #most: number;
  #bytes = new Uint8Array(0);
  #length = 0;

  /** @param most how many there will be at most */
  constructor(most: number) {
    this.#most = most;
  }

  /** Room for so many more at the end, to be filled in before the next is asked for. */
  extend(count: number): Uint8Array<ArrayBuffer> {
    const end = this.#length + count;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, Math.min(this.#most, Math.max(LEAST, 2 * this.#bytes.length))));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    const room = this.#bytes.subarray(this.#length, end);
    this.#length = end;
    return room;
  }

  /** What is there, as a view. */
  get content(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
