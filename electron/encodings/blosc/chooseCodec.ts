import { entropy } from '../zstd/mayShrink';
import { shuffleBlock, type WrittenCodec } from './encodeBlock';
import type { EncodeKernels } from './kernels';

/** Elements of each window of the sample, and how many windows. */
const WINDOW = 8192;
const WINDOWS = 4;
/** LZ4 has to save this much more before it is taken: a sample shows it more than the whole. */
const CLEARLY = 0.95;
/** About what the description of a tree takes. */
const TREE = 80;

/**
 * Which codec makes the frame smaller, from windows spread over the bytes: what a Huffman code would take of each plane, against what
 * LZ4 does take.
 */
export function chooseCodec(
  kernels: EncodeKernels,
  bytes: Uint8Array,
  options: { readonly size: 1 | 2 | 4 | 8; readonly shuffle: 'none' | 'bit' },
): WrittenCodec {
  const { size } = options;
  const elements = bytes.byteLength / size;
  const windows = Math.min(WINDOWS, Math.ceil(elements / WINDOW));
  const step = windows === 1 ? 0 : Math.floor((elements - WINDOW) / (windows - 1));
  let huffman = 0;
  let lz4 = 0;
  for (let window = 0; window < windows; window++) {
    const sample = bytes.subarray(window * step * size, (window * step + WINDOW) * size);
    const { from, plane } = shuffleBlock(kernels, sample, options);
    for (let at = from; at < from + sample.byteLength; at += plane) {
      const range = { from: at, end: at + plane };
      const bits = entropy(kernels.huffman.count([range]), plane);
      huffman += Math.min(plane, bits === 0 ? 1 : Math.max((plane * bits) / 8, plane / 8) + TREE / windows);
      const coded = kernels.lz4encode(range.from, range.end, kernels.stream, kernels.stream + plane - 1);
      lz4 += coded === 0 ? plane : coded - kernels.stream;
    }
  }
  return lz4 < CLEARLY * huffman ? 'lz4' : 'zstd';
}
