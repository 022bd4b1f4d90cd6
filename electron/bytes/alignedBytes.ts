/** Uninitialised memory that is not shared with other buffers; whoever asks writes all of it. Views of a Buffer would be slower to make. */
export function alignedBytes(bytes: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
}
