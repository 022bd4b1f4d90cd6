import type { Writable } from 'node:stream';
import { cancelledError } from '../../shared/contract/cancelled';

/**
 * Hands bytes to a stream and waits until it has taken them; they are the stream's until then. Once the signal is aborted it waits no longer: a
 * reader that is busy for ever must not hold a program that is to end.
 * @throws what the stream fails with, cancelled
 */
export function writeToStream(output: Writable, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(cancelledError());
    if (signal?.aborted === true) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    output.write(bytes, (error) => {
      signal?.removeEventListener('abort', abort);
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}
