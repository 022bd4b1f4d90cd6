import { type Disposable, toDisposable } from '../../../shared/base/disposable';
import { Emitter } from '../../../shared/base/emitter';
import { CheckpointError, type ErrorCode } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { EventData, EventName, Method, Output, RequestInput } from '../../../shared/contract/requests';
import { Client } from '../../client/client';
import type { WindowTransport } from '../../client/windowTransport';

interface Call {
  readonly method: string;
  readonly input: unknown;
  isCancelled: boolean;
}

interface CallContext {
  progress(progress: Progress): void;
}

/** Tests build answers from the model's types, which are read-only. */
type ReadOnly<T> = T extends ArrayBufferView | string | number | boolean | null | undefined ? T : { readonly [K in keyof T]: ReadOnly<T[K]> };
type Answers = { [M in Method]?: (input: RequestInput<M>, context: CallContext) => ReadOnly<Output<M>> | Promise<ReadOnly<Output<M>>> };

/** A host in memory that answers a real client: what was asked for is recorded, answers are given by the test. */
export class FakeHost implements WindowTransport {
  readonly status = 'open';
  readonly calls: Call[] = [];
  readonly #answers: Answers;
  readonly #frames = new Emitter<unknown>();
  readonly #open = new Map<number, Call>();

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** Inputs of the requests of one method, in order. */
  inputs<M extends Method>(method: M): RequestInput<M>[] {
    return this.calls.filter((call) => call.method === method).map((call) => call.input as RequestInput<M>);
  }

  emit<E extends EventName>(name: E, data: EventData<E>): void {
    this.#frames.emit({ kind: 'event', name, data });
  }

  onFrame(listener: (frame: unknown) => void): Disposable {
    return this.#frames.on(listener);
  }

  onStatus(): Disposable {
    return toDisposable(() => undefined);
  }

  send(frame: unknown): void {
    const { kind, id, method, input } = frame as { kind: string; id: number; method: Method; input: unknown };
    if (kind === 'cancel') {
      const call = this.#open.get(id);
      if (call !== undefined) call.isCancelled = true;
      return;
    }
    const call: Call = { method, input: structuredClone(input), isCancelled: false };
    this.calls.push(call);
    this.#open.set(id, call);
    void this.#answer(id, method, input);
  }

  async #answer(id: number, method: Method, input: unknown): Promise<void> {
    const answer = this.#answers[method] as ((input: unknown, context: CallContext) => unknown) | undefined;
    await Promise.resolve();
    try {
      if (answer === undefined) throw new CheckpointError('internal', `The test has no answer to ${method}`);
      const output = await answer(input, { progress: (progress) => this.#frames.emit({ kind: 'progress', id, progress }) });
      this.#frames.emit({ kind: 'result', id, output });
    } catch (error) {
      this.#frames.emit({ kind: 'failure', id, error: CheckpointError.from(error).toData() });
    } finally {
      this.#open.delete(id);
    }
  }
}

export function fakeClient(answers: Answers): { readonly host: FakeHost; readonly client: Client } {
  const host = new FakeHost(answers);
  return { host, client: new Client(host) };
}

/** An answer that comes when the test says so. */
export function deferred<T>(): { readonly promise: Promise<T>; resolve(value: T): void; fail(code: ErrorCode): void } {
  let settle: { resolve(value: T): void; reject(error: unknown): void } | null = null;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    fail: (code) => settle?.reject(new CheckpointError(code, `Failed with ${code}.`)),
  };
}
