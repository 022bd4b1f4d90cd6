import { loadKernels } from '../../bytes/loadKernels';
import { HUFFMAN_MODULE } from './huffmanModule';

/** Longest code that a zstd decoder takes (RFC 8878, section 4.2.1). */
export const MAX_CODE_BITS = 11;
/** Most bytes of output of one block of a zstd frame. */
export const MAX_ZSTD_BLOCK = 131_072;

const TABLE = 0;
const CODES = TABLE + 2 * 2 ** MAX_CODE_BITS;
const COUNTS = CODES + 4 * 256;
const COUNTS_BYTES = 4 * 4 * 256;

/** Bytes of the tables at the beginning of the memory; others may use what is behind them. */
export const HUFFMAN_TABLES = COUNTS + COUNTS_BYTES;
/**
 * Streams must not begin before this: a quarter of a block in the longest codes. A broken stream makes the kernels read so far back,
 * which costs nothing, while looking at the limit all the time would.
 */
export const BEFORE_STREAMS = 49_152;

/** The kernels on a memory, with addresses in it as arguments; views are no longer valid when it grows. */
export interface HuffmanKernels {
  readonly bytes: Uint8Array;
  /** Entry for every `log` next bits: `byte << 8 | bits of its code`. */
  readonly table: Uint16Array;
  /** For every byte `code << 8 | bits`; 0 for one that does not occur. */
  readonly codes: Uint32Array;
  /** How often every byte occurs in a range: 256 counts, valid until the next call. */
  count(ranges: readonly { readonly from: number; readonly end: number }[]): Uint32Array;
  /** Writes the codes of [from, end) at `out`. @returns the byte behind them */
  encode(from: number, end: number, out: number): number;
  /** Decodes one stream with `table`. @returns whether it gave the output and was used up */
  decode1(stream: { readonly from: number; readonly end: number }, output: { readonly start: number; readonly end: number }, log: number): boolean;
  /** Decodes four streams that follow each other, `starts` and `end`, to four parts of the output. */
  decode4(streams: FourStreams, output: { readonly start: number; readonly end: number }, log: number): boolean;
}

export interface FourStreams {
  readonly starts: readonly [number, number, number, number];
  readonly end: number;
}

/** The signatures are those of `huffman.wat`. */
interface Exports {
  count(from: number, end: number, counts: number): void;
  encode(from: number, end: number, codes: number, out: number): number;
  decode1(from: number, end: number, out: number, stop: number, table: number, log: number): number;
  decode4(...args: readonly [from0: number, from1: number, from2: number, from3: number, end: number, ...number[]]): number;
}

/**
 * Puts the kernels on a memory, whose first HUFFMAN_TABLES bytes are for their tables.
 * @returns views of the memory as it is then; to be called again when it has grown
 */
export function loadHuffmanKernels(memory: WebAssembly.Memory): () => HuffmanKernels {
  const { fn } = loadKernels(HUFFMAN_MODULE, memory);
  const wasm: Exports = { count: fn('count'), encode: fn('encode'), decode1: fn('decode1'), decode4: fn('decode4') };
  return () => {
    const { buffer } = memory;
    const bytes = new Uint8Array(buffer);
    const counts = new Uint32Array(buffer, COUNTS, 256);
    return {
      bytes,
      table: new Uint16Array(buffer, TABLE, 2 ** MAX_CODE_BITS),
      codes: new Uint32Array(buffer, CODES, 256),
      count: (ranges) => {
        bytes.fill(0, COUNTS, COUNTS + COUNTS_BYTES);
        for (const { from, end } of ranges) {
          wasm.count(from, end, COUNTS);
          // The kernel adds the four tables up in the first.
          bytes.fill(0, COUNTS + 1024, COUNTS + COUNTS_BYTES);
        }
        return counts;
      },
      encode: (from, end, out) => wasm.encode(from, end, CODES, out),
      decode1: (stream, output, log) => wasm.decode1(stream.from, stream.end, output.start, output.end, TABLE, log) === 1,
      decode4: ({ starts, end }, output, log) => {
        const part = Math.ceil((output.end - output.start) / 4);
        return wasm.decode4(...starts, end, output.start, part, output.end, TABLE, log) === 1;
      },
    };
  };
}
