import type { ByteSource } from './byteSource';
import { checkRange } from './checkRange';
import { openFileSource } from './fileSource';
import { readInto } from './readInto';

/** Part of a file that is made of another (the base): bytes of the base as they stand, of any other file, or new ones. */
export type Piece =
  | { readonly kind: 'copy'; readonly offset: number; readonly length: number }
  | { readonly kind: 'file'; readonly path: string; readonly offset: number; readonly length: number }
  | { readonly kind: 'new'; readonly bytes: Uint8Array };

/** Copies shorter than this are read together with what follows them. */
const SMALL_BYTES = 16 * 1024;
const WINDOW_BYTES = 256 * 1024;

export function pieceLength(piece: Piece): number {
  return piece.kind === 'new' ? piece.bytes.byteLength : piece.length;
}

export function piecesLength(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + pieceLength(piece), 0);
}

/**
 * A source that reads as the pieces one after the other, over `base`. Nothing is copied until it is read; other files are opened when
 * they are needed. Closing it closes `base` and them.
 * @param name for error messages
 */
export function piecesSource(base: ByteSource, pieces: readonly Piece[], name: string): ByteSource {
  const files = new Map<string, Promise<ByteSource>>();
  const sourceOf = (piece: Exclude<Piece, { kind: 'new' }>): ByteSource | Promise<ByteSource> => {
    if (piece.kind === 'copy') return base;
    const opened = files.get(piece.path) ?? openFileSource(piece.path);
    files.set(piece.path, opened);
    return opened;
  };
  const readBase = smallReads(base);
  const starts = startsOf(pieces);
  const length = piecesLength(pieces);
  const fill = async (offset: number, into: Uint8Array): Promise<void> => {
    checkRange(offset, into.byteLength, length, name);
    let done = 0;
    for (let at = pieceAt(starts, offset); done < into.byteLength; at++) {
      const piece = pieces[at];
      if (piece === undefined) return;
      const from = offset + done - (starts[at] ?? 0);
      const part = into.subarray(done, Math.min(into.byteLength, done + pieceLength(piece) - from));
      if (piece.kind === 'new') part.set(piece.bytes.subarray(from, from + part.byteLength));
      else if (piece.kind === 'copy' && part.byteLength < SMALL_BYTES) await readBase(piece.offset + from, part);
      else await readInto(await sourceOf(piece), piece.offset + from, part);
      done += part.byteLength;
    }
  };
  return {
    length,
    readInto: fill,
    async read(offset, bytes) {
      checkRange(offset, bytes, length, name);
      const at = pieceAt(starts, offset);
      const piece = pieces[at];
      const from = offset - (starts[at] ?? 0);
      if (piece !== undefined && from + bytes <= pieceLength(piece))
        return piece.kind === 'new' ? piece.bytes.subarray(from, from + bytes) : (await sourceOf(piece)).read(piece.offset + from, bytes);
      const into = new Uint8Array(bytes);
      await fill(offset, into);
      return into;
    },
    async close() {
      await base.close();
      // One that could not be opened has failed a read already.
      for (const opened of await Promise.allSettled(files.values())) if (opened.status === 'fulfilled') await opened.value.close();
    },
  };
}

/**
 * Reads small ranges, which follow one another, out of one larger read: a model in which every name was changed is made of some hundred
 * thousand pieces. Each window is an array of its own, so that reads may run side by side.
 */
function smallReads(base: ByteSource): (offset: number, into: Uint8Array) => Promise<void> {
  let window = { offset: 0, bytes: new Uint8Array(0) };
  return async (offset, into) => {
    if (offset < window.offset || offset + into.byteLength > window.offset + window.bytes.byteLength) {
      const bytes = new Uint8Array(Math.max(into.byteLength, Math.min(WINDOW_BYTES, base.length - offset)));
      await readInto(base, offset, bytes);
      window = { offset, bytes };
      into.set(bytes.subarray(0, into.byteLength));
      return;
    }
    into.set(window.bytes.subarray(offset - window.offset, offset - window.offset + into.byteLength));
  };
}

/** Last piece that starts at or before `offset`. */
function pieceAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** `outer`, whose copies are of what `inner` makes, as pieces of what `inner` copies from. */
export function composePieces(inner: readonly Piece[], outer: readonly Piece[]): Piece[] {
  const starts = startsOf(inner);
  const composed: Piece[] = [];
  for (const piece of outer) {
    if (piece.kind !== 'copy') {
      composed.push(piece);
      continue;
    }
    let done = 0;
    for (let at = pieceAt(starts, piece.offset); done < piece.length; at++) {
      const source = inner[at];
      if (source === undefined) throw new RangeError('a piece lies outside what it is made of');
      const from = piece.offset + done - (starts[at] ?? 0);
      const bytes = Math.min(piece.length - done, pieceLength(source) - from);
      if (bytes > 0) {
        composed.push(
          source.kind === 'new'
            ? { kind: 'new', bytes: source.bytes.subarray(from, from + bytes) }
            : { ...source, offset: source.offset + from, length: bytes },
        );
      }
      done += bytes;
    }
  }
  return composed;
}

/** For a byte of what the pieces make, which byte of the base it is; `null` for one that is not of the base. */
export function baseOffsets(pieces: readonly Piece[]): (offset: number) => number | null {
  const starts = startsOf(pieces);
  return (offset) => {
    const at = pieceAt(starts, offset);
    const piece = pieces[at];
    return piece?.kind === 'copy' ? piece.offset + offset - (starts[at] ?? 0) : null;
  };
}

function startsOf(pieces: readonly Piece[]): number[] {
  let at = 0;
  return pieces.map((piece) => {
    const start = at;
    at += pieceLength(piece);
    return start;
  });
}
