import { encodeName } from './names';

const BYTES = 2;

/** Seven bits a byte, lowest first; a negative number as its 64-bit two's complement, ten bytes long. */
export function encodeVarint(value: number | bigint): Uint8Array<ArrayBuffer> {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Uint8Array.from(bytes);
}

/** Bytes that `encodeVarint` takes for a length. */
export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

/** Tag and length of a length-delimited field whose content follows. */
export function encodeHead(number: number, length: number): Uint8Array<ArrayBuffer> {
  return concat([encodeVarint(number * 8 + BYTES), encodeVarint(length)]);
}

/** A length-delimited field: bytes, a packed list or a message. */
export function encodeField(number: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([encodeHead(number, content.byteLength), content]);
}

/** A text, as `decodeName` reads it. */
export function encodeTextField(number: number, text: string): Uint8Array<ArrayBuffer> {
  return encodeField(number, encodeName(text));
}

/** An int32, int64, uint64, bool or enum. */
export function encodeVarintField(number: number, value: number | bigint): Uint8Array<ArrayBuffer> {
  return concat([encodeVarint(number * 8), encodeVarint(value)]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
