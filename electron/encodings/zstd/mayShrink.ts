import type { HuffmanKernels } from './huffmanKernels';

/** Parts smaller than this are counted as a whole. */
const SAMPLED_FROM = 32_768;
const WINDOWS = 8;
const WINDOW = 1024;
/** Bits a byte from which a part is left as it is; 8192 random bytes look like 7.98. */
const RANDOM = 7.9;

/** Whether bytes look as if a Huffman code made them smaller, from a sample of a large part: the low bytes of numbers do not. */
export function mayShrink(kernels: HuffmanKernels, { from, end }: { readonly from: number; readonly end: number }): boolean {
  if (end - from < SAMPLED_FROM) return true;
  const step = Math.floor((end - from - WINDOW) / (WINDOWS - 1));
  const windows = Array.from({ length: WINDOWS }, (_, i) => ({ from: from + i * step, end: from + i * step + WINDOW }));
  return entropy(kernels.count(windows), WINDOWS * WINDOW) < RANDOM;
}

/** Bits a byte that a perfect code needs. @param total sum of the counts */
export function entropy(counts: Uint32Array, total: number): number {
  let sum = 0;
  for (const count of counts) if (count > 0) sum += count * Math.log2(count);
  return Math.log2(total) - sum / total;
}
