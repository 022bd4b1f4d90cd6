import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ReadAhead } from '../../bytes/readAhead';
import type { MessageRange } from '../../encodings/protobuf/scanFields';

/** Names have some hundred characters; texts of metadata may be long. */
const MAX_TEXT_BYTES = 64 * 1024;

/** A name. @throws CheckpointError too-large */
export async function readText(ahead: ReadAhead, range: MessageRange, place: ErrorPlace): Promise<string> {
  if (range.length > MAX_TEXT_BYTES) {
    throw new CheckpointError('too-large', `A name has ${range.length} bytes; up to ${MAX_TEXT_BYTES} are read.`, {
      place: { ...place, offset: range.offset },
    });
  }
  return decode(ahead, range);
}

/** A text to show, cut off when it is long. */
export async function readLongText(ahead: ReadAhead, { offset, length }: MessageRange): Promise<string> {
  const text = await decode(ahead, { offset, length: Math.min(length, MAX_TEXT_BYTES) });
  return length > MAX_TEXT_BYTES ? `${text}…` : text;
}

/** onnx.proto is proto2, whose texts need not be UTF-8: other bytes are shown as U+FFFD. */
async function decode(ahead: ReadAhead, { offset, length }: MessageRange): Promise<string> {
  const window = ahead.peek(offset, length) ?? (await ahead.load(offset, length));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(window.subarray(0, length));
}
