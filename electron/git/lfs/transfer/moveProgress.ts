import type { Progress } from '../../../../shared/contract/frames';

/** Adds up objects that are moved beside each other. */
export class MoveProgress {
  readonly #phase: string;
  readonly #tell: ((progress: Progress) => void) | undefined;
  #done = 0;
  #total: number;

  constructor(phase: string, total: number, tell: ((progress: Progress) => void) | undefined) {
    this.#phase = phase;
    this.#total = total;
    this.#tell = tell;
  }

  /** An object of `bytes`: say with `at` how far it is (less than before when it begins anew), with `drop` that it is not moved after all. */
  part(bytes: number): { at(done: number): void; drop(): void } {
    let counted = 0;
    return {
      at: (done) => {
        this.#done += done - counted;
        counted = done;
        this.#report();
      },
      drop: () => {
        this.#done -= counted;
        this.#total -= bytes;
        counted = 0;
        this.#report();
      },
    };
  }

  #report(): void {
    this.#tell?.({ phase: this.#phase, done: this.#done, total: this.#total, unit: 'bytes' });
  }
}
