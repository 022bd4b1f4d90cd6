import * as v from 'valibot';
import { assertNever } from '../../shared/base/assertNever';
import type { Disposable } from '../../shared/base/disposable';
import { Emitter } from '../../shared/base/emitter';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { type ClientFrame, type HostFrame, hostFrameSchema, type Progress } from '../../shared/contract/frames';
import { type EventData, type EventName, events, type Method, type Output, type RequestInput, requests } from '../../shared/contract/requests';
import type { ConnectionStatus } from '../../shared/contract/transport';
import type { WindowTransport } from './windowTransport';

export interface RequestOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

interface Pending {
  resolve(output: unknown): void;
  reject(error: CheckpointError): void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

type Listeners = { [E in EventName]: Emitter<EventData<E>> };

/**
 * The window's end of the contract: requests with progress and cancel, events, and the state of the connection.
 * Everything that comes from the host is validated here; nothing further in has to distrust it.
 * Requests made before the first connection wait for it; once it is lost they fail at once with `disconnected`.
 */
export class Client {
  readonly #transport: WindowTransport;
  readonly #pending = new Map<number, Pending>();
  readonly #statusListeners = new Emitter<ConnectionStatus>();
  readonly #reconnectListeners = new Emitter<null>();
  readonly #listeners: Listeners = { 'repository/changed': new Emitter(), 'open/path': new Emitter(), 'menu/command': new Emitter() };
  #waiting: ClientFrame[] = [];
  #status: ConnectionStatus;
  #wasLost = false;
  #nextId = 1;

  constructor(transport: WindowTransport) {
    this.#transport = transport;
    this.#status = transport.status;
    transport.onFrame((frame) => this.#receive(frame));
    transport.onStatus((status) => this.#changeStatus(status));
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Time (ms since 1970) of the next attempt to reconnect; `null` when none is planned. */
  get retryAt(): number | null {
    return this.#transport.retryAt ?? null;
  }

  retryNow(): void {
    this.#transport.retryNow?.();
  }

  /** Absolute path of a dropped file; `null` where the host cannot tell (a browser never can). */
  pathForFile(file: File): string | null {
    return this.#transport.pathForFile?.(file) || null;
  }

  /**
   * Absolute path on the host's machine of a file that was dropped or chosen in this window. A browser's file is sent to the host first.
   * @throws CheckpointError what went wrong on the way; `cancelled` when `signal` aborts
   */
  async hostPathFor(file: File, options: RequestOptions = {}): Promise<string> {
    const path = this.pathForFile(file);
    if (path !== null) return path;
    if (this.#transport.uploadFile !== undefined) return this.#transport.uploadFile(file, options);
    throw new CheckpointError('not-found', 'It cannot be told where this file lies.', { place: { file: file.name }, hint: 'Choose it with “Track…” instead.' });
  }

  /** Paths from `hostPathFor` that are not needed any more: what was sent to the host is deleted there. A file of the host's machine stays. */
  forgetUploads(paths: Iterable<string>): void {
    for (const path of paths) this.#transport.forgetUpload?.(path);
  }

  /**
   * Asks the host and waits for its answer.
   * @throws CheckpointError what the host says; `cancelled` as soon as `signal` aborts; `disconnected` when the connection is lost;
   *   `internal` when the answer does not follow the contract.
   */
  request<M extends Method>(method: M, input: RequestInput<M>, options: RequestOptions = {}): Promise<Output<M>> {
    const { onProgress, signal } = options;
    return new Promise<Output<M>>((resolve, reject) => {
      if (signal?.aborted) return reject(cancelledError());
      if (this.#status === 'lost') return reject(disconnected());
      const id = this.#nextId++;
      const schema: (typeof requests)[M]['output'] = requests[method].output;
      const onAbort = () => {
        settle();
        const queued = this.#waiting.findIndex((frame) => frame.id === id);
        if (queued >= 0) this.#waiting.splice(queued, 1);
        else if (this.#status === 'open') this.#post({ kind: 'cancel', id });
        reject(cancelledError());
      };
      const settle = () => {
        this.#pending.delete(id);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#pending.set(id, {
        onProgress,
        reject(error) {
          settle();
          reject(error);
        },
        resolve(output) {
          settle();
          const parsed = v.safeParse(schema, output);
          if (parsed.success) resolve(parsed.output);
          else reject(outsideContract(`The answer to ${method} does not have the agreed form.`, parsed.issues));
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        this.#post({ kind: 'call', id, method, input });
      } catch (error) {
        settle();
        reject(CheckpointError.from(error));
      }
    });
  }

  on<E extends EventName>(event: E, listener: (data: EventData<E>) => void): Disposable {
    const emitter: Listeners[E] = this.#listeners[event];
    return emitter.on(listener);
  }

  onStatus(listener: (status: ConnectionStatus) => void): Disposable {
    return this.#statusListeners.on(listener);
  }

  /** Called each time the connection is open again after it was lost: whoever holds state at the host sets it up again. */
  onReconnect(listener: () => void): Disposable {
    return this.#reconnectListeners.on(() => listener());
  }

  #post(frame: ClientFrame): void {
    if (this.#status === 'connecting') this.#waiting.push(frame);
    else this.#transport.send(frame);
  }

  #changeStatus(status: ConnectionStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    if (status === 'open') {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const frame of waiting) this.#transport.send(frame);
    }
    if (status === 'lost') {
      this.#wasLost = true;
      this.#waiting = [];
      for (const pending of [...this.#pending.values()]) pending.reject(disconnected());
    }
    this.#statusListeners.emit(status);
    if (status === 'open' && this.#wasLost) this.#reconnectListeners.emit(null);
  }

  #receive(raw: unknown): void {
    const parsed = v.safeParse(hostFrameSchema, raw);
    if (parsed.success) this.#take(parsed.output);
    else this.#refuse(raw, parsed.issues);
  }

  #take(frame: HostFrame): void {
    switch (frame.kind) {
      case 'result':
        this.#pending.get(frame.id)?.resolve(frame.output);
        break;
      case 'failure':
        this.#pending.get(frame.id)?.reject(CheckpointError.fromData(frame.error));
        break;
      case 'progress':
        this.#pending.get(frame.id)?.onProgress?.(frame.progress);
        break;
      case 'event':
        this.#announce(frame.name, frame.data);
        break;
      default:
        assertNever(frame);
    }
  }

  #announce(name: string, data: unknown): void {
    if (name === 'repository/changed') this.#emit(name, v.safeParse(events[name], data));
    else if (name === 'open/path') this.#emit(name, v.safeParse(events[name], data));
    else if (name === 'menu/command') this.#emit(name, v.safeParse(events[name], data));
    else console.error(`Unknown event from the host: ${name}`);
  }

  #emit<E extends EventName>(name: E, parsed: { success: true; output: EventData<E> } | { success: false }): void {
    const emitter: Emitter<EventData<E>> = this.#listeners[name];
    if (parsed.success) emitter.emit(parsed.output);
    else console.error(`The event ${name} does not have the agreed form`);
  }

  /** A frame that nobody can read still ends the request it belongs to: a caller must never wait for ever. */
  #refuse(raw: unknown, issues: Issues): void {
    const id = typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'number' ? raw.id : null;
    const pending = id === null ? undefined : this.#pending.get(id);
    if (pending === undefined) console.error('A frame from the host does not have the agreed form', issues[0].message);
    else pending.reject(outsideContract('An answer from the host does not have the agreed form.', issues));
  }
}

type Issues = readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];

function disconnected(): CheckpointError {
  return new CheckpointError('disconnected', 'The connection to the host was lost.', {
    hint: 'It is tried again by itself. Repeat the action once it is back.',
  });
}

function outsideContract(sentence: string, issues: Issues): CheckpointError {
  const detail = issues.slice(0, 5).map((issue) => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`);
  return new CheckpointError('internal', sentence, { detail: detail.join('\n'), hint: 'Window and host may be of different versions: reload the window.' });
}
