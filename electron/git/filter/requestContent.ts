import { CheckpointError } from '../../../shared/contract/errors';
import type { PktLineReader } from './pktLine';

/** Content of one file as the handler sees it, which stays within its flush packet whatever the handler does. */
export class RequestContent implements AsyncIterable<Uint8Array> {
  readonly #reader: PktLineReader;
  #tail: Promise<unknown> = Promise.resolve();
  #ended = false;
  #answered = false;

  constructor(reader: PktLineReader) {
    this.#reader = reader;
  }

  // Not a generator: leaving a loop over it early must not end it, and a read that a failed handler has left behind must not be overtaken.
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        if (this.#answered) throw new CheckpointError('internal', 'The content of a file was read after its answer.');
        const piece = await this.#next();
        return piece === null ? { done: true, value: undefined } : { done: false, value: piece };
      },
    };
  }

  /** Reads what the handler has left. @throws what the reader throws */
  async drain(): Promise<void> {
    this.#answered = true;
    while ((await this.#next()) !== null);
  }

  #next(): Promise<Uint8Array | null> {
    const next = this.#tail.then(async () => {
      if (this.#ended) return null;
      const piece = await this.#reader.readPiece();
      this.#ended = piece === null;
      return piece;
    });
    this.#tail = next.catch(() => {});
    return next;
  }
}
