import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeFrame, encodeFrame } from '../../../shared/contract/wire';

/**
 * One result as bytes: magic (4), key (16), length of the body (4, little-endian), CRC-32 of key, length and body (4), body.
 * The body is deflated MessagePack. A record says by itself whether it is whole, and the next one is found by its magic.
 */
const MAGIC = Buffer.from('TDr1', 'latin1');
const KEY_BYTES = 16;
export const HEADER_BYTES = MAGIC.length + KEY_BYTES + 8;
/** Larger results are not worth their place. */
const MAX_BODY_BYTES = 1024 * 1024;

/** 128 bits of the SHA-256 over kind and ids, each with its length before it, so that no two lists read the same. */
export function recordKey(kind: string, ids: readonly string[]): Buffer {
  const hash = createHash('sha256');
  for (const part of [kind, ...ids]) hash.update(`${part.length}:${part}`);
  return hash.digest().subarray(0, KEY_BYTES);
}

/** @returns `null` for a value that is too large to be kept */
export function encodeRecord(key: Buffer, value: unknown): Buffer | null {
  // The first level takes out the zeros of sparse tables, which is what there is to gain, in a tenth of the time of the usual one.
  const body = deflateRawSync(encodeFrame(value), { level: 1 });
  if (body.length > MAX_BODY_BYTES) return null;
  const record = Buffer.alloc(HEADER_BYTES + body.length);
  MAGIC.copy(record);
  key.copy(record, MAGIC.length);
  record.writeUInt32LE(body.length, MAGIC.length + KEY_BYTES);
  body.copy(record, HEADER_BYTES);
  record.writeUInt32LE(checksum(record), HEADER_BYTES - 4);
  return record;
}

/** What a value weighs that is only kept in memory: nothing is gained by making it small. */
export function frameBytes(value: unknown): number {
  return encodeFrame(value).length;
}

/** The value of a whole record that `findRecords` has found in `bytes`. Throws for a body that is none. */
export function decodeRecord(record: Buffer): unknown {
  return decodeFrame(inflateRawSync(record.subarray(HEADER_BYTES), { maxOutputLength: 64 * 1024 * 1024 }));
}

export function isWhole(record: Buffer): boolean {
  return (
    record.length >= HEADER_BYTES &&
    record.subarray(0, MAGIC.length).equals(MAGIC) &&
    record.readUInt32LE(HEADER_BYTES - 8) === record.length - HEADER_BYTES &&
    checksum(record) === record.readUInt32LE(HEADER_BYTES - 4)
  );
}

export interface FoundRecord {
  /** Hexadecimal. */
  readonly key: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Whole records among `bytes`; what is damaged between them is passed over. `end`: up to where everything is settled; what follows may be a
 * record that is being written.
 */
export function findRecords(bytes: Buffer): { readonly records: readonly FoundRecord[]; readonly end: number } {
  const records: FoundRecord[] = [];
  let end = 0;
  for (let at = bytes.indexOf(MAGIC); at >= 0; ) {
    const length = at + HEADER_BYTES <= bytes.length ? HEADER_BYTES + bytes.readUInt32LE(at + HEADER_BYTES - 8) : HEADER_BYTES;
    if (isWhole(bytes.subarray(at, at + length))) {
      records.push({ key: bytes.toString('hex', at + MAGIC.length, at + MAGIC.length + KEY_BYTES), offset: at, length });
      at += length;
      end = at;
      at = bytes.indexOf(MAGIC, at);
    } else {
      at = bytes.indexOf(MAGIC, at + 1);
    }
  }
  return { records, end };
}

function checksum(record: Buffer): number {
  return crc32(record.subarray(HEADER_BYTES), crc32(record.subarray(MAGIC.length, HEADER_BYTES - 4)));
}
