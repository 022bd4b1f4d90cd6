import yauzl from 'yauzl';
import type { ByteSource } from '../../bytes/byteSource';

interface Block {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * yauzl's view of a ByteSource. yauzl asks for some dozens of bytes at a time; blocks answer most of that from memory:
 * the end of the file, which small directories lie in, and the block read last.
 */
export class ZipReader extends yauzl.RandomAccessReader {
  /** Bytes to read when fewer are asked for. */
  blockBytes = 64 * 1024;
  readonly #source: ByteSource;
  #end: Block | null = null;
  #last: Block | null = null;

  constructor(source: ByteSource) {
    super();
    this.#source = source;
  }

  override read(into: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    const copy = ({ offset: start, bytes }: Block) => into.set(bytes.subarray(position - start, position - start + length), offset);
    const held = [this.#end, this.#last].find(
      (block) => block !== null && position >= block.offset && position + length <= block.offset + block.bytes.byteLength,
    );
    if (held) {
      copy(held);
      // yauzl relies on an answer after its own function has returned.
      queueMicrotask(() => callback(null));
      return;
    }
    const available = Math.max(0, this.#source.length - position);
    this.#source.read(position, Math.max(length, Math.min(this.blockBytes, available))).then(
      (bytes) => {
        const block = { offset: position, bytes };
        if (position + bytes.byteLength === this.#source.length) this.#end ??= block;
        this.#last = block;
        copy(block);
        callback(null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** The source belongs to the caller. */
  override close(callback: (error: Error | null) => void): void {
    queueMicrotask(() => callback(null));
  }
}
