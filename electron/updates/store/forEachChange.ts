import { loadKernels } from '../../bytes/loadKernels';
import { CHANGES_MODULE } from '../../tensors/kernels/changesModule';

/** Bytes of each value that are in the kernel's memory at a time; a multiple of every element size. */
const PIECE = 64 * 1024;
/** The kernel works on groups of so many bytes. */
const GROUP = 16;

interface Kernel {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** As many as a piece has elements of one byte. */
  readonly found: Int32Array;
  positions(before: number, after: number, bytes: number, bits: number, out: number): number;
}

let loaded: Kernel | undefined;

/** The signature is that of `changes.wat`. */
function instantiate(): Kernel {
  const { memory, fn } = loadKernels(CHANGES_MODULE);
  return {
    before: new Uint8Array(memory.buffer, 0, PIECE),
    after: new Uint8Array(memory.buffer, PIECE, PIECE),
    found: new Int32Array(memory.buffer, 2 * PIECE, PIECE),
    positions: fn('positions'),
  };
}

/** Some elements that changed. All of it is valid until whoever is shown it returns. */
export interface ChangedElements {
  /** Position in the run of the element in front of both pieces. */
  readonly first: number;
  /** Positions in the pieces, ascending. */
  readonly positions: Int32Array;
  /** Aligned pieces of both runs, equally long. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Shows which elements of two equally long runs differ in any bit, piece by piece from the front: floats are compared as their bits, where NaN
 * does not differ from itself and the zeros do.
 * @param item bytes of one element: 1, 2, 4, 8 or 16
 * @param visit returns whether it wants to see more
 */
export function forEachChange(
  previous: Uint8Array,
  next: Uint8Array,
  { item, visit }: { readonly item: number; readonly visit: (changed: ChangedElements) => boolean },
): void {
  loaded ??= instantiate();
  const { before, after, found } = loaded;
  const left = Buffer.from(previous.buffer, previous.byteOffset, previous.byteLength);
  const right = Buffer.from(next.buffer, next.byteOffset, next.byteLength);
  for (let at = 0; at < left.length; at += PIECE) {
    const end = Math.min(left.length, at + PIECE);
    if (left.compare(right, at, end, at, end) === 0) continue;
    const size = end - at;
    before.set(left.subarray(at, end));
    after.set(right.subarray(at, end));
    const padded = Math.ceil(size / GROUP) * GROUP;
    before.fill(0, size, padded);
    after.fill(0, size, padded);
    const count = loaded.positions(0, PIECE, padded, Math.log2(item), 2 * PIECE);
    if (!visit({ first: at / item, positions: found.subarray(0, count), before, after })) return;
  }
}
