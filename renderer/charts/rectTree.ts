/** A rectangle by its edges. */
export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const FANOUT = 16;
const NONE = new Uint32Array(0);

/**
 * Finds rectangles by place: a packed R-tree (sort-tile-recursive), built once. Long and nested rectangles cost no more than others, which a
 * grid of cells would not give.
 */
export class RectTree {
  readonly #count: number;
  /** Left, top, right, bottom of every entry; leaves first, then the levels above. */
  readonly #bounds: Float32Array;
  /** What each leaf stands for. */
  readonly #items: Uint32Array;
  /** First entry of each level, leaves first; then the end. */
  readonly #levels: number[];

  /** @param edgesOf writes the edges of an item into `out[at]` to `out[at + 3]` */
  constructor(count: number, edgesOf: (item: number, out: Float32Array, at: number) => void) {
    this.#count = count;
    this.#levels = levelStarts(count);
    const total = this.#levels.at(-1) ?? 0;
    const own = new Float32Array(4 * count);
    for (let item = 0; item < count; item++) edgesOf(item, own, 4 * item);
    this.#items = tileOrder(count, own);
    this.#bounds = new Float32Array(4 * total);
    for (let leaf = 0; leaf < count; leaf++) {
      const from = 4 * (this.#items[leaf] ?? 0);
      this.#bounds.set(own.subarray(from, from + 4), 4 * leaf);
    }
    for (let level = 1; level + 1 < this.#levels.length; level++) this.#join(level);
  }

  /** Items that touch the rectangle, ascending. */
  search(edges: Edges): Uint32Array {
    if (this.#count === 0) return NONE;
    const bounds = this.#bounds;
    const found = new Uint32Array(this.#count);
    let length = 0;
    const stack: number[] = [this.#levels.length - 2, 0];
    while (stack.length > 0) {
      const place = stack.pop() ?? 0;
      const level = stack.pop() ?? 0;
      const at = 4 * ((this.#levels[level] ?? 0) + place);
      if (!touches(bounds, at, edges)) continue;
      if (level === 0) {
        found[length++] = this.#items[place] ?? 0;
        continue;
      }
      const below = (this.#levels[level] ?? 0) - (this.#levels[level - 1] ?? 0);
      const end = Math.min(below, (place + 1) * FANOUT);
      for (let child = place * FANOUT; child < end; child++) stack.push(level - 1, child);
    }
    return found.slice(0, length).sort();
  }

  #join(level: number): void {
    const start = this.#levels[level] ?? 0;
    const belowStart = this.#levels[level - 1] ?? 0;
    const below = start - belowStart;
    const bounds = this.#bounds;
    for (let place = 0; start + place < (this.#levels[level + 1] ?? 0); place++) {
      const at = 4 * (start + place);
      bounds.set([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY], at);
      for (let child = place * FANOUT; child < Math.min(below, (place + 1) * FANOUT); child++) {
        const from = 4 * (belowStart + child);
        bounds[at] = Math.min(bounds[at] ?? 0, bounds[from] ?? 0);
        bounds[at + 1] = Math.min(bounds[at + 1] ?? 0, bounds[from + 1] ?? 0);
        bounds[at + 2] = Math.max(bounds[at + 2] ?? 0, bounds[from + 2] ?? 0);
        bounds[at + 3] = Math.max(bounds[at + 3] ?? 0, bounds[from + 3] ?? 0);
      }
    }
  }
}

function touches(bounds: Float32Array, at: number, { left, top, right, bottom }: Edges): boolean {
  return (bounds[at] ?? 0) <= right && (bounds[at + 1] ?? 0) <= bottom && (bounds[at + 2] ?? 0) >= left && (bounds[at + 3] ?? 0) >= top;
}

/** First entry of each level and the end: of 40 items 0, 40, 43, 44. */
function levelStarts(count: number): number[] {
  const starts = [0];
  let size = count;
  let end = count;
  starts.push(end);
  while (size > 1) {
    size = Math.ceil(size / FANOUT);
    end += size;
    starts.push(end);
  }
  return starts;
}

/** Items in vertical slices, each from top to bottom, so that neighbours share a leaf. */
function tileOrder(count: number, own: Float32Array): Uint32Array {
  const x = (item: number) => (own[4 * item] ?? 0) + (own[4 * item + 2] ?? 0);
  const y = (item: number) => (own[4 * item + 1] ?? 0) + (own[4 * item + 3] ?? 0);
  const order = Uint32Array.from({ length: count }, (_, item) => item).sort((a, b) => x(a) - x(b));
  const slices = Math.ceil(Math.sqrt(Math.ceil(count / FANOUT)));
  const length = Math.max(1, slices * FANOUT);
  for (let from = 0; from < count; from += length) order.subarray(from, from + length).sort((a, b) => y(a) - y(b));
  return order;
}
