import type { CheckpointError } from '../../../shared/contract/errors';
import type { FilterHandler, FilterRequest, FilterResult, SmudgeRequest } from './filterHandler';

export interface DelayOptions {
  /** Smudges that run, or are done and wait for git to take them, at a time. */
  readonly concurrency: number;
  /** Bytes of content that files waiting for their turn may hold in all; above it files are made while git waits. Default 64 MiB. */
  readonly memory?: number;
}

/** A handler that makes every file at once. */
export interface DirectHandler extends Omit<FilterHandler, 'nextAvailable' | 'smudge'> {
  smudge(request: SmudgeRequest): Promise<FilterResult>;
}

interface Delayed {
  readonly pathname: string;
  readonly start: () => Promise<FilterResult>;
  readonly size: number;
  readonly controller: AbortController;
  outcome: Promise<FilterResult> | null;
  state: 'waiting' | 'running' | 'done' | 'announced';
}

const DEFAULT_MEMORY = 64 * 2 ** 20;

/**
 * Has several files of a checkout made at the same time: where git allows it, the answer is `delayed`, the smudge of `handler` runs
 * meanwhile, and its result or error is given when git comes back for it.
 */
export function delaySmudges(handler: DirectHandler, options: DelayOptions): FilterHandler {
  const queue = new DelayQueue(options);
  return {
    clean: (request) => handler.clean(request),
    report: (error) => handler.report(error),
    ...(handler.givesUp === undefined ? {} : { givesUp: (error: CheckpointError) => handler.givesUp?.(error) ?? false }),
    async smudge(request) {
      const known = request.canDelay ? null : queue.take(request.pathname);
      if (known !== null) return known;
      if (!request.canDelay) return handler.smudge(request);
      const { held, whole, content } = await collect(request, queue.room);
      if (!whole) return handler.smudge({ ...request, content });
      queue.add(request, held, (signal) => handler.smudge({ ...request, content, signal, canDelay: false }));
      return 'delayed';
    },
    nextAvailable: () => queue.nextAvailable(),
    async close() {
      await queue.close();
      await handler.close?.();
    },
  };
}

/** Holds the content of a request up to a limit; `content` gives what is held and then the rest. */
async function collect(
  request: FilterRequest,
  limit: number,
): Promise<{ readonly held: number; readonly whole: boolean; readonly content: AsyncIterable<Uint8Array> }> {
  const pieces: Uint8Array[] = [];
  let held = 0;
  const iterator = request.content[Symbol.asyncIterator]();
  let next = await iterator.next();
  for (; next.done !== true; next = await iterator.next()) {
    // A piece is valid only until the next one is asked for.
    pieces.push(Uint8Array.from(next.value));
    held += next.value.length;
    if (held > limit) break;
  }
  const whole = next.done === true;
  async function* content() {
    yield* pieces;
    if (!whole) for (let rest = await iterator.next(); rest.done !== true; rest = await iterator.next()) yield rest.value;
  }
  return { held, whole, content: content() };
}

class DelayQueue {
  readonly #concurrency: number;
  readonly #memory: number;
  readonly #files = new Map<string, Delayed>();
  #held = 0;
  /** Called when the state of a file has changed. */
  #wake: () => void = () => {};

  constructor({ concurrency, memory = DEFAULT_MEMORY }: DelayOptions) {
    this.#concurrency = Math.max(1, concurrency);
    this.#memory = memory;
  }

  /** Bytes that can still be held. */
  get room(): number {
    return Math.max(0, this.#memory - this.#held);
  }

  add(request: SmudgeRequest, size: number, smudge: (signal: AbortSignal) => Promise<FilterResult>): void {
    const { pathname } = request;
    // git asks anew for a file that it has not taken only when it has given up the former checkout.
    const former = this.#files.get(pathname);
    if (former !== undefined) void this.#drop(former);
    const controller = new AbortController();
    const signal = AbortSignal.any([request.signal, controller.signal]);
    this.#files.set(pathname, { pathname, size, controller, start: async () => smudge(signal), outcome: null, state: 'waiting' });
    this.#held += size;
    this.#startMore();
  }

  /** Result of a delayed file; `null` when this one was not delayed. */
  take(pathname: string): Promise<FilterResult> | null {
    const file = this.#files.get(pathname);
    if (file === undefined) return null;
    const outcome = file.outcome ?? this.#start(file);
    this.#files.delete(pathname);
    this.#startMore();
    return outcome;
  }

  async nextAvailable(): Promise<readonly string[]> {
    while (this.#files.size > 0) {
      const done = [...this.#files.values()].filter(({ state }) => state === 'done');
      for (const file of done) file.state = 'announced';
      if (done.length > 0) return done.map(({ pathname }) => pathname);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return [];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => this.#drop(file)));
  }

  #startMore(): void {
    let busy = 0;
    for (const { state } of this.#files.values()) if (state !== 'waiting') busy++;
    for (const file of this.#files.values()) {
      if (busy >= this.#concurrency) return;
      if (file.state !== 'waiting') continue;
      void this.#start(file);
      busy++;
    }
  }

  #start(file: Delayed): Promise<FilterResult> {
    file.state = 'running';
    const outcome = file.start();
    file.outcome = outcome;
    const settled = () => {
      this.#held -= file.size;
      if (file.state === 'running') file.state = 'done';
      this.#wake();
    };
    void outcome.then(settled, settled);
    return outcome;
  }

  async #drop(file: Delayed): Promise<void> {
    if (this.#files.get(file.pathname) === file) this.#files.delete(file.pathname);
    if (file.outcome === null) {
      this.#held -= file.size;
      return;
    }
    file.controller.abort();
    const result = await file.outcome.catch(() => null);
    await result?.dispose?.();
  }
}
