import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RepositoryPlace } from '../../git/gitRepository';
import { spoolFolder } from './spool';

/**
 * Where a file is made that is going to be renamed to `target`: in the spool, so that a killed process leaves nothing in the work tree; beside
 * the target when the spool is on another file system.
 */
export async function stagingFolder(place: Pick<RepositoryPlace, 'commonDir'>, target: string): Promise<string> {
  const [spool, beside] = [await spoolFolder(place), dirname(target)];
  const [from, to] = await Promise.all([stat(spool), stat(beside)]);
  return from.dev === to.dev ? spool : beside;
}
