import { describe, expect, it } from 'vitest';
import { memorySource } from './memorySource';
import { type Piece, piecesSource } from './pieces';

const base = Uint8Array.from({ length: 700_000 }, (_, at) => (at * 2654435761) >>> 24);

/** The pieces one after the other, by hand. */
function joined(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) =>
      piece.kind === 'new' ? piece.bytes : piece.kind === 'copy' ? base.subarray(piece.offset, piece.offset + piece.length) : new Uint8Array(0),
    ),
  );
}

describe('many small pieces', () => {
  /** A name of a few bytes between copies of the base, as a rename of everything makes it; then one that goes back, and a long one. */
  const pieces: Piece[] = [
    ...Array.from({ length: 4000 }, (_, at): Piece[] => [
      { kind: 'copy', offset: at * 100, length: 90 },
      { kind: 'new', bytes: Uint8Array.of(at, at >> 8, 7) },
    ]).flat(),
    { kind: 'copy', offset: 5, length: 3 },
    { kind: 'copy', offset: 300_000, length: 400_000 },
    { kind: 'copy', offset: 699_990, length: 10 },
  ];
  const whole = joined(pieces);

  it('read as the bytes that they are, at every offset and side by side', async () => {
    const source = piecesSource(memorySource(base), pieces, 'test');
    expect(source.length).toBe(whole.byteLength);
    expect(Buffer.compare(await source.read(0, whole.byteLength), whole)).toBe(0);
    const offsets = [0, 1, 89, 90, 93, 200_001, 371_999, 372_002, 372_003, 372_010, whole.byteLength - 10_011, 50_000];
    const reads = offsets.map((offset) => source.read(offset, 10_000));
    for (const [at, bytes] of (await Promise.all(reads)).entries()) {
      const offset = offsets[at] ?? 0;
      expect(Buffer.compare(bytes, whole.subarray(offset, offset + 10_000))).toBe(0);
    }
  });

  it('ask the base a few times, not once for each', async () => {
    let reads = 0;
    const memory = memorySource(base);
    const counted = {
      ...memory,
      read: (offset: number, length: number) => {
        reads++;
        return memory.read(offset, length);
      },
    };
    await piecesSource(counted, pieces, 'test').read(0, whole.byteLength);
    expect(reads).toBeLessThan(10);
  });
});
