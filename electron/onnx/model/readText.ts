import { CheckpointError } from '../../../shared/contract/errors';
import type { Frame } from '../../encodings/protobuf/frame';
import { KEPT_TEXT_BYTES } from '../../encodings/protobuf/skeleton';
import { BYTES, type WireCursor } from '../../encodings/protobuf/wireCursor';
import { NameAt } from './nameAt';
import type { MetadataProp, NameSite } from './onnxModel';

/** What every reader of a message is given. */
export interface ReadContext {
  readonly file: string;
  /** How long the paths of all bodies together may still be. */
  readonly paths: { characters: number };
}

/**
 * Protocol Buffers merge a message that is there twice where there should be one. No writer does that, and an edit could not tell the halves
 * apart: it is refused.
 * @throws CheckpointError malformed
 */
export function refuseSecond(known: object | null, cursor: WireCursor, context: ReadContext): void {
  if (known === null) return;
  throw new CheckpointError('malformed', `Field ${cursor.number} is there twice where there should be one.`, {
    place: { file: context.file, offset: cursor.startAt },
  });
}

/** A text that decides something: a name, an operator. @throws CheckpointError too-large, malformed */
export function readName(cursor: WireCursor, context: ReadContext): string {
  const place = () => ({ place: { file: context.file, offset: cursor.startAt } });
  if (cursor.wire !== BYTES) throw new CheckpointError('malformed', `Field ${cursor.number} should be a text.`, place());
  if (cursor.isCut) throw new CheckpointError('too-large', `A name has ${cursor.endAt - cursor.contentAt} bytes; up to ${KEPT_TEXT_BYTES} are read.`, place());
  return cursor.text();
}

export function readNameSite(cursor: WireCursor, frame: Frame, context: ReadContext): NameSite {
  return new NameAt(cursor, frame, readName(cursor, context));
}

/** A text to show: what is too long for that is only said to be there. */
export function readDoc(cursor: WireCursor): string {
  if (cursor.wire !== BYTES) return '';
  return cursor.isCut ? `(${cursor.endAt - cursor.contentAt} bytes)` : cursor.text();
}

/** StringStringEntryProto. */
export function readEntry(cursor: WireCursor): MetadataProp {
  let key = '';
  let value = '';
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) key = readDoc(fields);
    else if (fields.number === 2) value = readDoc(fields);
  }
  return { key, value };
}
