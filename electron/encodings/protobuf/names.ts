/** Bytes 0x80 to 0xff that are not part of UTF-8 become U+DC80 to U+DCFF, which no UTF-8 text holds (Python's `surrogateescape`, PEP 383). */
const ESCAPE = 0xdc00;

/** Code units that are made a text at a time: arguments of a call. */
const CHUNK = 8192;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text of a proto2 message, whose bytes need not be UTF-8 (https://protobuf.dev/programming-guides/encoding/). Different bytes give
 * different texts, and `encodeName` gives the same bytes again.
 */
export function decodeName(bytes: Uint8Array): string {
  let ascii = true;
  for (let i = 0; i < bytes.byteLength && ascii; i++) ascii = (bytes[i] ?? 0) < 0x80;
  if (ascii) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeEscaped(bytes);
  }
}

/** The bytes of a text that `decodeName` gave, or of any other. */
export function encodeName(text: string): Uint8Array<ArrayBuffer> {
  if (!/\p{Surrogate}/u.test(text)) return new Uint8Array(Buffer.from(text, 'utf8'));
  const parts: Uint8Array[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    parts.push(code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff ? Uint8Array.of(code - ESCAPE) : Buffer.from(character, 'utf8'));
  }
  return new Uint8Array(Buffer.concat(parts));
}

function decodeEscaped(bytes: Uint8Array): string {
  const parts: string[] = [];
  let wrong: number[] = [];
  /** What is text so far begins here. */
  let begin = 0;
  const flush = (end: number) => {
    for (let at = 0; at < wrong.length; at += CHUNK) parts.push(String.fromCharCode(...wrong.slice(at, at + CHUNK)));
    wrong = [];
    if (end > begin) parts.push(decoder.decode(bytes.subarray(begin, end)));
  };
  for (let at = 0; at < bytes.byteLength; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      if (at > begin) flush(at);
      wrong.push(ESCAPE + (bytes[at] ?? 0));
      begin = ++at;
    } else {
      at += length;
    }
  }
  flush(bytes.byteLength);
  return parts.join('');
}

/** Bytes of the character that begins at `at`; 0 when none does (Unicode 16, table 3-7: well-formed UTF-8). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
