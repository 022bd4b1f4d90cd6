import type { MetadataEntry } from '../../../shared/model/checkpoint';
import type { Declaration } from './parseEntry';
import { METADATA, type ParsedHeader } from './parseHeader';

// One line each of what writers produce: no escapes, the keys in this order, at most one space between.
const METADATA_START = /\{ ?"__metadata__": ?\{/y;
const METADATA_PAIR = /"([^"\\]*)": ?"([^"\\]*)"(?:, ?|(\}))/y;
const TENSOR = /"([^"\\]*)": ?\{"dtype": ?"([A-Z\d_]+)", ?"shape": ?\[([\d, ]*)\], ?"data_offsets": ?\[(\d+), ?(\d+)\]\}(?:, ?|(\} *$))/y;
/** JSON has none in texts; between its parts the patterns allow none. */
const CONTROL = /\p{Cc}/u;
const WHOLE = /^(?:0|[1-9]\d{0,15})$/;

/**
 * Reads a header that looks as writers write it, several times faster than a JSON parser, which matters for tens of thousands
 * of tensors; `null` for every other header, right or wrong: the parser then says which.
 */
export function scanHeader(text: string): ParsedHeader | null {
  if (CONTROL.test(text)) return null;
  const start = scanMetadata(text);
  if (start === null) return null;
  const tensors = new Map<string, Declaration>();
  TENSOR.lastIndex = start.next;
  for (;;) {
    const match = TENSOR.exec(text);
    if (match === null) return null;
    const [, name = '', typeName = '', extents = '', begin = '', end = '', last] = match;
    const shape = extents === '' ? [] : extents.split(/, ?/).map(whole);
    const offsets = [whole(begin), whole(end)] as const;
    if (tensors.has(name) || name === METADATA || Number.isNaN(offsets[0]) || Number.isNaN(offsets[1]) || shape.some(Number.isNaN)) return null;
    tensors.set(name, { typeName, shape, begin: offsets[0], end: offsets[1] });
    if (last !== undefined) return { tensors, metadata: start.metadata };
  }
}

function scanMetadata(text: string): { readonly metadata: MetadataEntry[]; readonly next: number } | null {
  METADATA_START.lastIndex = 0;
  if (!METADATA_START.test(text)) return text.startsWith('{"') ? { metadata: [], next: 1 } : null;
  const found = new Map<string, string>();
  METADATA_PAIR.lastIndex = METADATA_START.lastIndex;
  for (;;) {
    const match = METADATA_PAIR.exec(text);
    if (match === null) return null;
    const [, key = '', value = '', last] = match;
    if (found.has(key)) return null;
    found.set(key, value);
    if (last === undefined) continue;
    const after = /, ?/y;
    after.lastIndex = METADATA_PAIR.lastIndex;
    return after.test(text) ? { metadata: [...found].map(([name, content]) => ({ key: name, value: content })), next: after.lastIndex } : null;
  }
}

/** NaN for what is no JSON number below 2^53. */
function whole(digits: string): number {
  const value = WHOLE.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
