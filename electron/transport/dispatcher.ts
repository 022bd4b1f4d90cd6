import { setMaxListeners } from 'node:events';
import * as v from 'valibot';
import { assertNever } from '../../shared/base/assertNever';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { type ClientFrame, clientFrameSchema, type HostFrame } from '../../shared/contract/frames';
import { isMethod, type Method, type ParsedInput, requests } from '../../shared/contract/requests';
import type { HandlerContext, Handlers, HostEvents } from '../handlers/handlers';
import { progressThrottle } from './progressThrottle';

/** Calls of one connection that run at the same time; more wait their turn. */
export const MAX_RUNNING = 32;
/** Calls that wait; a window that asks for more is broken, and is told so. */
export const MAX_WAITING = 2000;

export interface Connection {
  /** Takes whatever the window sent; it is validated here. Never throws. */
  receive(frame: unknown): void;
  /** The window went: everything that runs for it is aborted, nothing is sent any more. */
  dispose(): void;
}

interface Call {
  readonly id: number;
  readonly controller: AbortController;
  readonly run: () => Promise<void>;
}

/**
 * Serves one window: validates frames and inputs, calls handlers, and answers every call that has an id exactly once.
 * A frame without a usable id cannot be answered and is dropped.
 */
export function connect(handlers: Handlers, send: (frame: HostFrame) => void, events: HostEvents): Connection {
  const calls = new Map<number, Call>();
  const waiting: Call[] = [];
  let running = 0;
  let disposed = false;

  const post = (frame: HostFrame) => {
    if (!disposed) send(frame);
  };
  const fail = (id: number, thrown: unknown) => post({ kind: 'failure', id, error: CheckpointError.from(thrown).toData() });

  const startWaiting = () => {
    while (!disposed && running < MAX_RUNNING) {
      const call = waiting.shift();
      if (call === undefined) return;
      running++;
      void call.run().finally(() => {
        running--;
        calls.delete(call.id);
        startWaiting();
      });
    }
  };

  const accept = ({ id, method, input }: Extract<ClientFrame, { kind: 'call' }>) => {
    if (calls.has(id)) return fail(id, new CheckpointError('invalid-request', `Request ${id} is still running.`));
    if (!isMethod(method)) return fail(id, new CheckpointError('invalid-request', `This host knows no request “${method.slice(0, 100)}”.`));
    if (waiting.length >= MAX_WAITING) {
      return fail(id, new CheckpointError('invalid-request', 'Too many requests wait already.', { hint: 'Wait until some of them are answered.' }));
    }
    const controller = new AbortController();
    // Every tensor that the call reads listens to it.
    setMaxListeners(0, controller.signal);
    const progress = progressThrottle((value) => post({ kind: 'progress', id, progress: value }));
    const context: HandlerContext = { signal: controller.signal, onProgress: progress.report };
    const run = async () => {
      try {
        const output = await invoke(handlers, method, { input, context });
        progress.finish();
        post({ kind: 'result', id, output });
      } catch (error) {
        progress.finish();
        fail(id, controller.signal.aborted ? asCancelled(error) : error);
      }
    };
    const call = { id, controller, run };
    calls.set(id, call);
    waiting.push(call);
    startWaiting();
  };

  const cancel = (id: number) => {
    const call = calls.get(id);
    if (call === undefined) return;
    call.controller.abort();
    const index = waiting.indexOf(call);
    if (index < 0) return;
    waiting.splice(index, 1);
    calls.delete(id);
    fail(id, cancelledError());
  };

  const subscription = events.on(({ name, data }) => post({ kind: 'event', name, data }));

  return {
    receive(frame) {
      if (disposed) return;
      const parsed = v.safeParse(clientFrameSchema, frame);
      if (!parsed.success) {
        const id = callId(frame);
        if (id !== null && !calls.has(id))
          fail(id, new CheckpointError('invalid-request', `The request is not well formed: ${describeIssue(parsed.issues[0])}.`));
        return;
      }
      const { output } = parsed;
      switch (output.kind) {
        case 'call':
          return accept(output);
        case 'cancel':
          return cancel(output.id);
        default:
          return assertNever(output);
      }
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      subscription.dispose();
      waiting.length = 0;
      for (const call of calls.values()) call.controller.abort();
    },
  };
}

async function invoke<M extends Method>(
  handlers: Handlers,
  method: M,
  request: { readonly input: unknown; readonly context: HandlerContext },
): Promise<unknown> {
  const parsed = v.safeParse<(typeof requests)[M]['input']>(requests[method].input, request.input);
  if (!parsed.success) throw new CheckpointError('invalid-request', `The input of ${method} is not valid: ${describeIssue(parsed.issues[0])}.`);
  const input: ParsedInput<M> = parsed.output;
  return await handlers[method](input, request.context);
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}

/** Whatever a handler throws after its abort is the abort, except an answer that it had worked out itself. */
function asCancelled(error: unknown): CheckpointError {
  return error instanceof CheckpointError ? error : cancelledError(error);
}

function callId(frame: unknown): number | null {
  if (typeof frame !== 'object' || frame === null || !Object.hasOwn(frame, 'id')) return null;
  const id: unknown = Reflect.get(frame, 'id');
  return Number.isSafeInteger(id) && typeof id === 'number' ? id : null;
}
