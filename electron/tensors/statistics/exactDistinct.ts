import { type DType, dtypeBytes } from '../../../shared/model/dtype';

/** Up to so many elements different bit patterns of more than 16 bits are counted, beyond it they are estimated. */
export const EXACT_ELEMENTS = 262_144;

/** Number of different bit patterns among the elements that `bytes` holds, each of more than 16 bits, by a table of a few bytes an element. */
export function countDistinct(dtype: DType, bytes: Uint8Array): number {
  const size = dtypeBytes(dtype);
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const wide = size / 4;
  const elements = words.length / wide;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, elements * 2))) - 1;
  /** Place of an element plus one; 0 where nothing is. */
  const slots = new Int32Array(mask + 1);
  let distinct = 0;
  for (let element = 0; element < elements; element++) {
    let slot = hashAt(words, element * wide, wide) & mask;
    for (;;) {
      const other = slots[slot] as number;
      if (other === 0) {
        slots[slot] = element + 1;
        distinct++;
        break;
      }
      if (isEqual(words, { a: (other - 1) * wide, b: element * wide, wide })) break;
      slot = (slot + 1) & mask;
    }
  }
  return distinct;
}

function hashAt(words: Int32Array, at: number, wide: number): number {
  let h = 0;
  for (let word = at; word < at + wide; word++) {
    h = Math.imul(h ^ (words[word] as number), 0x85ebca6b);
    h ^= h >>> 15;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h;
}

function isEqual(words: Int32Array, { a, b, wide }: { readonly a: number; readonly b: number; readonly wide: number }): boolean {
  for (let word = 0; word < wide; word++) if (words[a + word] !== words[b + word]) return false;
  return true;
}
