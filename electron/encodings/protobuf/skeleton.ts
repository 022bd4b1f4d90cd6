import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';
import { readInto } from '../../bytes/readInto';
import { commonField, FIELD_HEAD_BYTES, parseField } from './wireField';

/** Which fields of a message are messages whose insides matter, by number. */
export interface MessageSchema {
  readonly fields: ReadonlyMap<number, MessageSchema>;
  /** Names and short lists: kept up to KEPT_TEXT_BYTES. */
  readonly kept?: ReadonlySet<number>;
}

/** Bytes of the file that are not in a skeleton. */
export interface Cut {
  /** First byte in the file. */
  readonly offset: number;
  readonly length: number;
}

/** A message without its large payloads, in memory. */
export interface Skeleton {
  /** Bytes of the file. */
  readonly length: number;
  /** What is left of it, in order. */
  readonly bytes: Uint8Array;
  /** By offset. */
  readonly cuts: readonly Cut[];
}

/** Contents up to this size are kept whatever they are: it costs less than to know more cuts. */
const KEPT_BYTES = 4096;
export const KEPT_TEXT_BYTES = 1024 * 1024;
const MAX_SKELETON_BYTES = 512 * 1024 * 1024;
/** Protocol Buffers' own readers stop at 100 messages inside each other. */
const MAX_DEPTH = 200;

interface Walk {
  readonly ahead: ReadAhead;
  readonly cuts: Cut[];
  readonly place: ErrorPlace;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads a message but for its large contents that are no messages (tensors' data, long texts). What is passed over is never read.
 * @throws CheckpointError malformed, truncated, too-large, cancelled
 */
export async function readSkeleton(
  source: ByteSource,
  schema: MessageSchema,
  options: { readonly file: string; readonly signal?: AbortSignal | undefined },
): Promise<Skeleton> {
  const walk: Walk = { ahead: new ReadAhead(source), cuts: [], place: { file: options.file }, signal: options.signal };
  await walkMessage(walk, { start: 0, end: source.length, schema, depth: 0 });
  const size = walk.cuts.reduce((rest, { length }) => rest - length, source.length);
  if (size > MAX_SKELETON_BYTES) {
    throw new CheckpointError('too-large', `The model has ${size} bytes beside its tensors; up to ${MAX_SKELETON_BYTES} are read.`, { place: walk.place });
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  let from = 0;
  for (const { offset, length } of [...walk.cuts, { offset: source.length, length: 0 }]) {
    throwIfCancelled(options.signal);
    if (offset > from) await readInto(source, from, bytes.subarray(at, at + offset - from));
    at += offset - from;
    from = offset + length;
  }
  return { length: source.length, bytes, cuts: walk.cuts };
}

async function walkMessage(walk: Walk, message: { start: number; end: number; schema: MessageSchema; depth: number }): Promise<void> {
  const { ahead, place } = walk;
  const { end, schema, depth } = message;
  if (depth > MAX_DEPTH)
    throw new CheckpointError('malformed', `More than ${MAX_DEPTH} messages lie inside each other.`, { place: { ...place, offset: message.start } });
  /** Fields inside a group have numbers of their own. */
  let groups = 0;
  for (let at = message.start; at < end; ) {
    throwIfCancelled(walk.signal);
    const needed = Math.min(FIELD_HEAD_BYTES, end - at);
    let from = ahead.indexOf(at, needed);
    if (from < 0) {
      await ahead.load(at, needed);
      from = 0;
    }
    const field = commonField(ahead.window, from, { at, limit: end }) ?? parseField(ahead.window.subarray(from, from + needed), at, { limit: end, place });
    if (field.kind === 'startGroup') groups++;
    else if (field.kind === 'endGroup') groups--;
    else if (field.kind === 'bytes' && field.length > KEPT_BYTES) {
      const inner = groups === 0 ? schema.fields.get(field.number) : undefined;
      const kept = groups === 0 && field.length <= KEPT_TEXT_BYTES && schema.kept?.has(field.number) === true;
      if (kept) {
        // Stays where it is.
      } else if (inner === undefined) walk.cuts.push({ offset: field.offset, length: field.length });
      else await walkMessage(walk, { start: field.offset, end: field.offset + field.length, schema: inner, depth: depth + 1 });
    }
    at = field.next;
  }
}
