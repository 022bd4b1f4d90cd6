import { CheckpointError } from '../../../shared/contract/errors';
import { alignedBytes } from '../../bytes/alignedBytes';
import { ReadAhead } from '../../bytes/readAhead';
import { swapBytes } from '../../tensors/swapBytes';
import { chunkKey } from './chunkGrid';
import { checkBloscSize, decodeChunk } from './decodeChunk';
import { readChunkPart } from './readChunkPart';
import type { StoredArray } from './storedArray';

/** A chunk that has to be decoded as a whole may not be larger: it is held in memory. */
const MAX_CHUNK = 1024 ** 3;
/** From this size on, a small part of a chunk is read and decoded by itself where the compressor allows that. */
const PART_FROM = 1024 * 1024;

/** Reads and decodes the chunks of one array, one at a time. Its buffers are used again for every chunk. */
export class ChunkReader {
  readonly #array: StoredArray;
  readonly #ahead: ReadAhead;
  #scratch: Uint8Array | null = null;
  /** Chunk that is decoded in the scratch. */
  #held = -1;

  constructor(array: StoredArray) {
    this.#array = array;
    this.#ahead = new ReadAhead(array.source);
  }

  has(chunk: number): boolean {
    return this.#array.table.offsetOf(chunk) !== 0;
  }

  /**
   * Decodes a chunk into `target`, which is as long as a chunk and aligned for the elements.
   * @returns a promise only when it has to wait
   */
  decodeInto(chunk: number, target: Uint8Array): undefined | Promise<void> {
    const { table } = this.#array;
    const length = table.lengthOf(chunk);
    const bytes = this.#ahead.peek(table.offsetOf(chunk), length);
    if (bytes === null) return this.#loadInto(chunk, target);
    return this.#decode(chunk, bytes.subarray(0, length), target);
  }

  /**
   * The bytes [from, to) of a decoded chunk, whole elements, aligned for them; hold until the next call.
   * @returns a promise only when it has to wait
   */
  part(chunk: number, from: number, to: number): Uint8Array | Promise<Uint8Array> {
    const scratch = this.#scratch;
    if (scratch === null || (this.#held !== chunk && this.#array.grid.chunkBytes >= PART_FROM)) return this.#partOfLarge(chunk, from, to);
    if (this.#held !== chunk) {
      this.#held = -1;
      const pending = this.decodeInto(chunk, scratch);
      if (pending !== undefined) {
        return pending.then(() => {
          this.#held = chunk;
          return scratch.subarray(from, to);
        });
      }
      this.#held = chunk;
    }
    return scratch.subarray(from, to);
  }

  async #partOfLarge(chunk: number, from: number, to: number): Promise<Uint8Array> {
    const { grid, header } = this.#array;
    if (grid.chunkBytes >= PART_FROM && 2 * (to - from) <= grid.chunkBytes) {
      const part = await readChunkPart(this.#array, chunk, { from, to }).catch((error: unknown) => {
        throw this.#placed(error, chunk);
      });
      if (part !== null) {
        if (header.bigEndian) swapBytes(header.dtype, part);
        return part;
      }
    }
    if (grid.chunkBytes > MAX_CHUNK) {
      throw new CheckpointError(
        'too-large',
        `A chunk of the member ${JSON.stringify(this.#array.name)} has ${grid.chunkBytes} bytes and cannot be read in parts.`,
      );
    }
    this.#held = -1;
    await this.#checkAnnounced(chunk);
    this.#scratch ??= alignedBytes(grid.chunkBytes);
    await this.decodeInto(chunk, this.#scratch);
    this.#held = chunk;
    return this.#scratch.subarray(from, to);
  }

  async #loadInto(chunk: number, target: Uint8Array): Promise<void> {
    const { table } = this.#array;
    const length = table.lengthOf(chunk);
    const bytes = await this.#ahead.load(table.offsetOf(chunk), length);
    await this.#decode(chunk, bytes.subarray(0, length), target);
  }

  /** A large scratch is allocated only for a frame that says itself that it is that large. */
  async #checkAnnounced(chunk: number): Promise<void> {
    const { header, grid, table, source } = this.#array;
    if (this.#scratch !== null || header.compressor !== 'blosc' || grid.chunkBytes < PART_FROM) return;
    const length = table.lengthOf(chunk);
    const frame = this.#ahead.peek(table.offsetOf(chunk), length) ?? (await this.#ahead.load(table.offsetOf(chunk), Math.min(length, source.length)));
    try {
      checkBloscSize(frame.subarray(0, length), grid.chunkBytes);
    } catch (error) {
      throw this.#placed(error, chunk);
    }
  }

  #decode(chunk: number, bytes: Uint8Array, target: Uint8Array): undefined | Promise<void> {
    const { header } = this.#array;
    try {
      const pending = decodeChunk(header.compressor, bytes, target);
      if (pending !== undefined) {
        return pending.then(
          () => this.#order(target),
          (error: unknown) => {
            throw this.#placed(error, chunk);
          },
        );
      }
    } catch (error) {
      throw this.#placed(error, chunk);
    }
    this.#order(target);
    return undefined;
  }

  #order(target: Uint8Array): void {
    const { header } = this.#array;
    if (header.bigEndian) swapBytes(header.dtype, target);
  }

  #placed(error: unknown, chunk: number): CheckpointError {
    const { name, grid, header, table } = this.#array;
    const known = CheckpointError.from(error);
    const where = `chunk ${chunkKey(chunk, grid.counts, header.separator)} of the member ${JSON.stringify(name)}`;
    if (known.code !== 'malformed') return known;
    return new CheckpointError(known.code, `${known.message} (${where})`, { place: { ...known.place, offset: table.offsetOf(chunk) }, cause: known });
  }
}
