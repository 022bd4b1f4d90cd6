import type { Disposable } from '../../shared/base/disposable';
import { Emitter } from '../../shared/base/emitter';
import { CheckpointError } from '../../shared/contract/errors';
import type { ConnectionStatus } from '../../shared/contract/transport';
import { decodeFrame, encodeFrame, SILENCE_MS } from '../../shared/contract/wire';
import { retryDelay } from './retryDelay';
import type { UploadOptions } from './uploadFile';
import type { WindowTransport } from './windowTransport';

/** The part of a WebSocket that is used, so that a test can stand in for one. */
export interface Socket {
  binaryType: BinaryType;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

export interface WebSocketTransportOptions {
  readonly open: () => Socket;
  /** Called before an attempt to connect; returns how to stop listening. Tells of a network that came back or a laptop that woke up. */
  readonly onWake?: (listener: () => void) => () => void;
  /** How files get to the host. */
  readonly uploadFile?: NonNullable<WindowTransport['uploadFile']>;
  readonly forgetUpload?: NonNullable<WindowTransport['forgetUpload']>;
}

const OPEN = 1;

/**
 * The served host's transport. It reconnects by itself, ever more slowly, for as long as the window is open; a socket on which
 * nothing comes for SILENCE_MS (the host sends heartbeats) counts as lost, since a dead tunnel is not reported by the browser.
 */
export class WebSocketTransport implements WindowTransport {
  readonly #options: WebSocketTransportOptions;
  readonly #frames = new Emitter<unknown>();
  readonly #statuses = new Emitter<ConnectionStatus>();
  #status: ConnectionStatus = 'connecting';
  #socket: Socket | null = null;
  #attempts = 0;
  #retryAt: number | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #stopListening: () => void;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
    this.#stopListening = options.onWake?.(() => this.#wake()) ?? (() => undefined);
    this.#connect();
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  get retryAt(): number | null {
    return this.#retryAt;
  }

  send(frame: unknown): void {
    const socket = this.#socket;
    // A frame that is lost on the way is no error here: losing the connection rejects whatever waits for an answer.
    if (socket?.readyState === OPEN) socket.send(encodeFrame(frame));
  }

  onFrame(listener: (frame: unknown) => void): Disposable {
    return this.#frames.on(listener);
  }

  onStatus(listener: (status: ConnectionStatus) => void): Disposable {
    return this.#statuses.on(listener);
  }

  uploadFile(file: File, options: UploadOptions): Promise<string> {
    const upload = this.#options.uploadFile;
    if (upload === undefined) return Promise.reject(new CheckpointError('invalid-request', 'This window cannot send files to its host.'));
    return upload(file, options);
  }

  forgetUpload(path: string): void {
    this.#options.forgetUpload?.(path);
  }

  retryNow(): void {
    if (this.#status === 'open') return;
    this.#drop();
    this.#connect();
  }

  dispose(): void {
    this.#stopListening();
    this.#stopListening = () => undefined;
    this.#drop();
  }

  #connect(): void {
    clearTimeout(this.#retryTimer);
    this.#retryAt = null;
    const socket = this.#options.open();
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#listenForSilence(socket);
    socket.addEventListener('open', () => {
      if (socket !== this.#socket) return;
      this.#attempts = 0;
      this.#listenForSilence(socket);
      this.#change('open');
    });
    socket.addEventListener('message', (event) => {
      if (socket !== this.#socket) return;
      this.#listenForSilence(socket);
      this.#receive(event.data);
    });
    socket.addEventListener('close', () => this.#lose(socket));
    socket.addEventListener('error', () => this.#lose(socket));
  }

  #receive(data: unknown): void {
    if (!(data instanceof ArrayBuffer)) return;
    const frame = decodeFrame(new Uint8Array(data));
    if (frame !== null) this.#frames.emit(frame);
  }

  #lose(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#drop();
    const delay = retryDelay(this.#attempts++);
    this.#retryAt = Date.now() + delay;
    this.#retryTimer = setTimeout(() => this.#connect(), delay);
    this.#change('lost');
  }

  /** Lets go of the socket first, so that its own `close` finds nothing to do. */
  #drop(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#retryAt = null;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #listenForSilence(socket: Socket): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#lose(socket), SILENCE_MS);
  }

  #wake(): void {
    if (this.#status === 'lost' && this.#retryAt !== null) this.retryNow();
  }

  #change(status: ConnectionStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#statuses.emit(status);
  }
}
