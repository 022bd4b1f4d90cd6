/** Bytes that are compared at once before single elements are looked at; a multiple of every element size. */
const PIECE = 16 * 1024;

/**
 * Which elements of two equally long runs differ in any bit.
 * @param item bytes of one element
 * @returns positions within the run, ascending
 */
export function changedPositions(previous: Uint8Array, next: Uint8Array, item: number): Int32Array {
  const left = Buffer.from(previous.buffer, previous.byteOffset, previous.byteLength);
  const right = Buffer.from(next.buffer, next.byteOffset, next.byteLength);
  let found = new Int32Array(0);
  let count = 0;
  for (let at = 0; at < left.length; at += PIECE) {
    const end = Math.min(left.length, at + PIECE);
    if (left.compare(right, at, end, at, end) === 0) continue;
    const most = (end - at) / item;
    if (count + most > found.length) {
      const larger = new Int32Array(Math.max(count + most, 2 * found.length));
      larger.set(found);
      found = larger;
    }
    count = compareElements(unitsOf(left.subarray(at, end), item), unitsOf(right.subarray(at, end), item), {
      found,
      count,
      first: at / item,
      units: item > 4 ? item / 4 : 1,
    });
  }
  return found.subarray(0, count);
}

type Units = Uint8Array | Uint16Array | Uint32Array;

/** Floats are compared as integers: NaN differs from itself, and the zeros do not differ. */
function unitsOf(bytes: Uint8Array, item: number): Units {
  if (item === 1) return bytes;
  const unit = Math.min(item, 4);
  const aligned = bytes.byteOffset % unit === 0 ? bytes : Uint8Array.from(bytes);
  const length = aligned.byteLength / unit;
  return unit === 2 ? new Uint16Array(aligned.buffer, aligned.byteOffset, length) : new Uint32Array(aligned.buffer, aligned.byteOffset, length);
}

interface Search {
  readonly found: Int32Array;
  readonly count: number;
  readonly first: number;
  /** Units of one element. */
  readonly units: number;
}

function compareElements(left: Units, right: Units, { found, count, first, units }: Search): number {
  let write = count;
  if (units === 1) {
    let i = 0;
    // Most of them are equal: four at a time.
    for (; i + 4 <= left.length; i += 4) {
      const different =
        ((left[i] ?? 0) ^ (right[i] ?? 0)) |
        ((left[i + 1] ?? 0) ^ (right[i + 1] ?? 0)) |
        ((left[i + 2] ?? 0) ^ (right[i + 2] ?? 0)) |
        ((left[i + 3] ?? 0) ^ (right[i + 3] ?? 0));
      if (different === 0) continue;
      for (let at = i; at < i + 4; at++) if (left[at] !== right[at]) found[write++] = first + at;
    }
    for (; i < left.length; i++) if (left[i] !== right[i]) found[write++] = first + i;
    return write;
  }
  for (let i = 0; i < left.length; i += units) {
    let same = true;
    for (let part = 0; part < units; part++) if (left[i + part] !== right[i + part]) same = false;
    if (!same) found[write++] = first + i / units;
  }
  return write;
}
