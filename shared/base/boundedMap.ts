export interface BoundedMapOptions<V> {
  /** Default: 1 for every value. */
  readonly weigh?: (value: V) => number;
  /** The last values are kept whatever they weigh; default: none, so that one which alone is too heavy is not kept. */
  readonly atLeast?: number;
}

/** A map that forgets what was not asked for the longest once its values weigh more than `capacity` together. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;
  readonly #weigh: (value: V) => number;
  readonly #atLeast: number;
  #weight = 0;

  constructor(capacity: number, { weigh = () => 1, atLeast = 0 }: BoundedMapOptions<V> = {}) {
    this.#capacity = capacity;
    this.#weigh = weigh;
    this.#atLeast = atLeast;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Looks without counting as asked for. */
  peek(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity || this.#entries.size <= this.#atLeast) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value !== undefined && this.#entries.delete(key)) this.#weight -= this.#weigh(value);
  }

  deleteWhere(condition: (value: V, key: K) => boolean): void {
    for (const [key, value] of this.#entries) if (condition(value, key)) this.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
