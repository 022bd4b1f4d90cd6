import type { ByteRange } from '../../bytes/byteSource';

/**
 * Where every chunk of an array lies: two typed arrays when about as many chunks are there as the grid has (12 bytes a chunk: two
 * million are 24 MB), a map when a grid of any size has few. Memory is bounded by the number of files, which the object's size bounds.
 */
export class ChunkTable {
  readonly #dense: { readonly offsets: Float64Array; readonly lengths: Uint32Array } | null;
  readonly #sparse = new Map<number, ByteRange>();
  #stored = 0;
  #storedBytes = 0;

  /** @param total chunks of the grid @param files how many there can be at most */
  constructor(total: number, files: number) {
    this.#dense = total <= 2 * files + 1024 ? { offsets: new Float64Array(total), lengths: new Uint32Array(total) } : null;
  }

  /** Chunks that are there. */
  get stored(): number {
    return this.#stored;
  }

  /** Their bytes in the object. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  /** @returns `false` when the chunk is there already */
  add(chunk: number, offset: number, length: number): boolean {
    if (this.#dense === null) {
      if (this.#sparse.has(chunk)) return false;
      this.#sparse.set(chunk, { offset, length });
    } else {
      // No content can begin at byte 0 of an object.
      if (this.#dense.offsets[chunk] !== 0) return false;
      this.#dense.offsets[chunk] = offset;
      this.#dense.lengths[chunk] = length;
    }
    this.#stored++;
    this.#storedBytes += length;
    return true;
  }

  /** First byte of a chunk in the object; 0 when it is missing. */
  offsetOf(chunk: number): number {
    return this.#dense === null ? (this.#sparse.get(chunk)?.offset ?? 0) : (this.#dense.offsets[chunk] ?? 0);
  }

  lengthOf(chunk: number): number {
    return this.#dense === null ? (this.#sparse.get(chunk)?.length ?? 0) : (this.#dense.lengths[chunk] ?? 0);
  }
}
