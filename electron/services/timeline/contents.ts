import { type Growing, growingFloat64, growingUint32 } from './growing';

/** What decides the stored value of a group. Numbers of names in the tables of the store. */
export interface ContentKey {
  /** Object id in hexadecimal digits, at least 32. */
  readonly oid: string;
  readonly kind: number;
  readonly form: number;
  /** Number of the commit of the base, from 1 on; 0 where nothing but the object decides. */
  readonly base: number;
  /** Number of the row, from 1 on; 0 where the same object means the same value in every row. */
  readonly row: number;
}

const WORDS = 4;

/**
 * Stored values by number, from 1 on. A value is known by 128 bits that its object id is folded to, in which what else decides it is mixed: for one object
 * the mixture is one to one, and object ids are SHA-256 (SHA-1 for blobs).
 */
export class Contents {
  readonly words: Growing<Uint32Array<ArrayBuffer>>;
  readonly forms: Growing<Uint32Array<ArrayBuffer>>;
  readonly storedBytes: Growing<Float64Array<ArrayBuffer>>;
  /** Open addressing: number of the content, or 0. Made when the first one is looked up. */
  #slots: Uint32Array<ArrayBuffer> | null = null;

  constructor(words = growingUint32(), forms = growingUint32(), storedBytes = growingFloat64()) {
    this.words = words;
    this.forms = forms;
    this.storedBytes = storedBytes;
  }

  get count(): number {
    return this.forms.length;
  }

  formOf(content: number): number {
    return this.forms.at(content - 1);
  }

  bytesOf(content: number): number {
    return this.storedBytes.at(content - 1);
  }

  number({ oid, kind, form, base, row }: ContentKey, bytes: number): number {
    const a = (word(oid, 0) ^ ((kind << 24) | form)) >>> 0;
    const b = (word(oid, 1) ^ base) >>> 0;
    const c = (word(oid, 2) ^ row) >>> 0;
    const d = word(oid, 3);
    if (this.#slots === null || (this.count + 1) * 2 > this.#slots.length) this.#slots = this.#index();
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = mixed(a, b, c, d) & mask;
    for (let found = slots[slot] ?? 0; found !== 0; found = slots[slot] ?? 0) {
      const at = (found - 1) * WORDS;
      const { words } = this;
      if (words.at(at) === a && words.at(at + 1) === b && words.at(at + 2) === c && words.at(at + 3) === d) return found;
      slot = (slot + 1) & mask;
    }
    for (const value of [a, b, c, d]) this.words.push(value);
    this.forms.push(form);
    this.storedBytes.push(bytes);
    slots[slot] = this.count;
    return this.count;
  }

  #index(): Uint32Array<ArrayBuffer> {
    let size = 1024;
    while (size < (this.count + 1) * 3) size *= 2;
    const slots = new Uint32Array(size);
    const words = this.words.view();
    for (let content = 1; content <= this.count; content++) {
      const at = (content - 1) * WORDS;
      let slot = mixed(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0) & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = content;
    }
    return slots;
  }
}

/** Of the four words, with those behind them (a SHA-256 has eight, a SHA-1 five) folded in. */
function word(oid: string, index: number): number {
  const digits = (place: number) => Number.parseInt(oid.slice(place * 8, place * 8 + 8), 16);
  return (digits(index) ^ digits(index + WORDS)) >>> 0;
}

function mixed(a: number, b: number, c: number, d: number): number {
  return (a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca77) ^ Math.imul(d, 0xc2b2ae3d)) >>> 0;
}
