import { lstat, readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemCode } from '../../bytes/systemCode';
import type { Destination } from './checkDestination';
import { hostTag, parsePartialName } from './partialName';

/** A file that was written to this recently is nobody's leftover, whatever its name says. */
const STALE_MS = 60_000;

/**
 * Removes what killed exports left beside a destination: regular files with our naming for this destination, made on this machine by a
 * process that is gone, and untouched for a minute. Everything else stays. Failures are not worth failing an export for.
 * @returns a sentence for each leftover that was found: removed, or left and why.
 */
export async function removeStalePartials({ folder, path }: Pick<Destination, 'folder' | 'path'>): Promise<readonly string[]> {
  const notes: string[] = [];
  const files = await readdir(folder).catch(() => []);
  for (const file of files) {
    const owner = parsePartialName(file, basename(path));
    if (owner === null) continue;
    const partial = join(folder, file);
    const stats = await lstat(partial).catch(() => null);
    if (stats === null || !stats.isFile() || Date.now() - stats.mtimeMs < STALE_MS) continue;
    if (owner.host !== hostTag()) {
      notes.push(`${file} seems to be left from an export on another machine. Remove it if nothing runs there.`);
    } else if (!isAlive(owner.pid)) {
      const removed = await unlink(partial).then(
        () => true,
        () => false,
      );
      notes.push(
        removed ? `${file}, left from an export that was killed, was removed.` : `${file}, left from an export that was killed, could not be removed.`,
      );
    }
  }
  return notes;
}

/** EPERM: the process exists, but is another user's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
