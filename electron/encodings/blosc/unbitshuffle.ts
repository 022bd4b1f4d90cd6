/**
 * Undoes Blosc's bit shuffle: the block is `8 * size` rows of bits, row `8 * byte + bit` holding that bit of that byte of every element,
 * the first element in the lowest bit. A block whose element count is not a multiple of 8 is stored without any shuffling (c-blosc 1),
 * and so are bytes beyond the last whole element.
 */
export function unbitshuffle(rows: Uint8Array, elements: Uint8Array, size: number): void {
  const count = Math.floor(rows.byteLength / size);
  if (count % 8 !== 0) {
    elements.set(rows);
    return;
  }
  const rowBytes = count / 8;
  for (let byte = 0; byte < size; byte++) {
    let first = byte * 8 * rowBytes;
    let write = byte;
    for (let i = 0; i < rowBytes; i++, first++) {
      // An 8 × 8 transposition of bits in two 32-bit halves (Hacker's Delight, section 7-3).
      let low = quad(rows, first, rowBytes);
      let high = quad(rows, first + 4 * rowBytes, rowBytes);
      let swap = (low ^ (low >>> 7)) & 0x00aa00aa;
      low ^= swap ^ (swap << 7);
      swap = (high ^ (high >>> 7)) & 0x00aa00aa;
      high ^= swap ^ (swap << 7);
      swap = (low ^ (low >>> 14)) & 0x0000cccc;
      low ^= swap ^ (swap << 14);
      swap = (high ^ (high >>> 14)) & 0x0000cccc;
      high ^= swap ^ (swap << 14);
      const first4 = (low & 0x0f0f0f0f) | ((high << 4) & 0xf0f0f0f0);
      const last4 = ((low >>> 4) & 0x0f0f0f0f) | (high & 0xf0f0f0f0);
      write = spread(elements, write, { word: first4, size });
      write = spread(elements, write, { word: last4, size });
    }
  }
  for (let i = count * size; i < rows.byteLength; i++) elements[i] = rows[i] ?? 0;
}

/** One byte of each of four neighbouring rows, the first in the low byte. */
function quad(rows: Uint8Array, at: number, rowBytes: number): number {
  return (rows[at] ?? 0) | ((rows[at + rowBytes] ?? 0) << 8) | ((rows[at + 2 * rowBytes] ?? 0) << 16) | ((rows[at + 3 * rowBytes] ?? 0) << 24);
}

function spread(elements: Uint8Array, write: number, from: { readonly word: number; readonly size: number }): number {
  const { word, size } = from;
  elements[write] = word;
  elements[write + size] = word >>> 8;
  elements[write + 2 * size] = word >>> 16;
  elements[write + 3 * size] = word >>> 24;
  return write + 4 * size;
}
