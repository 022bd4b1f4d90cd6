const FIRST_PIECE = 512;
const LAST_PIECE = 16;

/** How many bytes are the same in `a` from `atA` on and in `b` from `atB` on. Compares in doubling pieces, then halves the one that differs. */
export function commonLength(a: Buffer, atA: number, b: Buffer, atB: number): number {
  const most = Math.min(a.length - atA, b.length - atB);
  const same = (from: number, length: number) => a.compare(b, atB + from, atB + from + length, atA + from, atA + from + length) === 0;
  let done = 0;
  let piece = Math.min(FIRST_PIECE, most);
  while (piece > 0 && same(done, piece)) {
    done += piece;
    piece = Math.min(piece * 2, most - done);
  }
  while (piece > LAST_PIECE) {
    const half = piece >>> 1;
    if (same(done, half)) {
      done += half;
      piece -= half;
    } else {
      piece = half;
    }
  }
  while (done < most && a[atA + done] === b[atB + done]) done++;
  return done;
}
