import { type Kernels, loadKernels } from '../../bytes/loadKernels';
import { KERNEL_MODULE } from './kernelModule';

/** Bytes behind every region that the kernels may read and overwrite. */
const SLACK = 64;
/** Blocks beyond this are decoded without the kernels; git-theta's have at most 1 MiB, and lengths in `lz4` must not wrap. */
export const MAX_KERNEL_BLOCK = 4 * 1024 * 1024;

type Unshuffle = (planes: number, count: number, out: number) => void;

/** Kernels with regions of their memory for blocks of up to a size: compressed stream, shuffled planes, elements. */
export interface BlockKernels {
  readonly bytes: Uint8Array;
  readonly stream: number;
  readonly planes: number;
  readonly elements: number;
  lz4(from: number, to: number, start: number, end: number): number;
  readonly unshuffle: ReadonlyMap<number, Unshuffle>;
}

let loaded: Kernels | undefined;
let current: { readonly size: number; readonly kernels: BlockKernels } | undefined;

/**
 * The kernels of this thread, ready for blocks of `size` bytes (at most MAX_KERNEL_BLOCK) of output and streams that are no longer.
 * What they return before is no longer valid when the memory had to grow.
 */
export function blockKernels(size: number): BlockKernels {
  if (current === undefined || current.size < size) current = { size, kernels: prepare(size) };
  return current.kernels;
}

/** The signatures are those of `kernels.wat`. */
function prepare(size: number): BlockKernels {
  loaded ??= loadKernels(KERNEL_MODULE);
  const { memory, fn, reserve } = loaded;
  const region = Math.ceil((size + SLACK) / 16) * 16;
  reserve(3 * region);
  const unshuffle = new Map([2, 4, 8].map((bytes) => [bytes, fn<Unshuffle>(`unshuffle${bytes}`)]));
  return { bytes: new Uint8Array(memory.buffer), stream: 0, planes: region, elements: 2 * region, lz4: fn<BlockKernels['lz4']>('lz4'), unshuffle };
}
