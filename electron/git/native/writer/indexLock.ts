import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../../shared/contract/errors';

export function indexLockPath(gitDir: string): string {
  return join(gitDir, 'index.lock');
}

/** Time of last change of a lock file in milliseconds; `null` when it is not there. */
export async function lockTime(path: string): Promise<number | null> {
  return lstat(path).then(
    (found) => found.mtimeMs,
    () => null,
  );
}

/** The file that git found in its way, by its own words; `null` when it failed of something else. */
export function lockInTheWay(stderr: string): string | null {
  return /Unable to create '([\s\S]*?\.lock)': File exists/.exec(stderr)?.[1] ?? null;
}

/** A lock that another program holds, or that one left behind: which file, how old, and what to do. It is never deleted here. */
export async function lockedError(path: string, detail?: string): Promise<CheckpointError> {
  const time = await lockTime(path);
  const age = time === null ? '' : `, for ${ageInWords(Date.now() - time)}`;
  return new CheckpointError('conflict', `Another program is changing this repository${age}: ${path}`, {
    place: { file: path },
    hint: 'Wait until it is done. If no git runs in this repository, a program that was stopped left the file: delete it, then try again.',
    ...(detail === undefined ? {} : { detail }),
  });
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ageInWords(milliseconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => milliseconds >= unit) ?? (['second', 1000] as const);
  const count = Math.max(1, Math.floor(milliseconds / length));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/**
 * After git was killed without a chance to tidy up: removes the index.lock that it held. It is git's own only if none was there before it
 * started and this one is not younger than its end; a foreign lock would have made git give up by itself.
 */
export async function clearOwnLock(path: string, run: { readonly before: number | null; readonly started: number; readonly ended: number }): Promise<void> {
  const time = await lockTime(path);
  // File systems may keep whole seconds.
  if (time === null || run.before !== null || time < run.started - 1000 || time > run.ended) return;
  await unlink(path).catch(() => {});
}
