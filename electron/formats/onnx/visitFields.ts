import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, type ScalarField, scanFields } from '../../encodings/protobuf/scanFields';
import { commonField, FIELD_HEAD_BYTES, parseField } from '../../encodings/protobuf/wireField';

/** Messages up to here are read as a whole; nodes of real models have some hundred bytes. */
const MAX_WHOLE_BYTES = 64 * 1024;

interface Visit {
  readonly place: ErrorPlace;
  readonly visit: (field: ScalarField) => void;
}

/**
 * Calls `visit` for every field of a message, as `scanFields` finds them. A small message is gone through at once, without a turn of the event
 * loop for every field: models have half a million of them in their nodes. Of a large one the contents are not read.
 * @throws CheckpointError malformed, truncated; what `visit` throws
 */
export async function visitFields(ahead: ReadAhead, message: MessageRange, { place, visit }: Visit): Promise<void> {
  const { offset, length } = message;
  if (length > MAX_WHOLE_BYTES) {
    for await (const field of scanFields(ahead, message, place)) visit(field);
    return;
  }
  if (length > 0) visitWhole(ahead.peek(offset, length) ?? (await ahead.load(offset, length)), message, { place, visit });
}

function visitWhole(bytes: Uint8Array, { offset, length }: MessageRange, { place, visit }: Visit): void {
  const limit = offset + length;
  /** Numbers of the groups that are open. */
  const groups: number[] = [];
  for (let at = offset; at < limit; ) {
    const from = at - offset;
    const field = commonField(bytes, from, { at, limit }) ?? parseField(bytes.subarray(from, Math.min(from + FIELD_HEAD_BYTES, length)), at, { limit, place });
    if (field.kind === 'startGroup') groups.push(field.number);
    else if (field.kind === 'endGroup') {
      if (groups.pop() !== field.number)
        throw new CheckpointError('malformed', `The group ${field.number} ends but did not begin.`, { place: { ...place, offset: at } });
    } else if (groups.length === 0) visit(field);
    at = field.next;
  }
  if (groups.length > 0) throw new CheckpointError('truncated', `The group ${groups.at(-1)} has no end.`, { place: { ...place, offset: limit } });
}
