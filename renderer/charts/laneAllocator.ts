/** Hands out the lowest lane that nobody uses; lanes come back in any order. */
export class LaneAllocator {
  /** Binary heap of lanes below `#next` that are free. */
  readonly #free: number[] = [];
  #next = 0;

  /** Number of lanes ever used at once, seen from lane 0. */
  get width(): number {
    return this.#next;
  }

  take(): number {
    const lowest = this.#free[0];
    if (lowest === undefined) return this.#next++;
    const last = this.#free.pop();
    if (last !== undefined && this.#free.length > 0) this.#sink(last);
    return lowest;
  }

  release(lane: number): void {
    const heap = this.#free;
    let at = heap.push(lane) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] ?? 0;
      if (parent <= lane) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = lane;
  }

  #sink(lane: number): void {
    const heap = this.#free;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      const left = heap[below];
      if (left === undefined) break;
      const right = heap[below + 1];
      if (right !== undefined && right < left) below++;
      const child = right !== undefined && right < left ? right : left;
      if (child >= lane) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = lane;
  }
}
