/** Larger memory is left to the garbage collector, and no more than so many pieces are kept for the next one who asks. */
const LARGEST = 16 * 1024 * 1024;
const MOST = 2;

/** Memory for one piece of work, given back when that is done. */
export interface Lease {
  /** As `alignedBytes` gives it: whoever asked writes all of it. */
  readonly bytes: Uint8Array;
  /** From here on the bytes are somebody else's. May be called again. */
  release(): void;
}

const free: ArrayBufferLike[] = [];

/**
 * Memory that the next piece of work of this thread uses again: the system fills fresh memory with zeros page by page, and the garbage collector
 * runs because of it, which together takes longer than comparing what is read into it.
 */
export function leaseBytes(bytes: number): Lease {
  const fits = free.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 4 * Math.max(bytes, 1));
  const [found] = fits === -1 ? [] : free.splice(fits, 1);
  const buffer = found ?? Buffer.allocUnsafeSlow(bytes).buffer;
  let leased = true;
  return {
    bytes: new Uint8Array(buffer, 0, bytes),
    release() {
      if (!leased) return;
      leased = false;
      if (buffer.byteLength > LARGEST) return;
      free.push(buffer);
      if (free.length > MOST) free.shift();
    },
  };
}
