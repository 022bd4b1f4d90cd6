/** Python's pickler sets at most this many keys with one instruction (pickle.py `_BATCHSIZE`). */
const BATCH = 1000;

/**
 * Writes protocol 2 the way Python's pickler does, memo included, so that a checkpoint has the bytes that torch.save would give its
 * pickle. Values that Python would recognise as the same object are written once through `shared`.
 * Instructions: https://github.com/python/cpython/blob/main/Lib/pickletools.py
 */
export class PickleWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #memo = 0;
  readonly #shared = new Map<string, number>();

  start(): void {
    this.#put(0x80, 2);
  }
  finish(): Uint8Array {
    this.#put(0x2e);
    return this.#bytes.slice(0, this.#length);
  }

  boolean(value: boolean): void {
    this.#put(value ? 0x88 : 0x89);
  }
  /** A non-negative safe integer. */
  integer(value: number): void {
    if (value <= 0xff) this.#put(0x4b, value);
    else if (value <= 0xffff) this.#put(0x4d, value & 0xff, value >> 8);
    else if (value <= 0x7fff_ffff) this.#put(0x4a, ...little(BigInt(value), 4));
    else {
      const bytes = little(BigInt(value), 8);
      // LONG1 in as few bytes as keep the sign bit clear.
      while (bytes.length > 1 && bytes.at(-1) === 0 && (bytes.at(-2) ?? 0) < 0x80) bytes.pop();
      this.#put(0x8a, bytes.length, ...bytes);
    }
  }
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.#put(0x58, ...little(BigInt(bytes.byteLength), 4));
    this.#append(bytes);
    this.#memoize();
  }
  /** A text that is one object in Python wherever it occurs. */
  sharedText(value: string): void {
    this.#once(`text ${value}`, () => this.text(value));
  }
  global(module: string, name: string): void {
    this.#once(`global ${module} ${name}`, () => {
      this.#append(new TextEncoder().encode(`c${module}\n${name}\n`));
      this.#memoize();
    });
  }
  tuple(items: readonly (() => void)[]): void {
    if (items.length === 0) {
      this.#put(0x29);
      return;
    }
    if (items.length > 3) this.#put(0x28);
    for (const item of items) item();
    this.#put(items.length > 3 ? 0x74 : 0x84 + items.length);
    this.#memoize();
  }
  /** A dictionary; each entry writes its value. */
  dictionary(entries: readonly (readonly [key: string, value: () => void])[]): void {
    this.#put(0x7d);
    this.#memoize();
    for (let start = 0; start < entries.length; start += BATCH) {
      const batch = entries.slice(start, start + BATCH);
      if (batch.length > 1) this.#put(0x28);
      for (const [key, value] of batch) {
        this.text(key);
        value();
      }
      this.#put(batch.length > 1 ? 0x75 : 0x73);
    }
  }
  /** Calls what stands below the arguments on top. */
  reduce(): void {
    this.#put(0x52);
    this.#memoize();
  }
  /** Replaces the identifier on top by a reference. */
  persistent(): void {
    this.#put(0x51);
  }

  #once(key: string, write: () => void): void {
    const known = this.#shared.get(key);
    if (known === undefined) {
      write();
      this.#shared.set(key, this.#memo - 1);
    } else if (known <= 0xff) this.#put(0x68, known);
    else this.#put(0x6a, ...little(BigInt(known), 4));
  }
  #memoize(): void {
    const index = this.#memo++;
    if (index <= 0xff) this.#put(0x71, index);
    else this.#put(0x72, ...little(BigInt(index), 4));
  }
  #put(...bytes: readonly number[]): void {
    this.#append(bytes);
  }
  #append(bytes: ArrayLike<number>): void {
    if (this.#length + bytes.length > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.byteLength, this.#length + bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

function little(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
}
