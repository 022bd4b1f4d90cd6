import { CheckpointError } from '../../../shared/contract/errors';
import type { FieldSite, Frame } from './frame';
import { NameTable } from './nameTable';
import type { Cut, Skeleton } from './skeleton';

const MAX_FIELD_NUMBER = 2 ** 29 - 1;

/** Wire types (https://protobuf.dev/programming-guides/encoding/#structure). */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

/** What is made of a message takes the memory of some fields. */
const MESSAGE_FIELDS = 4;

/** What the cursors over one skeleton have in common. */
interface Shared {
  /** How many more may be read. */
  fields: number;
  readonly names: NameTable;
}

/**
 * Walks over the fields of one message of a skeleton without allocating for each: `next()` moves on, the properties say where it stands.
 * Offsets called `...At` are bytes of the file; the content of a field with a cut is not all in memory (`isCut`).
 */
export class WireCursor {
  readonly #skeleton: Skeleton;
  readonly #file: string;
  readonly #endAt: number;
  /** Position in the skeleton, and in the file. */
  #pos: number;
  #at: number;
  readonly #hasCuts: boolean;
  readonly #shared: Shared;

  number = 0;
  wire = VARINT;
  /** Tag of the field. */
  startAt = 0;
  /** Length of a length-delimited field. */
  lengthAt = 0;
  /** Content: of a varint, its first byte. */
  contentAt = 0;
  /** Behind the field. */
  endAt = 0;
  isCut = false;
  /** Low and high half of a varint's 64 bits. */
  low = 0;
  high = 0;
  #contentPos = 0;
  #contentEnd = 0;

  /** @param message where its content lies in the file, and where it begins in the skeleton */
  constructor(
    skeleton: Skeleton,
    file: string,
    message: { readonly startAt: number; readonly endAt: number; readonly position: number; readonly shared: Shared },
  ) {
    this.#skeleton = skeleton;
    this.#file = file;
    this.#at = message.startAt;
    this.#endAt = message.endAt;
    this.#pos = message.position;
    this.#shared = message.shared;
    this.#hasCuts = cutBytes(skeleton.cuts, message.startAt, message.endAt) > 0;
  }

  /** Moves to the next field; false behind the last. Groups are passed over. @throws CheckpointError malformed, truncated */
  next(): boolean {
    /** Numbers of the groups that are open. */
    let groups: number[] | null = null;
    for (;;) {
      if (this.#at >= this.#endAt) {
        if (groups !== null && groups.length > 0) throw this.#error('truncated', 'A group has no end.');
        return false;
      }
      this.#readField();
      this.#spend(1);
      if (this.wire === START_GROUP) {
        groups ??= [];
        groups.push(this.number);
      } else if (this.wire === END_GROUP) {
        if (groups?.pop() !== this.number) throw this.#error('malformed', `The group ${this.number} ends but did not begin.`);
      } else if (groups === null || groups.length === 0) return true;
    }
  }

  #readField(): void {
    this.startAt = this.#at;
    const start = this.#pos;
    let pos = this.#varint(start);
    const number = this.high * 2 ** 29 + (this.low >>> 3);
    if (number < 1 || number > MAX_FIELD_NUMBER) throw this.#error('malformed', `A field has the impossible number ${number}.`);
    this.number = number;
    this.wire = this.low & 7;
    this.lengthAt = this.startAt + pos - start;
    this.isCut = false;
    let length = 0;
    if (this.wire === VARINT) {
      const first = pos;
      pos = this.#varint(pos);
      this.contentAt = this.lengthAt;
      this.#contentPos = first;
      this.endAt = this.startAt + pos - start;
      this.#contentEnd = pos;
    } else {
      if (this.wire === BYTES) {
        pos = this.#varint(pos);
        length = this.high * 2 ** 32 + this.low;
      } else if (this.wire === FIXED64) length = 8;
      else if (this.wire === FIXED32) length = 4;
      else if (this.wire !== START_GROUP && this.wire !== END_GROUP)
        throw this.#error('malformed', `Field ${number} has a kind that Protocol Buffers do not have.`);
      this.contentAt = this.startAt + pos - start;
      this.endAt = this.contentAt + length;
      this.#contentPos = pos;
      const missing = this.#hasCuts && length > 0 && this.endAt <= this.#endAt ? cutBytes(this.#skeleton.cuts, this.contentAt, this.endAt) : 0;
      this.isCut = missing > 0;
      this.#contentEnd = pos + length - missing;
    }
    if (this.endAt > this.#endAt) {
      throw this.#error('truncated', `Field ${number} should end at byte ${this.endAt}, but what holds it ends at byte ${this.#endAt}.`);
    }
    this.#at = this.endAt;
    this.#pos = this.#contentEnd;
  }

  /** Reads a varint into `low` and `high`; the position behind it. */
  #varint(from: number): number {
    const { bytes } = this.#skeleton;
    let low = 0;
    let high = 0;
    for (let i = 0; i < 10; i++) {
      const byte = bytes[from + i];
      if (byte === undefined) throw this.#error('truncated', 'The data ends inside a number.');
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (7 * i);
      else if (i === 4) {
        low |= (bits & 0x0f) << 28;
        high = bits >>> 4;
      } else high |= i === 9 ? (bits & 1) << 31 : bits << (7 * i - 32);
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return from + i + 1;
      }
    }
    throw this.#error('malformed', 'A number has more than ten bytes.');
  }

  /** Content of a length-delimited or fixed field that is not cut. */
  content(): Uint8Array {
    return this.#skeleton.bytes.subarray(this.#contentPos, this.#contentEnd);
  }

  /** Content of a length-delimited field that is not cut, as `decodeName` gives it. */
  text(): string {
    return this.#shared.names.read(this.#contentPos, this.#contentEnd);
  }

  /** A varint as a signed 64-bit integer; exact up to 2^53. */
  int(): number {
    return (this.high | 0) * 2 ** 32 + this.low;
  }

  bigint(): bigint {
    return (BigInt(this.high | 0) << 32n) | BigInt(this.low);
  }

  float(): number {
    return this.#view().getFloat32(0, true);
  }

  double(): number {
    return this.#view().getFloat64(0, true);
  }

  #view(): DataView {
    const { bytes } = this.#skeleton;
    return new DataView(bytes.buffer, bytes.byteOffset + this.#contentPos, this.#contentEnd - this.#contentPos);
  }

  /** The fields of the message that the field is. */
  inside(): WireCursor {
    if (this.wire !== BYTES) throw this.#error('malformed', `Field ${this.number} should hold a message.`);
    // One that holds cuts can be walked over; one that is a cut itself is not in memory.
    if (this.isCut && cutBytes(this.#skeleton.cuts, this.contentAt, this.contentAt + 1) > 0)
      throw this.#error('too-large', `Field ${this.number} has ${this.endAt - this.contentAt} bytes, more than are read of it.`);
    this.#spend(MESSAGE_FIELDS);
    return new WireCursor(this.#skeleton, this.#file, { startAt: this.contentAt, endAt: this.endAt, position: this.#contentPos, shared: this.#shared });
  }

  frame(parent: Frame): Frame {
    return { parent, fieldStart: this.startAt, lengthAt: this.lengthAt, start: this.contentAt, end: this.endAt };
  }

  site(frame: Frame): FieldSite {
    return { frame, number: this.number, start: this.startAt, end: this.endAt };
  }

  /** Integers of a packed list. @throws CheckpointError too-large when the list is a cut */
  *packed(): Generator<WireCursor> {
    if (this.isCut) throw this.#error('too-large', `A list of ${this.endAt - this.contentAt} bytes is longer than is read.`);
    for (let pos = this.#contentPos; pos < this.#contentEnd; ) {
      pos = this.#varint(pos);
      this.#spend(1);
      yield this;
    }
  }

  #spend(fields: number): void {
    this.#shared.fields -= fields;
    if (this.#shared.fields < 0) throw this.#error('too-large', 'There are more fields than could be kept in memory.');
  }

  #error(code: 'malformed' | 'truncated' | 'too-large', message: string): CheckpointError {
    return new CheckpointError(code, message, { place: { file: this.#file, offset: this.startAt } });
  }
}

/**
 * A cursor over the whole of a skeleton.
 * @param fields how many may be read, each message inside counting as several, before it is too large: for one who keeps something of each
 */
export function rootCursor(skeleton: Skeleton, file: string, fields = Number.POSITIVE_INFINITY): WireCursor {
  return new WireCursor(skeleton, file, { startAt: 0, endAt: skeleton.length, position: 0, shared: { fields, names: new NameTable(skeleton.bytes) } });
}

/** Bytes that are cut inside [start, end) of the file. Cuts lie inside one field, so that none is cut in two. */
function cutBytes(cuts: readonly Cut[], start: number, end: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cuts[middle]?.offset ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let sum = 0;
  for (let cut = cuts[low]; cut !== undefined && cut.offset < end; cut = cuts[++low]) sum += cut.length;
  return sum;
}
