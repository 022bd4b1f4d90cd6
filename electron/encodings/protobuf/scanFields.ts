import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ReadAhead } from '../../bytes/readAhead';
import { FIELD_HEAD_BYTES, parseField, type WireField } from './wireField';

/** Where a message lies in the source. */
export interface MessageRange {
  readonly offset: number;
  readonly length: number;
}

export type ScalarField = Exclude<WireField, { kind: 'startGroup' | 'endGroup' }>;

/**
 * The fields of one message, through ranges: contents are passed over. Groups (deprecated) are passed over with all that they hold.
 * @throws CheckpointError malformed, truncated
 */
export async function* scanFields(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): AsyncGenerator<ScalarField> {
  const limit = message.offset + message.length;
  let at = message.offset;
  /** Numbers of the groups that are open. */
  const groups: number[] = [];
  while (at < limit) {
    const needed = Math.min(FIELD_HEAD_BYTES, limit - at);
    const window = ahead.peek(at, needed) ?? (await ahead.load(at, needed));
    // The window may reach beyond the message, where nothing belongs to it.
    const field = parseField(window.subarray(0, needed), at, { limit, place });
    if (field.kind === 'startGroup') groups.push(field.number);
    else if (field.kind === 'endGroup') {
      if (groups.pop() !== field.number)
        throw new CheckpointError('malformed', `The group ${field.number} ends but did not begin.`, { place: { ...place, offset: at } });
    } else if (groups.length === 0) yield field;
    at = field.next;
  }
  if (groups.length > 0) throw new CheckpointError('truncated', `The group ${groups.at(-1)} has no end.`, { place: { ...place, offset: at } });
}
