/** Steps that take back what was done so far, run in reverse when the whole fails. */
export class Undo {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  /** What cannot be taken back does not keep the rest from it. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step().catch(() => {});
  }
}
