import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { composePieces, type Piece, piecesSource } from '../../bytes/pieces';
import { concat, encodeField, encodeTextField, encodeVarint, encodeVarintField, varintLength } from './encodeField';
import type { Frame } from './frame';
import { decodeName, encodeName } from './names';
import { patchMessage } from './patchMessage';

async function made(base: Uint8Array, pieces: readonly Piece[]): Promise<Uint8Array> {
  const source = piecesSource(memorySource(base), pieces, 'm');
  return source.read(0, source.length);
}

const root = (end: number): Frame => ({ parent: null, fieldStart: 0, lengthAt: 0, start: 0, end });

/** A message in a message in a message, each with a text behind it; and the frame of the innermost. */
function nested(text: string, filler: number) {
  const inner = encodeTextField(1, text);
  const middle = concat([encodeField(2, inner), encodeField(3, new Uint8Array(filler))]);
  const bytes = concat([encodeField(4, middle), encodeVarintField(5, 77)]);
  const outerHead = bytes.byteLength - middle.byteLength - encodeVarintField(5, 77).byteLength;
  const middleFrame: Frame = { parent: root(bytes.byteLength), fieldStart: 0, lengthAt: 1, start: outerHead, end: outerHead + middle.byteLength };
  const innerStart = outerHead + 1 + varintLength(inner.byteLength);
  const frame: Frame = { parent: middleFrame, fieldStart: outerHead, lengthAt: outerHead + 1, start: innerStart, end: innerStart + inner.byteLength };
  return { bytes, frame };
}

describe('patchMessage', () => {
  it.each([
    ['a', 'b', 0],
    ['a', 'b'.repeat(200), 0],
    ['a'.repeat(200), 'b', 0],
    ['a', 'bcdef', 120],
    ['a'.repeat(16_384), 'b', 40],
    ['a', 'b'.repeat(20_000), 100],
    ['', 'é', 10],
  ])('%#: a text grows or shrinks and every length above is right', async (before, after, filler) => {
    const { bytes, frame } = nested(before, filler);
    const edit = { frame, offset: frame.start, remove: frame.end - frame.start, insert: [{ kind: 'new' as const, bytes: encodeTextField(1, after) }] };
    const expected = nested(after, filler).bytes;
    expect(Buffer.from(await made(bytes, patchMessage(bytes.byteLength, [edit]))).equals(Buffer.from(expected))).toBe(true);
  });

  it('inserts at the end of a message before what follows it outside', async () => {
    const { bytes, frame } = nested('a', 0);
    const middle = frame.parent ?? expect.fail();
    const fresh = (text: string) => ({ kind: 'new' as const, bytes: encodeTextField(9, text) });
    const edits = [
      { frame: middle, offset: frame.end, remove: 0, insert: [fresh('outside')] },
      { frame, offset: frame.end, remove: 0, insert: [fresh('inside')] },
    ];
    const inner = concat([encodeTextField(1, 'a'), encodeTextField(9, 'inside')]);
    const expected = concat([
      encodeField(4, concat([encodeField(2, inner), encodeTextField(9, 'outside'), encodeField(3, new Uint8Array(0))])),
      encodeVarintField(5, 77),
    ]);
    expect(await made(bytes, patchMessage(bytes.byteLength, edits))).toEqual(expected);
  });

  it('refuses edits that overlap or leave their message', () => {
    const { bytes, frame } = nested('abc', 0);
    const edit = { frame, offset: frame.start, remove: 3, insert: [] };
    expect(() => patchMessage(bytes.byteLength, [edit, { ...edit, offset: frame.start + 1 }])).toThrow('overlap');
    expect(() => patchMessage(bytes.byteLength, [{ ...edit, offset: frame.end, remove: 1 }])).toThrow('outside');
  });

  it('moves bytes without reading them', () => {
    const { bytes, frame } = nested('abc', 0);
    const copy = { kind: 'copy' as const, offset: frame.start, length: frame.end - frame.start };
    const pieces = patchMessage(bytes.byteLength, [{ frame, offset: frame.end, remove: 0, insert: [copy] }]);
    expect(pieces.filter(({ kind }) => kind === 'copy')).toContainEqual(copy);
  });
});

describe('pieces', () => {
  it('compose as if one were written before the other is read', async () => {
    const base = Uint8Array.from({ length: 100 }, (_, i) => i);
    const inner: Piece[] = [
      { kind: 'copy', offset: 50, length: 20 },
      { kind: 'new', bytes: Uint8Array.of(200, 201, 202) },
      { kind: 'copy', offset: 0, length: 10 },
    ];
    const middle = await made(base, inner);
    for (let start = 0; start < middle.byteLength; start += 3) {
      const outer: Piece[] = [
        { kind: 'copy', offset: start, length: middle.byteLength - start },
        { kind: 'new', bytes: Uint8Array.of(9) },
        { kind: 'copy', offset: 0, length: start },
      ];
      expect(await made(base, composePieces(inner, outer))).toEqual(await made(middle, outer));
    }
    expect(() => composePieces(inner, [{ kind: 'copy', offset: 30, length: 10 }])).toThrow(RangeError);
  });

  it('read any range', async () => {
    const base = Uint8Array.from({ length: 10 }, (_, i) => i);
    const source = piecesSource(
      memorySource(base),
      [
        { kind: 'new', bytes: Uint8Array.of(100) },
        { kind: 'copy', offset: 2, length: 5 },
      ],
      'm',
    );
    expect(await source.read(0, 6)).toEqual(Uint8Array.of(100, 2, 3, 4, 5, 6));
    expect(await source.read(3, 2)).toEqual(Uint8Array.of(4, 5));
    expect(await source.read(6, 0)).toEqual(new Uint8Array(0));
    await expect(source.read(3, 4)).rejects.toMatchObject({ code: 'truncated' });
  });
});

describe('names', () => {
  it.each(['', 'a', 'ü', '日本', 'e\u0301', '\u00e9', '👍', '\ufeffa', 'a\0b'])('%j is its UTF-8', (text) => {
    expect(Buffer.from(encodeName(text)).equals(Buffer.from(text, 'utf8'))).toBe(true);
    expect(decodeName(encodeName(text))).toBe(text);
  });

  it('keep any bytes', () => {
    const hostile = [[0xff], [0xc3], [0x61, 0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x91], [0xe2, 0x82, 0xac, 0x80], [0xc0, 0x80]];
    const texts = new Set<string>();
    for (const bytes of hostile) {
      const text = decodeName(Uint8Array.from(bytes));
      texts.add(text);
      expect([...encodeName(text)]).toEqual(bytes);
    }
    expect(texts.size).toBe(hostile.length);
  });
});

describe('encodeVarint', () => {
  // The specification's own examples: https://protobuf.dev/programming-guides/encoding/#varints
  it.each<[number | bigint, number[]]>([
    [1, [1]],
    [150, [0x96, 0x01]],
    [-2, [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    [2n ** 63n, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ])('%s', (value, bytes) => {
    expect([...encodeVarint(value)]).toEqual(bytes);
  });

  it.each([0, 127, 128, 16_383, 16_384, 2 ** 32, 2 ** 50])('%i takes what varintLength says', (value) => {
    expect(encodeVarint(value).byteLength).toBe(varintLength(value));
  });
});
