import { randomUUID } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../../../bytes/fileError';
import { makeFolders } from '../../../bytes/makeFolders';
import { runWriter } from './runWriter';
import type { StagedChange } from './stagedChanges';
import type { WriterContext } from './writerContext';
import { nulInput } from './writerPaths';

/**
 * Runs work with a copy of the index in which some staged changes are taken back; the index itself stays as it is. The copy keeps the stat
 * data of all other entries. @param work gets the environment that points git at the copy
 */
export async function withPartialIndex<T>(
  context: WriterContext,
  others: readonly StagedChange[],
  work: (environment: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const folder = join(context.place.commonDir, 'theta-desktop');
  const copy = join(folder, `index-${randomUUID()}`);
  try {
    await makeFolders(folder);
    await copyFile(join(context.place.gitDir, 'index'), copy);
  } catch (error) {
    await rm(copy, { force: true }).catch(() => {});
    throw fileError(error, copy);
  }
  try {
    const environment = { GIT_INDEX_FILE: copy };
    await runWriter(context, ['update-index', '-z', '--index-info'], {
      what: 'leave other staged changes out',
      input: nulInput(takenBack(others)),
      environment,
    });
    return await work(environment);
  } finally {
    await Promise.all([copy, `${copy}.lock`].map((file) => rm(file, { force: true }).catch(() => {})));
  }
}

/** Removals first: a file that HEAD has may stand where the index has a folder. */
function takenBack(others: readonly StagedChange[]): readonly string[] {
  const line = ({ path, head }: StagedChange) => `${head.mode} ${head.oid}\t${path}`;
  const absent = ({ head }: StagedChange) => /^0+$/.test(head.mode);
  return [...others.filter(absent), ...others.filter((other) => !absent(other))].map(line);
}
