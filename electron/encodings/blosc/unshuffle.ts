/**
 * Undoes Blosc's byte shuffle: `planes` holds byte 0 of every element, then byte 1 of every element ...; bytes beyond the last whole
 * element follow as they are. Both have the same length.
 */
export function unshuffle(planes: Uint8Array, elements: Uint8Array, size: number): void {
  const count = Math.floor(planes.byteLength / size);
  const words = wordsOf(planes, elements, { count, size });
  if (words === null) interleave(planes, elements, { count, size });
  else {
    const quads = count >>> 2;
    if (size === 4) fourPlanes(words.planes, words.elements, { quads, plane: 0, column: 0, columns: 1 });
    else if (size === 2) twoPlanes(words.planes, words.elements, quads);
    else {
      const columns = size >>> 2;
      for (let column = 0; column < columns; column++) fourPlanes(words.planes, words.elements, { quads, plane: 4 * column, column, columns });
    }
  }
  for (let i = count * size; i < planes.byteLength; i++) elements[i] = planes[i] ?? 0;
}

interface Grid {
  /** Whole elements, and bytes of each. */
  readonly count: number;
  readonly size: number;
}

/** Both sides as 32-bit words, when every plane begins at a word and the size is one that is done by words. */
function wordsOf(planes: Uint8Array, elements: Uint8Array, grid: Grid): { planes: Uint32Array; elements: Uint32Array } | null {
  const { count, size } = grid;
  if ((size !== 2 && size % 4 !== 0) || count % 4 !== 0 || planes.byteOffset % 4 !== 0 || elements.byteOffset % 4 !== 0) return null;
  const words = (count * size) >>> 2;
  return { planes: new Uint32Array(planes.buffer, planes.byteOffset, words), elements: new Uint32Array(elements.buffer, elements.byteOffset, words) };
}

/** Four planes at a time, four elements of them at a time: a 4 × 4 transposition of bytes in registers. */
function fourPlanes(
  planes: Uint32Array,
  elements: Uint32Array,
  at: { readonly quads: number; readonly plane: number; readonly column: number; readonly columns: number },
): void {
  const { quads, columns } = at;
  let first = at.plane * quads;
  let second = first + quads;
  let third = second + quads;
  let fourth = third + quads;
  let write = at.column;
  for (let i = 0; i < quads; i++) {
    const a = planes[first++] ?? 0;
    const b = planes[second++] ?? 0;
    const c = planes[third++] ?? 0;
    const d = planes[fourth++] ?? 0;
    elements[write] = (a & 0xff) | ((b & 0xff) << 8) | ((c & 0xff) << 16) | (d << 24);
    write += columns;
    elements[write] = ((a >>> 8) & 0xff) | (b & 0xff00) | ((c & 0xff00) << 8) | ((d & 0xff00) << 16);
    write += columns;
    elements[write] = ((a >>> 16) & 0xff) | ((b >>> 8) & 0xff00) | (c & 0xff0000) | ((d & 0xff0000) << 8);
    write += columns;
    elements[write] = (a >>> 24) | ((b >>> 16) & 0xff00) | ((c >>> 8) & 0xff0000) | (d & 0xff000000);
    write += columns;
  }
}

function twoPlanes(planes: Uint32Array, elements: Uint32Array, quads: number): void {
  let write = 0;
  for (let i = 0; i < quads; i++) {
    const a = planes[i] ?? 0;
    const b = planes[quads + i] ?? 0;
    elements[write++] = (a & 0xff) | ((b & 0xff) << 8) | ((a & 0xff00) << 8) | ((b & 0xff00) << 16);
    elements[write++] = ((a >>> 16) & 0xff) | ((b >>> 8) & 0xff00) | ((a >>> 8) & 0xff0000) | (b & 0xff000000);
  }
}

function interleave(planes: Uint8Array, elements: Uint8Array, grid: Grid): void {
  const { count, size } = grid;
  let read = 0;
  for (let plane = 0; plane < size; plane++) {
    for (let write = plane; write < count * size; write += size) elements[write] = planes[read++] ?? 0;
  }
}
