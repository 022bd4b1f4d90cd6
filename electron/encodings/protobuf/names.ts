/** Bytes 0x80 to 0xff that are not part of UTF-8 become U+DC80 to U+DCFF, which no UTF-8 text holds (Python's `surrogateescape`, PEP 383). */
const ESCAPE = 0xdc00;

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
  let text = '';
  for (let at = 0; at < bytes.byteLength; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) text += String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
    else text += decoder.decode(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return text;
}

/** Bytes of the character that begins at `at`; 0 when none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.byteLength; length++) {
    try {
      decoder.decode(bytes.subarray(at, at + length));
      return length;
    } catch {
      // Longer ones may still be a character.
    }
  }
  return 0;
}
