import zlib from 'node:zlib';

/**
 * Inflates a zlib or gzip stream that must fill `target` exactly and use up `bytes` exactly.
 * @returns whether it did; a damaged checksum, other sizes and trailing bytes are all `false`
 */
export function inflateExactly(format: 'zlib' | 'gzip', bytes: Uint8Array, target: Uint8Array): boolean {
  try {
    // One byte more than needed, so that a longer stream is noticed without growing further.
    const options: zlib.ZlibOptions = { maxOutputLength: target.byteLength + 1, chunkSize: Math.max(64, Math.min(target.byteLength + 1, 1 << 20)), info: true };
    const result: unknown = format === 'zlib' ? zlib.inflateSync(bytes, options) : zlib.gunzipSync(bytes, options);
    if (!isInflated(result) || result.buffer.byteLength !== target.byteLength || result.engine.bytesWritten !== bytes.byteLength) return false;
    target.set(result.buffer);
    return true;
  } catch {
    return false;
  }
}

/** What `info: true` gives, which Node's types leave out. */
function isInflated(value: unknown): value is { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } } {
  if (typeof value !== 'object' || value === null || !('buffer' in value) || !('engine' in value)) return false;
  const { buffer, engine } = value;
  return buffer instanceof Uint8Array && typeof engine === 'object' && engine !== null && 'bytesWritten' in engine && typeof engine.bytesWritten === 'number';
}
