import { decodeName } from './names';

/** Longer texts are documents more than names, and seldom there twice. */
const MAX_BYTES = 256;
const NONE = -1;
/** Names made to have one hash are not looked for further than this: they are made a text each time. */
const MAX_PROBES = 32;

/**
 * Texts of one skeleton, each made once: a model says every name at least twice, where a value is made and where it is used. Equal texts are one
 * string, whose hash the engine knows already when it is a key of a Map.
 */
export class NameTable {
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  /** Open addressing: numbers of texts, a power of two of them. */
  #slots = new Int32Array(256).fill(NONE);
  readonly #texts: string[] = [];
  readonly #hashes: number[] = [];
  /** Where each text was first found. */
  readonly #begins: number[] = [];
  readonly #lengths: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The text of the bytes [begin, end), as `decodeName` gives it. */
  read(begin: number, end: number): string {
    const length = end - begin;
    if (length > MAX_BYTES) return decodeName(this.#bytes.subarray(begin, end));
    const bytes = this.#bytes;
    // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), 32 bits.
    let hash = 0x811c9dc5;
    let all = 0;
    for (let at = begin; at < end; at++) {
      const byte = bytes[at] ?? 0;
      hash = Math.imul(hash ^ byte, 0x01000193);
      all |= byte;
    }
    const slot = this.#find(hash, begin, length);
    const known = this.#slots[slot] ?? NONE;
    if (known !== NONE) return this.#texts[known] ?? '';
    const text = all < 0x80 ? this.#buffer.toString('latin1', begin, end) : decodeName(bytes.subarray(begin, end));
    if (slot === NONE) return text;
    this.#slots[slot] = this.#texts.push(text) - 1;
    this.#hashes.push(hash);
    this.#begins.push(begin);
    this.#lengths.push(length);
    if (this.#texts.length * 2 > this.#slots.length) this.#grow();
    return text;
  }

  /** The slot of the same bytes, or the free one where they belong; `NONE` when neither is near. */
  #find(hash: number, begin: number, length: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // The lower bits of FNV-1a alone depend too little on the first bytes.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const known = slots[slot] ?? NONE;
      if (known === NONE) return slot;
      if (this.#hashes[known] === hash && this.#lengths[known] === length && this.#equal(this.#begins[known] ?? 0, begin, length)) return slot;
      slot = (slot + 1) & mask;
    }
    return NONE;
  }

  #equal(a: number, b: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4).fill(NONE);
    const mask = slots.length - 1;
    for (const [index, hash] of this.#hashes.entries()) {
      let slot = (hash ^ (hash >>> 15)) & mask;
      for (let probe = 0; probe < MAX_PROBES && slots[slot] !== NONE; probe++) slot = (slot + 1) & mask;
      // What finds no place is made a text once more.
      if (slots[slot] === NONE) slots[slot] = index;
    }
    this.#slots = slots;
  }
}
