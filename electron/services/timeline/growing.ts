type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

const FIRST_CAPACITY = 1024;

/** A typed array that numbers are added to: no object for each, as a column of a large table needs it. */
export class Growing<T extends Numbers> {
  readonly #make: (length: number) => T;
  #values: T;
  #length: number;

  constructor(make: (length: number) => T, values: T = make(0)) {
    this.#make = make;
    this.#values = values;
    this.#length = values.length;
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(Math.max(FIRST_CAPACITY, Math.ceil(this.#length * 1.5)));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** 0 beyond the end. */
  at(index: number): number {
    return index < this.#length ? (this.#values[index] ?? 0) : 0;
  }

  /** What there is now, not copied: valid until the next `push`. */
  view(): T {
    return this.#values.subarray(0, this.#length) as T;
  }
}

export const growingBytes = (values?: Uint8Array<ArrayBuffer>) => new Growing((length) => new Uint8Array(length), values);
export const growingUint32 = (values?: Uint32Array<ArrayBuffer>) => new Growing((length) => new Uint32Array(length), values);
export const growingFloat64 = (values?: Float64Array<ArrayBuffer>) => new Growing((length) => new Float64Array(length), values);
