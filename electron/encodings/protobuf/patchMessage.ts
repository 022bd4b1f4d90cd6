import { type Piece, pieceLength, piecesLength } from '../../bytes/pieces';
import { concat, encodeVarint, varintLength } from './encodeField';
import type { Frame, WireEdit } from './frame';

interface Change {
  readonly offset: number;
  readonly remove: number;
  readonly insert: readonly Piece[];
  /** Of two at one offset, the one further inside comes first. */
  readonly depth: number;
  readonly order: number;
}

/**
 * The file after the edits: the lengths of all messages above a change are written anew, every other byte stands as it was.
 * @param length bytes of the file that the frames are of.
 * @throws RangeError when edits overlap or lie outside their message: a fault of the caller.
 */
export function patchMessage(length: number, edits: readonly WireEdit[]): Piece[] {
  const changes = [...ownChanges(edits), ...lengthChanges(edits)].sort(
    (a, b) => a.offset - b.offset || b.depth - a.depth || Number(a.remove > 0) - Number(b.remove > 0) || a.order - b.order,
  );
  const pieces: Piece[] = [];
  let at = 0;
  for (const { offset, remove, insert } of changes) {
    if (offset < at) throw new RangeError(`two edits overlap at byte ${offset}`);
    if (offset > at) pieces.push({ kind: 'copy', offset: at, length: offset - at });
    pieces.push(...insert);
    at = offset + remove;
  }
  if (at > length) throw new RangeError('an edit lies outside the file');
  if (at < length) pieces.push({ kind: 'copy', offset: at, length: length - at });
  return joinPieces(pieces);
}

function ownChanges(edits: readonly WireEdit[]): Change[] {
  return edits.map(({ frame, offset, remove, insert }, order) => {
    if (offset < frame.start || offset + remove > frame.end) throw new RangeError(`an edit at byte ${offset} lies outside its message`);
    return { offset, remove, insert, depth: depthOf(frame), order };
  });
}

/** New lengths of every message that holds a change, and of those that hold it. */
function lengthChanges(edits: readonly WireEdit[]): Change[] {
  const growth = new Map<Frame, number>();
  for (const { frame, remove, insert } of edits) growth.set(frame, (growth.get(frame) ?? 0) + piecesLength(insert) - remove);
  for (const frame of [...growth.keys()]) {
    for (let above = frame.parent; above !== null && !growth.has(above); above = above.parent) growth.set(above, 0);
  }
  const changes: Change[] = [];
  for (const frame of [...growth.keys()].sort((a, b) => depthOf(b) - depthOf(a))) {
    // What is further inside came first, so that this one's growth is complete.
    const grown = growth.get(frame) ?? 0;
    if (frame.parent === null || grown === 0) continue;
    const before = frame.end - frame.start;
    const head = encodeVarint(before + grown);
    changes.push({ offset: frame.lengthAt, remove: frame.start - frame.lengthAt, insert: [{ kind: 'new', bytes: head }], depth: depthOf(frame), order: -1 });
    growth.set(frame.parent, (growth.get(frame.parent) ?? 0) + grown + varintLength(before + grown) - (frame.start - frame.lengthAt));
  }
  return changes;
}

const depths = new WeakMap<Frame, number>();

function depthOf(frame: Frame): number {
  const known = depths.get(frame);
  if (known !== undefined) return known;
  let depth = 0;
  for (let above = frame.parent; above !== null; above = above.parent) depth++;
  depths.set(frame, depth);
  return depth;
}

function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let fresh: Uint8Array[] = [];
  const flush = () => {
    if (fresh.length > 0) joined.push({ kind: 'new', bytes: fresh.length === 1 && fresh[0] !== undefined ? fresh[0] : concat(fresh) });
    fresh = [];
  };
  for (const piece of pieces) {
    if (pieceLength(piece) === 0) continue;
    if (piece.kind === 'new') {
      fresh.push(piece.bytes);
      continue;
    }
    flush();
    const last = joined.at(-1);
    if (piece.kind === 'copy' && last?.kind === 'copy' && last.offset + last.length === piece.offset)
      joined[joined.length - 1] = { kind: 'copy', offset: last.offset, length: last.length + piece.length };
    else joined.push(piece);
  }
  flush();
  return joined;
}
