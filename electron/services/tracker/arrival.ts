import { CheckpointError } from '../../../shared/contract/errors';

interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How much of a file has come, and who waits for more of it. */
export class Arrival {
  readonly #file: string;
  readonly head: Promise<Uint8Array>;
  #resolveHead: (head: Uint8Array) => void = () => {};
  #rejectHead: (error: unknown) => void = () => {};
  #bytes = 0;
  #waiting: Waiting[] = [];
  #ending: { readonly error: unknown } | null = null;

  constructor(file: string) {
    this.#file = file;
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve;
      this.#rejectHead = reject;
    });
    // Nobody need wait for it.
    this.head.catch(() => {});
  }

  get bytes(): number {
    return this.#bytes;
  }

  begin(head: Uint8Array): void {
    this.#resolveHead(head);
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    const still: Waiting[] = [];
    for (const one of this.#waiting) {
      if (one.bytes <= this.#bytes) one.resolve();
      else still.push(one);
    }
    this.#waiting = still;
  }

  /** All of the file has come. */
  end(bytes: number): void {
    this.begin(new Uint8Array(0));
    this.#end(new CheckpointError('truncated', `The file ended after ${bytes} bytes.`, { place: { file: this.#file, offset: bytes } }));
  }

  fail(error: unknown): void {
    this.#rejectHead(error);
    this.#end(error);
  }

  async until(bytes: number): Promise<void> {
    if (bytes <= this.#bytes) return;
    if (this.#ending !== null) throw this.#ending.error;
    await new Promise<void>((resolve, reject) => this.#waiting.push({ bytes, resolve, reject }));
  }

  #end(error: unknown): void {
    this.#ending = { error };
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
