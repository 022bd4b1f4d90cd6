import { CheckpointError, type ErrorCode } from '../../../shared/contract/errors';

/** A position in a pickle; every read is checked against what is left. */
export class PickleCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #base: number;
  position: number;

  /** @param base offset of `bytes` in the file, for error messages. */
  constructor(bytes: Uint8Array, start: number, base: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = start;
    this.#base = base;
  }

  get left(): number {
    return this.#bytes.byteLength - this.position;
  }

  fail(code: ErrorCode, message: string): CheckpointError {
    return new CheckpointError(code, message, { place: { offset: this.#base + this.position } });
  }

  /** Moves on by `length` bytes and returns where they start. */
  #take(length: number): number {
    if (length > this.left) throw this.fail('truncated', `The pickle ends in the middle: ${length} bytes are needed, ${this.left} are left.`);
    const start = this.position;
    this.position += length;
    return start;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }
  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }
  /** A 64-bit length. One beyond 2^53 is rounded, which is larger than any file. */
  u64(): number {
    return Number(this.#view.getBigUint64(this.#take(8), true));
  }
  /** Big-endian, as pickle writes floats. */
  f64(): number {
    return this.#view.getFloat64(this.#take(8), false);
  }
  /** A view, no copy. */
  bytes(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }
  /** Bytes up to the next line feed, which is consumed. */
  line(): Uint8Array {
    const end = this.#bytes.indexOf(0x0a, this.position);
    if (end < 0) throw this.fail('truncated', 'The pickle ends in the middle of a line.');
    const line = this.#bytes.subarray(this.position, end);
    this.position = end + 1;
    return line;
  }
}
