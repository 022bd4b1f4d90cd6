import { type Kernels, loadKernels } from '../../bytes/loadKernels';
import { BEFORE_STREAMS, HUFFMAN_TABLES, type HuffmanKernels, loadHuffmanKernels } from '../zstd/huffmanKernels';
import { ENCODE_MODULE } from './encodeModule';
import { KERNEL_MODULE } from './kernelModule';

/** Bytes behind every region that the kernels may read and overwrite. */
const SLACK = 64;
/** Blocks beyond this are decoded without the kernels; git-theta's have at most 1 MiB, and lengths in `lz4` must not wrap. */
export const MAX_KERNEL_BLOCK = 4 * 1024 * 1024;
/** Where `lz4encode` keeps 16 KiB of positions. */
const POSITIONS = HUFFMAN_TABLES;

type Unshuffle = (planes: number, count: number, out: number) => void;
type Shuffle = (elements: number, count: number, planes: number) => void;

/** Kernels with regions of their memory for blocks of up to a size: compressed stream, shuffled planes, elements. */
export interface BlockKernels {
  readonly bytes: Uint8Array;
  readonly stream: number;
  readonly planes: number;
  readonly elements: number;
  lz4(from: number, to: number, start: number, end: number): number;
  readonly unshuffle: ReadonlyMap<number, Unshuffle>;
  readonly huffman: HuffmanKernels;
}

export interface EncodeKernels extends BlockKernels {
  /** LZ4 block of [from, end) at `out`. @returns the byte behind it, or 0 when that would be beyond `limit` */
  lz4encode(from: number, end: number, out: number, limit: number): number;
  readonly shuffle: ReadonlyMap<number, Shuffle>;
  readonly bitshuffle: Shuffle;
}

let loaded: { readonly kernels: Kernels; readonly huffman: () => HuffmanKernels } | undefined;
let current: { readonly size: number; readonly kernels: BlockKernels } | undefined;
let encoding: Kernels | undefined;

/**
 * The kernels of this thread, ready for blocks of `size` bytes (at most MAX_KERNEL_BLOCK) of output and streams that are no longer.
 * What they return before is no longer valid when the memory had to grow.
 */
export function blockKernels(size: number): BlockKernels {
  if (current === undefined || current.size < size) current = { size, kernels: prepare(size) };
  return current.kernels;
}

/** As `blockKernels`, with those for writing, which a thread that only reads never loads. */
export function encodeKernels(size: number): EncodeKernels {
  const kernels = blockKernels(size);
  encoding ??= loadKernels(ENCODE_MODULE, loaded?.kernels.memory);
  const { fn } = encoding;
  const lz4 = fn<(from: number, end: number, out: number, limit: number, table: number) => number>('lz4encode');
  return {
    ...kernels,
    lz4encode: (from, end, out, limit) => lz4(from, end, out, limit, POSITIONS),
    shuffle: new Map([2, 4, 8].map((bytes) => [bytes, fn<Shuffle>(`shuffle${bytes}`)])),
    bitshuffle: fn<Shuffle>('bitshuffle'),
  };
}

/** The signatures are those of `kernels.wat`. The tables come first, then the regions. */
function prepare(size: number): BlockKernels {
  loaded ??= load();
  const { memory, fn, reserve } = loaded.kernels;
  const region = Math.ceil((size + SLACK) / 16) * 16;
  reserve(BEFORE_STREAMS + 3 * region);
  const unshuffle = new Map([2, 4, 8].map((bytes) => [bytes, fn<Unshuffle>(`unshuffle${bytes}`)]));
  return {
    bytes: new Uint8Array(memory.buffer),
    stream: BEFORE_STREAMS,
    planes: BEFORE_STREAMS + region,
    elements: BEFORE_STREAMS + 2 * region,
    lz4: fn<BlockKernels['lz4']>('lz4'),
    unshuffle,
    huffman: loaded.huffman(),
  };
}

function load(): NonNullable<typeof loaded> {
  const kernels = loadKernels(KERNEL_MODULE);
  // One page for the tables of Huffman's codes, before any view is made.
  kernels.reserve(BEFORE_STREAMS);
  return { kernels, huffman: loadHuffmanKernels(kernels.memory) };
}
