import { WriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import { writeToStream } from '../../bytes/writeToStream';

/** Bytes that one packet can carry: 65520 with its four digits of length (gitprotocol-common(5), "pkt-line Format"). */
export const LARGEST_PAYLOAD = 65_516;
const HEADER = 4;
const FLUSH = Buffer.from('0000');
/** Keys and values before a file are short; a list that does not end must not fill the memory. */
const LARGEST_LIST = 2 ** 20;
const NEWLINE = 0x0a;

/**
 * Reads packets from a stream, which it takes over, no faster than they are asked for. One call at a time.
 * Calls throw `malformed` for what is no packet, `truncated` when the stream ends within a packet or a list, and what the stream throws; after
 * that every further call throws the same.
 */
export class PktLineReader {
  readonly #chunks: AsyncIterator<unknown>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Position of `#chunk` in the stream, for errors. */
  #offset = 0;
  /** Bytes of the packet begun by `readPiece` that are still to come. */
  #left = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(input: AsyncIterable<unknown>) {
    this.#chunks = input[Symbol.asyncIterator]();
  }

  /** The lines up to the next flush packet, each without the newline at its end; `null` when the stream has ended before them. */
  async readList(): Promise<readonly Buffer[] | null> {
    return this.#guard(async () => {
      const lines: Buffer[] = [];
      for (let size = 0; ; ) {
        const length = await this.#header(lines.length === 0);
        if (length === null) return null;
        if (length === 'flush') return lines;
        size += length;
        if (size > LARGEST_LIST) throw this.#malformed('The list of keys has no end.');
        const line = await this.#take(length);
        // Of a piece of the stream, which is valid until the next one is asked for.
        lines.push(Buffer.from(line.at(-1) === NEWLINE ? line.subarray(0, -1) : line));
      }
    });
  }

  /** The next bytes of content, at most a packet, as they come; `null` at the flush packet that ends it. Valid until the next call. */
  async readPiece(): Promise<Uint8Array | null> {
    return this.#guard(async () => {
      while (this.#left === 0) {
        const length = await this.#header(false);
        if (length === 'flush' || length === null) return null;
        this.#left = length;
      }
      if (this.#at === this.#chunk.length && !(await this.#fill())) throw this.#truncated();
      const piece = this.#chunk.subarray(this.#at, this.#at + this.#left);
      this.#at += piece.length;
      this.#left -= piece.length;
      return piece;
    });
  }

  async #guard<T>(read: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure.error;
    try {
      return await read();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** Length of the payload that follows; `null` only where the stream may end. */
  async #header(mayEnd: boolean): Promise<number | 'flush' | null> {
    if (mayEnd && this.#at === this.#chunk.length && !(await this.#fill())) return null;
    const digits = (await this.#take(HEADER)).toString('latin1');
    const length = /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
    if (length === 0) return 'flush';
    // 0001 to 0003 are other special packets, which this protocol does not have.
    if (length < HEADER || length > HEADER + LARGEST_PAYLOAD) throw this.#malformed(`A packet begins with ${JSON.stringify(digits)} instead of its length.`);
    return length - HEADER;
  }

  async #take(length: number): Promise<Buffer> {
    if (this.#chunk.length - this.#at >= length) {
      this.#at += length;
      return this.#chunk.subarray(this.#at - length, this.#at);
    }
    const taken = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      if (this.#at === this.#chunk.length && !(await this.#fill())) throw this.#truncated();
      const copied = this.#chunk.copy(taken, done, this.#at, this.#at + length - done);
      this.#at += copied;
      done += copied;
    }
    return taken;
  }

  async #fill(): Promise<boolean> {
    for (;;) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      if (!(next.value instanceof Uint8Array)) throw new CheckpointError('internal', 'The stream of packets gives text instead of bytes.');
      if (next.value.length === 0) continue;
      this.#offset += this.#chunk.length;
      this.#chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
      this.#at = 0;
      return true;
    }
  }

  #malformed(message: string): CheckpointError {
    return new CheckpointError('malformed', `What git sent is not its filter protocol. ${message}`, {
      place: { offset: this.#offset + this.#at },
      hint: 'This command is started by git, by the setting filter.theta.process; it is not for a terminal.',
    });
  }

  #truncated(): CheckpointError {
    return new CheckpointError('truncated', 'git ended in the middle of what it sent.', { place: { offset: this.#offset + this.#at } });
  }
}

/** Packets that are written at once. */
const STAGED = 16 * (HEADER + LARGEST_PAYLOAD);
/** Less than this is copied when it is sent, so that a short answer does not cost a large buffer. */
const SHORT = 64 * 1024;

/**
 * Writes packets to a stream. Content given in pieces of any size fills packets; what is given is copied, so its buffer may be used again.
 * Packets are sent when there are enough of them, and by `send`, each time waiting until the stream has taken them.
 * Calls throw `disconnected` when nobody reads the stream any more, and then all further ones do.
 */
export class PktLineWriter {
  readonly #output: Writable;
  readonly #signal: AbortSignal | undefined;
  #staged = Buffer.allocUnsafe(STAGED);
  #end = 0;
  /** Where the packet begins that still takes content; -1: none. */
  #open = -1;
  #failure: CheckpointError | null = null;

  /** @param signal when it is aborted, nothing is waited for any more */
  constructor(output: Writable, signal?: AbortSignal) {
    this.#output = output;
    this.#signal = signal;
    // The failure is thrown by the call that was writing.
    output.on('error', () => {});
  }

  /** Why nothing can be written any more. */
  get failure(): CheckpointError | null {
    return this.#failure;
  }

  /** A packet with a line of text, or of bytes where a name is not text. */
  async line(...parts: readonly (string | Uint8Array)[]): Promise<void> {
    this.#close();
    const line = Buffer.concat([...parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)), Buffer.from('\n')]);
    if (line.length > LARGEST_PAYLOAD) throw new CheckpointError('internal', 'A line is longer than a packet.');
    await this.content(line);
    this.#close();
  }

  async content(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      if (this.#open === -1) {
        if (this.#end + HEADER + LARGEST_PAYLOAD > this.#staged.length) await this.send();
        this.#open = this.#end;
        this.#end += HEADER;
      }
      const room = this.#open + HEADER + LARGEST_PAYLOAD - this.#end;
      const piece = bytes.subarray(done, done + room);
      this.#staged.set(piece, this.#end);
      this.#end += piece.length;
      done += piece.length;
      if (piece.length === room) this.#close();
    }
  }

  /** A flush packet, which ends a list or a content. */
  async flush(): Promise<void> {
    this.#close();
    if (this.#end + HEADER > this.#staged.length) await this.send();
    FLUSH.copy(this.#staged, this.#end);
    this.#end += HEADER;
  }

  /** Sends what is staged. */
  async send(): Promise<void> {
    this.#close();
    if (this.#failure !== null) throw this.#failure;
    if (this.#end === 0) return;
    let sent = this.#staged.subarray(0, this.#end);
    // What a stream has been given it may keep, but a file stream has written it when it says so.
    if (!(this.#output instanceof WriteStream)) {
      if (sent.length < SHORT) sent = Buffer.from(sent);
      else this.#staged = Buffer.allocUnsafe(STAGED);
    }
    this.#end = 0;
    try {
      await writeToStream(this.#output, sent, this.#signal);
    } catch (error) {
      // It may still be writing what was given up.
      this.#staged = Buffer.allocUnsafe(STAGED);
      this.#failure = isCheckpointError(error, 'cancelled')
        ? error
        : new CheckpointError('disconnected', 'git does not take the answer any more; it may have been stopped.', { cause: error });
      throw this.#failure;
    }
  }

  #close(): void {
    if (this.#open === -1) return;
    this.#staged.write((this.#end - this.#open).toString(16).padStart(HEADER, '0'), this.#open, 'latin1');
    this.#open = -1;
  }
}
