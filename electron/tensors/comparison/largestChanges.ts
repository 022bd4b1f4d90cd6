import type { ChangedElement } from '../../../shared/model/pairNumbers';

/** A change on its way into the table of the largest ones. */
export interface Change extends Omit<ChangedElement, 'index'> {
  /** Place in the whole tensor, in elements. */
  readonly place: number;
}

/**
 * The `limit` largest changes of those that are added in order of their places; of equally large ones the first. A bounded heap whose root is
 * the one to go next.
 */
export class LargestChanges {
  readonly #limit: number;
  readonly #heap: Change[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A change of this size or less would not be kept. */
  get threshold(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY;
    return this.#heap.length < this.#limit ? 0 : Math.abs(this.#heap[0]?.delta ?? 0);
  }

  add(change: Change): void {
    if (this.#heap.length < this.#limit) {
      this.#heap.push(change);
      this.#rise(this.#heap.length - 1);
    } else if (this.#limit > 0 && goesFirst(this.#heap[0] as Change, change)) {
      this.#heap[0] = change;
      this.#sink();
    }
  }

  /** Largest first. */
  sorted(): Change[] {
    return [...this.#heap].sort((one, other) => (goesFirst(one, other) ? 1 : -1));
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!goesFirst(this.#heap[at] as Change, this.#heap[parent] as Change)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && goesFirst(this.#heap[child] as Change, this.#heap[first] as Change)) first = child;
      }
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #swap(i: number, j: number): void {
    [this.#heap[i], this.#heap[j]] = [this.#heap[j] as Change, this.#heap[i] as Change];
  }
}

/** Whether `one` is dropped before `other`. */
function goesFirst(one: Change, other: Change): boolean {
  const [x, y] = [Math.abs(one.delta), Math.abs(other.delta)];
  return x === y ? one.place > other.place : x < y;
}
