/** Heads of MessagePack values, always the shortest form, as msgpack for Python packs them. */

export function mapHead(count: number): Uint8Array {
  if (count < 16) return Uint8Array.of(0x80 | count);
  return count < 0x10000 ? wide(0xde, 2, count) : wide(0xdf, 4, count);
}

export function arrayHead(count: number): Uint8Array {
  if (count < 16) return Uint8Array.of(0x90 | count);
  return count < 0x10000 ? wide(0xdc, 2, count) : wide(0xdd, 4, count);
}

export function binHead(length: number): Uint8Array {
  if (length < 0x100) return wide(0xc4, 1, length);
  return length < 0x10000 ? wide(0xc5, 2, length) : wide(0xc6, 4, length);
}

export function extHead(type: number, length: number): Uint8Array {
  const fixed = [1, 2, 4, 8, 16].indexOf(length);
  if (fixed >= 0) return Uint8Array.of(0xd4 + fixed, type);
  const head = length < 0x100 ? wide(0xc7, 1, length) : length < 0x10000 ? wide(0xc8, 2, length) : wide(0xc9, 4, length);
  return Buffer.concat([head, Uint8Array.of(type)]);
}

/** A whole number from 0. */
export function intHead(value: number): Uint8Array {
  if (value < 0x80) return Uint8Array.of(value);
  if (value < 0x100) return wide(0xcc, 1, value);
  if (value < 0x10000) return wide(0xcd, 2, value);
  if (value < 0x100000000) return wide(0xce, 4, value);
  const bytes = Buffer.alloc(9, 0xcf);
  bytes.writeBigUInt64BE(BigInt(value), 1);
  return bytes;
}

/** A whole text value: its head and its UTF-8 bytes. */
export function strValue(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  const length = bytes.byteLength;
  let head: Uint8Array;
  if (length < 32) head = Uint8Array.of(0xa0 | length);
  else if (length < 0x100) head = wide(0xd9, 1, length);
  else head = length < 0x10000 ? wide(0xda, 2, length) : wide(0xdb, 4, length);
  return Buffer.concat([head, bytes]);
}

function wide(tag: number, width: 1 | 2 | 4, value: number): Uint8Array {
  const bytes = Buffer.alloc(1 + width, tag);
  bytes.writeUIntBE(value, 1, width);
  return bytes;
}
