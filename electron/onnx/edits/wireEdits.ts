import { type Piece, pieceLength, piecesLength } from '../../bytes/pieces';
import { encodeHead, encodeTextField } from '../../encodings/protobuf/encodeField';
import type { FieldSite, Frame, WireEdit } from '../../encodings/protobuf/frame';
import { patchMessage } from '../../encodings/protobuf/patchMessage';
import type { NameSite } from '../model/onnxModel';

export function bytesPiece(bytes: Uint8Array): Piece {
  return { kind: 'new', bytes };
}

/** A length-delimited field whose content is made of pieces. */
export function fieldPieces(number: number, content: readonly Piece[]): Piece[] {
  return [bytesPiece(encodeHead(number, piecesLength(content))), ...content];
}

export function replaceSite(site: FieldSite, insert: readonly Piece[]): WireEdit {
  return { frame: site.frame, offset: site.start, remove: site.end - site.start, insert };
}

export function renameSite({ site }: NameSite, text: string): WireEdit {
  return replaceSite(site, [bytesPiece(encodeTextField(site.number, text))]);
}

/** Takes the message with its tag and length out of the one that holds it. */
export function removeMessage(frame: Frame): WireEdit {
  return replaceMessage(frame, []);
}

/** Puts other fields in the place of a whole message. */
export function replaceMessage(frame: Frame, insert: readonly Piece[]): WireEdit {
  if (frame.parent === null) throw new RangeError('the outermost message cannot be removed');
  return { frame: frame.parent, offset: frame.fieldStart, remove: frame.end - frame.fieldStart, insert };
}

export function appendTo(frame: Frame, insert: readonly Piece[]): WireEdit {
  return { frame, offset: frame.end, remove: 0, insert };
}

/** Puts fields in the place of several, where the first of them stood; `fallback` is where they go when there is none. */
export function replaceSites(frame: Frame, sites: readonly FieldSite[], options: { readonly insert: readonly Piece[]; readonly fallback: number }): WireEdit[] {
  const { insert, fallback } = options;
  const [first, ...rest] = [...sites].sort((a, b) => a.start - b.start);
  if (first === undefined) return piecesLength(insert) === 0 ? [] : [{ frame, offset: fallback, remove: 0, insert }];
  return [replaceSite(first, insert), ...rest.map((site) => replaceSite(site, []))];
}

/**
 * The content of one message after edits inside it, as pieces of its file: for a message that moves to another place.
 * @param edits all of them inside the message
 */
export function patchedContent(frame: Frame, edits: readonly WireEdit[]): Piece[] {
  const moved = new Map<Frame, Frame>([[frame, { parent: null, fieldStart: 0, lengthAt: frame.start, start: frame.start, end: frame.end }]]);
  const outermost = (inner: Frame): Frame => {
    const known = moved.get(inner);
    if (known !== undefined) return known;
    if (inner.parent === null) throw new RangeError('an edit lies outside the message that moves');
    const made = { ...inner, parent: outermost(inner.parent) };
    moved.set(inner, made);
    return made;
  };
  const pieces = patchMessage(
    frame.end,
    edits.map((edit) => ({ ...edit, frame: outermost(edit.frame) })),
  );
  return dropBytes(pieces, frame.start);
}

function dropBytes(pieces: readonly Piece[], bytes: number): Piece[] {
  const kept: Piece[] = [];
  let left = bytes;
  for (const piece of pieces) {
    const skip = Math.min(left, pieceLength(piece));
    left -= skip;
    if (skip === pieceLength(piece)) continue;
    if (piece.kind === 'new') kept.push({ kind: 'new', bytes: piece.bytes.subarray(skip) });
    else kept.push({ ...piece, offset: piece.offset + skip, length: piece.length - skip });
  }
  return kept;
}
