/** Append-only list of 32-bit integers in one typed array that doubles: 4 bytes an element, no boxes. */
export class GrowableInts {
  #values = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Int32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** @throws RangeError outside of what was pushed. */
  at(index: number): number {
    const value = index < this.#length ? this.#values[index] : undefined;
    if (value === undefined) throw new RangeError(`No element ${index} of ${this.#length}`);
    return value;
  }

  set(index: number, value: number): void {
    if (index < 0 || index >= this.#length) throw new RangeError(`No element ${index} of ${this.#length}`);
    this.#values[index] = value;
  }
}
