/** Decimal digits of the part of a serialization id that depends on the values. */
export const CONTENT_ID_BYTES = 20;
/** Digits before it: a hash of the names of the records. */
export const NAMES_ID_BYTES = 20;

const U64 = (1n << 64n) - 1n;

/**
 * The second half of the record `.data/serialization_id` that torch.save writes: the checksums of the records before it, folded in the
 * order in which they were written and written in 20 decimal digits (caffe2/serialize/inline_container.cc `ostream_write_func` and
 * `writeSerializationId`; c10/util/hash.h `hash_combine`). Records without data have no checksum behind them and do not count.
 */
export function contentId(checksums: readonly number[]): Uint8Array {
  let seed = 0n;
  for (const checksum of checksums) {
    const mixed = (BigInt(checksum) + 0x9e3779b9n + ((seed << 6n) & U64) + (seed >> 2n)) & U64;
    seed ^= mixed;
  }
  return Buffer.from(seed.toString().padStart(CONTENT_ID_BYTES, '0'), 'latin1');
}
