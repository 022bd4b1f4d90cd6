/** A priority queue of things with a date: newest first, and what was put in first among equals, as git's own list. */
export class DateQueue<T> {
  readonly #heap: { readonly value: T; readonly date: number; readonly order: number }[] = [];
  #inserted = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(value: T, date: number): void {
    const heap = this.#heap;
    heap.push({ value, date, order: this.#inserted++ });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfBefore(child, parent)) return;
      child = parent;
    }
  }

  pop(): T | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first?.value;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      if (left >= heap.length) return first.value;
      const child = left + 1 < heap.length && this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfBefore(child, parent)) return first.value;
      parent = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (first === undefined || second === undefined) return false;
    return first.date === second.date ? first.order < second.order : first.date > second.date;
  }

  #swapIfBefore(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (first === undefined || second === undefined || !this.#isBefore(a, b)) return false;
    this.#heap[a] = second;
    this.#heap[b] = first;
    return true;
  }
}
