import type { PickleCursor } from '../pickleCursor';
import { integer, NONE, type PickleScalar } from '../pickleValue';
import { readFloatText, readIntText, readLongText, readStringText, readUnicodeText } from '../textLiterals';
import { byte, type Opcode } from './opcode';

/**
 * Bytes of one integer. torch's own magic number has 10; a longer one only costs time, because arithmetic with it
 * and its decimal text grow faster than its length.
 */
const MAX_LONG_BYTES = 1024;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

const TRUE: PickleScalar = { kind: 'bool', value: true };
const FALSE: PickleScalar = { kind: 'bool', value: false };

function text(bytes: Uint8Array): PickleScalar {
  return { kind: 'string', value: utf8.decode(bytes) };
}

function bytes(value: Uint8Array): PickleScalar {
  return { kind: 'bytes', value };
}

/** `str` of Python 2, which is text or bytes: text when it can be. */
function byteString(value: Uint8Array): PickleScalar {
  try {
    return { kind: 'string', value: strictUtf8.decode(value) };
  } catch {
    return bytes(value);
  }
}

/** Two's complement, little-endian. */
function long(cursor: PickleCursor, length: number): PickleScalar {
  if (length < 0) throw cursor.fail('malformed', 'The pickle has an integer of negative length.');
  if (length > cursor.left) throw cursor.fail('truncated', `The pickle has an integer of ${length} bytes, but ends ${cursor.left} bytes further on.`);
  if (length > MAX_LONG_BYTES) throw cursor.fail('too-large', `The pickle has an integer of ${length} bytes; up to ${MAX_LONG_BYTES} are read.`);
  if (length === 0) return integer(0);
  const hex = Buffer.from(cursor.bytes(length)).reverse().toString('hex');
  return integer(BigInt.asIntN(8 * length, BigInt(`0x${hex}`)));
}

type Read = (cursor: PickleCursor) => PickleScalar;

const LITERALS: readonly (readonly [code: number, read: Read])[] = [
  [byte('N'), () => NONE],
  [0x88, () => TRUE],
  [0x89, () => FALSE],
  [byte('J'), (cursor) => integer(cursor.i32())],
  [byte('K'), (cursor) => integer(cursor.u8())],
  [byte('M'), (cursor) => integer(cursor.u16())],
  [0x8a, (cursor) => long(cursor, cursor.u8())],
  [0x8b, (cursor) => long(cursor, cursor.i32())],
  [byte('G'), (cursor) => ({ kind: 'float', value: cursor.f64() })],
  [byte('X'), (cursor) => text(cursor.bytes(cursor.u32()))],
  [0x8c, (cursor) => text(cursor.bytes(cursor.u8()))],
  [0x8d, (cursor) => text(cursor.bytes(cursor.u64()))],
  [byte('B'), (cursor) => bytes(cursor.bytes(cursor.u32()))],
  [byte('C'), (cursor) => bytes(cursor.bytes(cursor.u8()))],
  [0x8e, (cursor) => bytes(cursor.bytes(cursor.u64()))],
  [0x96, (cursor) => bytes(cursor.bytes(cursor.u64()))],
  [byte('T'), (cursor) => byteString(cursor.bytes(cursor.u32()))],
  [byte('U'), (cursor) => byteString(cursor.bytes(cursor.u8()))],
  // Protocol 0 writes them as text.
  [byte('I'), (cursor) => readIntText(cursor)],
  [byte('L'), (cursor) => readLongText(cursor)],
  [byte('F'), (cursor) => readFloatText(cursor)],
  [byte('S'), (cursor) => byteString(readStringText(cursor))],
  [byte('V'), (cursor) => readUnicodeText(cursor)],
];

/** None, booleans, numbers, text and bytes. */
export const literalOpcodes: readonly Opcode[] = LITERALS.map(([code, read]) => [code, (machine) => machine.push(read(machine.cursor))]);
