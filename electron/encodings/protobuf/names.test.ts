import { describe, expect, it } from 'vitest';
import { decodeName, encodeName } from './names';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** By the platform's decoder alone: the shortest prefix that is text is a character, a byte that begins none is escaped. */
function slowly(bytes: Uint8Array): string {
  for (let length = 1; length <= Math.min(4, bytes.byteLength); length++) {
    try {
      return decoder.decode(bytes.subarray(0, length)) + slowly(bytes.subarray(length));
    } catch {
      // Longer ones may be a character.
    }
  }
  return bytes.byteLength === 0 ? '' : String.fromCharCode(0xdc00 + (bytes[0] ?? 0)) + slowly(bytes.subarray(1));
}

/** Bytes at which well-formed UTF-8 begins to be none, and some between. */
const EDGES = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];

describe('names that are no UTF-8', () => {
  it('are told apart and come back, whatever four bytes they are', () => {
    for (const a of EDGES.slice(11)) {
      for (const b of EDGES) {
        for (const c of EDGES.slice(2)) {
          const bytes = Uint8Array.of(0xff, a, b, c, 0x80, 0x61);
          const text = decodeName(bytes);
          if (text !== slowly(bytes)) expect.fail(`${bytes.join()} became ${JSON.stringify(text)}`);
          if (!Buffer.from(encodeName(text)).equals(Buffer.from(bytes))) expect.fail(`${bytes.join()} does not come back`);
        }
      }
    }
  });

  it.each([
    ['Latin-1', [0x67, 0xfc, 0x6e]],
    ['half a character', [0x61, 0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61]],
    ['one beside a character of four bytes', [0xf0, 0x9f, 0x98, 0x80, 0x80]],
    ['a long one', Array.from({ length: 500 }, (_, at) => (at % 7 === 0 ? 0xff : 0x61))],
  ])('%s survives JSON and the clone between window and host', (_, list) => {
    const bytes = Uint8Array.from(list);
    const sent = { name: decodeName(bytes) };
    expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
    expect(structuredClone(sent)).toEqual(sent);
    expect(encodeName(sent.name)).toEqual(bytes);
  });
});
