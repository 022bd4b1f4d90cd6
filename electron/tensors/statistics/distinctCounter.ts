import { type DType, dtypeBytes } from '../../../shared/model/dtype';

/** Registers of the estimate, a power of two: its standard error is 1.04 / √4096 = 1.6 %. */
const REGISTERS = 4096;
const INDEX_BITS = 12;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/** How many different bit patterns; sendable, and joined with that of another part of the same tensor by `joinDistinct`. */
export type DistinctRegisters = Uint8Array<ArrayBuffer>;

export function newRegisters(): DistinctRegisters {
  return new Uint8Array(REGISTERS);
}

/**
 * HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007) over hashes of 32 bits: the first 12 bits choose a register, which keeps the largest
 * place of the first one among the others.
 */
export function addHash(registers: DistinctRegisters, hash: number): void {
  const index = hash >>> (32 - INDEX_BITS);
  const rank = Math.min(33 - INDEX_BITS, Math.clz32(hash << INDEX_BITS) + 1);
  if ((registers[index] as number) < rank) registers[index] = rank;
}

/** Murmur3's last step without its first shift: one to one, every bit of the upper half depends on all bits of `word`. */
export function mixWord(word: number): number {
  let h = Math.imul(word, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Adds elements of whole 32-bit words; `block` need not be aligned. */
export function addPatterns(registers: DistinctRegisters, dtype: DType, block: Uint8Array): void {
  const aligned = block.byteOffset % 4 === 0 ? block : Uint8Array.from(block);
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const wide = dtypeBytes(dtype) / 4;
  if (wide === 1) {
    for (let i = 0; i < words.length; i++) addHash(registers, mixWord(words[i] as number));
    return;
  }
  for (let i = 0; i < words.length; i += wide) {
    let hash = 0;
    for (let word = i; word < i + wide; word++) hash = mixWord(Math.imul(hash, 0x9e3779b1) + (words[word] as number));
    addHash(registers, hash);
  }
}

/** `all` becomes the count of both together. */
export function joinDistinct(all: DistinctRegisters, part: DistinctRegisters): void {
  for (let i = 0; i < REGISTERS; i++) if ((all[i] as number) < (part[i] as number)) all[i] = part[i] as number;
}

/** The number that the registers stand for; few are counted by the registers that stayed empty. */
export function estimateDistinct(registers: DistinctRegisters): number {
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty++;
  }
  const estimate = (ALPHA * REGISTERS * REGISTERS) / sum;
  return Math.round(estimate <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : estimate);
}
