import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { CheckpointError } from '../../shared/contract/errors';

/** Windows has none, and no pipes among its files. */
const NONBLOCK: number = constants.O_NONBLOCK ?? 0;

export interface WholeFile {
  /** Times in nanoseconds. */
  readonly stats: BigIntStats;
  /** Not shared with anything else, or what `memory` gave. */
  readonly bytes: Uint8Array;
}

/**
 * A small regular file as a whole, read in the thread that asks: for some kilobytes, handing the work to other threads and back takes several times
 * as long as the reading does.
 * @param check is shown what was opened before it is read, and may throw
 * @param memory for so many bytes
 * @throws what the system says; invalid-request for anything that is no regular file; truncated when it becomes shorter meanwhile
 */
export function readWholeSync(
  path: string,
  check: (stats: BigIntStats) => void,
  memory: (bytes: number) => Uint8Array = (size) => Buffer.allocUnsafeSlow(size),
): WholeFile {
  // As in `openRegular`: nobody waits for the writer of a pipe.
  const file = openSync(path, constants.O_RDONLY | NONBLOCK);
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new CheckpointError('invalid-request', `${path} is not a file.`, { place: { file: path } });
    check(stats);
    const bytes = memory(Number(stats.size));
    for (let done = 0; done < bytes.byteLength; ) {
      const read = readSync(file, bytes, done, bytes.byteLength - done, done);
      if (read === 0) {
        throw new CheckpointError('truncated', `The file became shorter while it was read: nothing at byte ${done}.`, { place: { file: path, offset: done } });
      }
      done += read;
    }
    return { stats, bytes };
  } finally {
    closeSync(file);
  }
}
