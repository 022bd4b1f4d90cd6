import type { Disposable } from '../base/disposable';

export type ConnectionStatus = 'connecting' | 'open' | 'lost';

/**
 * What a host gives the window, and all that it gives: frames out, frames in, and whether anybody listens.
 * Frames are plain data with typed arrays inside. They are validated by whoever receives them, so they are `unknown` here.
 */
export interface Transport {
  readonly status: ConnectionStatus;
  send(frame: unknown): void;
  onFrame(listener: (frame: unknown) => void): Disposable;
  onStatus(listener: (status: ConnectionStatus) => void): Disposable;
}

/** Where the preload script puts the desktop's transport. Functions only: class instances do not cross the context bridge. */
export const TRANSPORT_GLOBAL = 'thetaTransport';

/** Shape of what the preload exposes under `TRANSPORT_GLOBAL`; listeners return their own removal. */
export interface ExposedTransport {
  send(frame: unknown): void;
  onFrame(listener: (frame: unknown) => void): () => void;
  /** Absolute path of a file that was dropped on the window; empty when it has none. */
  pathForFile(file: unknown): string;
}

export const IPC_CHANNEL = 'theta:frame';
