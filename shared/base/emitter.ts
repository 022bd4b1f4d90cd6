import { type Disposable, toDisposable } from './disposable';

/** A typed list of listeners. A listener that throws does not keep the others from being called. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): Disposable {
    // A wrapper per call: the same function registered twice is two registrations.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  }

  emit(value: T): void {
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
