import type { Transport } from '../../shared/contract/transport';
import type { UploadOptions } from './uploadFile';

/** What the window's transports can do beyond carrying frames. All of it is optional: a plain Transport will do. */
export interface WindowTransport extends Transport {
  /** Time (ms since 1970) of the next attempt to reconnect; `null` while connected or trying. */
  readonly retryAt?: number | null;
  /** Tries to reconnect now instead of at `retryAt`. */
  retryNow?(): void;
  /** Absolute path of a dropped file or folder; empty when it has none. Only the desktop knows it. */
  pathForFile?(file: File): string;
  /** Sends a file to the host, where the window and the host may be on different machines; resolves to its path there. */
  uploadFile?(file: File, options: UploadOptions): Promise<string>;
  /** A file that was sent is not needed any more. */
  forgetUpload?(path: string): void;
}
