import zlib from 'node:zlib';
import { pinZstdSize } from './zstdFrame';

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Node has zstd from 22.15 on, and so has the desktop's runtime; the command line also runs on Node 20. */
const native = findNative(zlib);

/** Whether this runtime decodes zstd by itself, and therefore at once. */
export const ZSTD_IS_SYNC = native !== null;

/**
 * Decodes one zstd frame that must fill `target` exactly, with the runtime's own decoder.
 * @returns whether it did; always `false` where ZSTD_IS_SYNC is
 */
export function decodeZstdSync(bytes: Uint8Array, target: Uint8Array): boolean {
  if (native === null || pinZstdSize(bytes, target.byteLength) === null) return false;
  try {
    const result = native(bytes, { maxOutputLength: Math.max(1, target.byteLength) });
    if (result.byteLength !== target.byteLength) return false;
    target.set(result);
    return true;
  } catch {
    return false;
  }
}

/** As `decodeZstdSync`, on every runtime. */
export async function decodeZstd(bytes: Uint8Array, target: Uint8Array): Promise<boolean> {
  if (native !== null) return decodeZstdSync(bytes, target);
  // The library allocates what the frame announces, so the announcement has to be right before it sees the frame.
  const pinned = pinZstdSize(bytes, target.byteLength);
  if (pinned === null) return false;
  try {
    // Large, and rarely needed: our own frames are decoded without it.
    const { Zstd } = await import('numcodecs');
    const result = await Zstd.fromConfig({ id: 'zstd' }).decode(pinned);
    if (result.byteLength !== target.byteLength) return false;
    target.set(result);
    return true;
  } catch {
    return false;
  }
}

function findNative(library: object): Decompress | null {
  const found: unknown = 'zstdDecompressSync' in library ? library.zstdDecompressSync : undefined;
  return isDecompress(found) ? found : null;
}

function isDecompress(value: unknown): value is Decompress {
  return typeof value === 'function';
}
