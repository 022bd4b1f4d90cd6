import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';

/** As much as a pipe usually holds: more never comes at once. */
const PIECE_BYTES = 64 * 1024;
const BUFFERS = 16;
/** One is with the reader, one is being filled, and a read may be under way when reading is stopped. */
const MOST_WAITING = BUFFERS - 3;

/** What a program reads from: pieces as they come, and a way to give up. */
export interface ByteInput extends AsyncIterable<Uint8Array> {
  /** Ends reading: whoever waits for a piece gets the error. */
  destroy(error?: Error): unknown;
}

/**
 * What comes through a pipe or socket, in buffers that are used again: a stream of node makes one for every piece, which takes several times as
 * long and leaves gigabytes to collect. A piece is valid until the next one is asked for. Read by one reader, once.
 */
export class PipeInput implements ByteInput {
  readonly #buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(PIECE_BYTES));
  readonly #socket: Socket;
  readonly #waiting: Uint8Array[] = [];
  #next = 0;
  #stopped = false;
  #ending: { readonly error: unknown } | null = null;
  #wake: () => void = () => {};

  /** @param file descriptor, which is closed in the end */
  constructor(file: number) {
    const onread = {
      buffer: () => this.#nextBuffer(),
      callback: (bytes: number, buffer: Uint8Array) => this.#take(buffer.subarray(0, bytes)),
    };
    const options = { fd: file, readable: true, writable: false, onread };
    this.#socket = new Socket(options);
    this.#socket.on('end', () => this.#end(null));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(null));
    this.#socket.resume();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        for (;;) {
          const piece = this.#waiting.shift();
          if (piece !== undefined) return { done: false, value: piece };
          if (this.#ending !== null) {
            if (this.#ending.error === null) return { done: true, value: undefined };
            throw this.#ending.error;
          }
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
            this.#goOn();
          });
        }
      },
      return: async () => {
        this.destroy();
        return { done: true, value: undefined };
      },
    };
  }

  destroy(error?: Error): void {
    this.#end(error ?? null);
    // What has come is of no interest to anybody any more.
    if (error !== undefined) this.#waiting.length = 0;
    this.#socket.destroy();
  }

  #nextBuffer(): Uint8Array {
    const buffer = this.#buffers[this.#next % BUFFERS] ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.#next++;
    return buffer;
  }

  /** @returns whether more may be read */
  #take(piece: Uint8Array): boolean {
    this.#waiting.push(piece);
    this.#wake();
    this.#stopped = this.#waiting.length >= MOST_WAITING;
    return !this.#stopped;
  }

  #goOn(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#socket.resume();
  }

  #end(error: unknown): void {
    this.#ending ??= { error };
    this.#wake();
  }
}

/** Whether a descriptor is one that `PipeInput` can read: no file, no terminal. */
export function isPipe(file: number): boolean {
  try {
    const found = fstatSync(file);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
