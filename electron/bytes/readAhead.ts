import { alignedBytes } from './alignedBytes';
import type { ByteSource } from './byteSource';

const SMALLEST = 4096;
const LARGEST = 1024 * 1024;

/**
 * Small reads of a source out of a window that grows while they follow each other and shrinks again after a jump, so that an index of
 * large chunks costs a few kilobytes a chunk and two million small chunks cost a few reads.
 */
export class ReadAhead {
  readonly #source: ByteSource;
  #window: Uint8Array = new Uint8Array(0);
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #ahead = SMALLEST;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get length(): number {
    return this.#source.length;
  }

  /** What the window holds from `offset` on when that is at least `length` bytes. Views hold until the next `load`. */
  peek(offset: number, length: number): Uint8Array | null {
    const from = offset - this.#start;
    return from >= 0 && from + length <= this.#window.byteLength ? this.#window.subarray(from) : null;
  }

  /** The bytes that are there now; they hold until the next `load`. With `indexOf`, for one who looks at very many places. */
  get window(): Uint8Array {
    return this.#window;
  }

  /** Where `offset` is in the window, when at least `length` bytes from there on are; -1 otherwise. */
  indexOf(offset: number, length: number): number {
    const from = offset - this.#start;
    return from >= 0 && from + length <= this.#window.byteLength ? from : -1;
  }

  /**
   * Reads at least `length` bytes from `offset`; more when earlier reads came shortly before.
   * @throws CheckpointError truncated when the range is not inside the source
   */
  async load(offset: number, length: number): Promise<Uint8Array> {
    const end = this.#start + this.#window.byteLength;
    this.#ahead = offset >= this.#start && offset <= end ? Math.min(LARGEST, this.#ahead * 2) : SMALLEST;
    const size = Math.max(length, Math.min(this.#ahead, this.#source.length - offset));
    if (this.#source.readInto === undefined) this.#window = await this.#source.read(offset, size);
    else {
      // Nothing is allocated for a range that is not there: the source refuses it first.
      if (offset + size > this.#source.length) await this.#source.read(offset, size);
      if (this.#buffer.byteLength < size) this.#buffer = alignedBytes(size);
      this.#window = new Uint8Array(0);
      const window = this.#buffer.subarray(0, size);
      await this.#source.readInto(offset, window);
      this.#window = window;
    }
    this.#start = offset;
    return this.#window;
  }
}
