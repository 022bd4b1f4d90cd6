interface Step {
  readonly take: () => Promise<unknown>;
  /** What the user has to know when it fails, a sentence. */
  readonly otherwise: string | null;
}

/** Steps that take back what was done so far, should the whole fail, and those that give up what was kept for that. */
export class Undo {
  readonly #steps: Step[] = [];
  readonly #last: Step[] = [];
  readonly #ends: (() => Promise<unknown>)[] = [];

  /** @param otherwise what the user has to know when this cannot be taken back, a sentence */
  add(take: () => Promise<unknown>, otherwise: string | null = null): void {
    this.#steps.push({ take, otherwise });
  }

  /** A step for when all others were taken. */
  addLast(take: () => Promise<unknown>): void {
    this.#last.push({ take, otherwise: null });
  }

  /** What is to be done when the whole stands. */
  atEnd(step: () => Promise<unknown>): void {
    this.#ends.push(step);
  }

  /**
   * Takes everything back, in reverse. What fails does not keep the rest from it, and is tried once more after that: a full disk may have
   * space then.
   * @returns what the user has to know
   */
  async run(): Promise<readonly string[]> {
    const failed = await attempt(await attempt(this.#steps.splice(0).reverse()));
    await attempt(this.#last.splice(0).reverse());
    return failed.flatMap(({ otherwise }) => (otherwise === null ? [] : [otherwise]));
  }

  /** What fails here costs some space. */
  async finish(): Promise<void> {
    for (const step of this.#ends.splice(0)) await step().catch(() => {});
  }
}

/** @returns those that failed */
async function attempt(steps: readonly Step[]): Promise<readonly Step[]> {
  const failed: Step[] = [];
  for (const step of steps) {
    try {
      await step.take();
    } catch {
      failed.push(step);
    }
  }
  return failed;
}
