import { CONTENT_ID_BYTES } from './contentId';
import { CHECKSUM_BYTES, type TemplateSegment } from './fileTemplate';

/**
 * Segments as numbers that repeat where a file repeats, so that they compress to nearly nothing. A literal is its length. The others are
 * negative, -1 - (3 n + kind): kind 0 is a tensor, n the step from the group after the last one; kind 1 a checksum, n the step from
 * the entry after the last one (steps have their sign in the lowest bit); kind 2 a content id of n entries.
 */
const TENSOR = 0;
const CHECKSUM = 1;
const CONTENT_ID = 2;
const KINDS = 3;

export function encodeSegments(segments: readonly TemplateSegment[]): number[] {
  let group = 0;
  let entry = 0;
  const codes: number[] = [];
  for (const segment of segments) {
    if (segment.kind === 'literal') codes.push(segment.bytes);
    else if (segment.kind === 'content-id') codes.push(toCode(CONTENT_ID, segment.entries));
    else if (segment.kind === 'tensor') {
      codes.push(toCode(TENSOR, fold(segment.group - group)));
      group = segment.group + 1;
    } else {
      codes.push(toCode(CHECKSUM, fold(segment.entry - entry)));
      entry = segment.entry + 1;
    }
  }
  return codes;
}

/** @param groupBytes bytes of a group's value by its index; `null` when there is no such group. */
export function decodeSegments(codes: readonly number[], groupBytes: (group: number) => number | null): TemplateSegment[] | null {
  let group = 0;
  let entry = 0;
  const segments: TemplateSegment[] = [];
  for (const code of codes) {
    if (code >= 0) {
      segments.push({ kind: 'literal', bytes: code });
      continue;
    }
    const kind = (-1 - code) % KINDS;
    const value = Math.floor((-1 - code) / KINDS);
    if (kind === TENSOR) {
      const bytes = groupBytes(group + unfold(value));
      if (bytes === null) return null;
      segments.push({ kind: 'tensor', bytes, group: group + unfold(value) });
      group += unfold(value) + 1;
    } else if (kind === CHECKSUM) {
      segments.push({ kind: 'checksum', bytes: CHECKSUM_BYTES, entry: entry + unfold(value) });
      entry += unfold(value) + 1;
    } else segments.push({ kind: 'content-id', bytes: CONTENT_ID_BYTES, entries: value });
  }
  return segments;
}

function toCode(kind: number, value: number): number {
  return -1 - (KINDS * value + kind);
}

function fold(step: number): number {
  return step >= 0 ? 2 * step : -2 * step - 1;
}

function unfold(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
