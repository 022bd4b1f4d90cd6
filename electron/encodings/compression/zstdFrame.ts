const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** Bytes of the dictionary id and of the content size for the codes in the descriptor (RFC 8878, section 3.1.1.1). */
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];

/**
 * The same zstd frame with its content size known to be `bytes`: unchanged when it says so itself, with the size put into its header
 * when it leaves it out (streaming writers do), `null` when it is no zstd frame or says something else.
 */
export function pinZstdSize(frame: Uint8Array, bytes: number): Uint8Array | null {
  if (MAGIC.some((byte, at) => frame[at] !== byte) || frame.byteLength < 6) return null;
  const descriptor = frame[4] ?? 0;
  const single = (descriptor & 0x20) !== 0;
  const code = descriptor >>> 6;
  const sizeBytes = code === 0 && single ? 1 : (SIZE_BYTES[code] ?? 0);
  const sizeAt = 5 + (single ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0);
  if (sizeAt + sizeBytes > frame.byteLength) return null;
  if (sizeBytes === 0) {
    const size = new DataView(new ArrayBuffer(8));
    size.setBigUint64(0, BigInt(bytes), true);
    const pinned = Buffer.concat([frame.subarray(0, sizeAt), new Uint8Array(size.buffer), frame.subarray(sizeAt)]);
    pinned[4] = descriptor | 0xc0;
    return pinned;
  }
  let declared = 0;
  for (let i = sizeBytes - 1; i >= 0; i--) declared = declared * 256 + (frame[sizeAt + i] ?? 0);
  // Two-byte sizes begin at 256.
  if (sizeBytes === 2) declared += 256;
  return declared === bytes ? frame : null;
}
