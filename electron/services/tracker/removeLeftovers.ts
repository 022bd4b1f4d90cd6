import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RepositoryPlace } from '../../git/gitRepository';
import type { LfsStore } from '../../git/lfs/lfsStore';
import { stateFolder } from '../stateFolder';
import { keptValuesFolder } from './keptValues';
import { provenFolder } from './provenFile';

/** What killed processes left is removed after this long; a filter may wait for hours behind others. */
const STALE_MS = 24 * 60 * 60 * 1000;
/** Repositories that this process has looked at. */
const seen = new Set<string>();

/**
 * Removes what killed processes left in a repository's temporary folders a day ago or earlier; once in the life of this process. Failures are
 * not worth failing anything for.
 */
export async function removeLeftovers({
  git,
  lfs,
}: {
  readonly git: { readonly place: Pick<RepositoryPlace, 'commonDir' | 'gitDir'> };
  readonly lfs: Pick<LfsStore, 'folder'>;
}): Promise<void> {
  const { commonDir, gitDir } = git.place;
  if (seen.has(gitDir)) return;
  seen.add(gitDir);
  const state = stateFolder(git.place);
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  await sweep(join(state, 'spool'), /./);
  await sweep(keptValuesFolder(git.place), /\.partial$/);
  await sweep(provenFolder(git.place), /\.partial$/);
  await sweep(state, new RegExp(`^index-${uuid}(?:\\.lock)?$|\\.partial$`));
  await sweep(join(stateFolder({ commonDir: gitDir }), 'conflicts'), /\.partial$/);
  await sweep(join(commonDir, 'hooks'), new RegExp(`\\.${uuid}\\.partial$`));
  // git-lfs does the same when it runs, which it need not ever do here.
  await sweep(join(dirname(lfs.folder), 'tmp'), new RegExp(`^theta-${uuid}$`));
}

async function sweep(folder: string, names: RegExp): Promise<void> {
  const limit = Date.now() - STALE_MS;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.test(name)) continue;
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() === true && (keptSince(name) ?? found.mtimeMs) < limit) await unlink(file).catch(() => {});
  }
}

/** Name for what is kept until a change stands. It may be another name of a file from years ago, so its own time says nothing. */
export function keptName(id: string): string {
  return `${id}.${Date.now()}.before`;
}

function keptSince(name: string): number | null {
  const time = /\.(\d+)\.before$/.exec(name)?.[1];
  return time === undefined ? null : Number(time);
}
