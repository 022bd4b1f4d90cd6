import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { decodeUtf8 } from '../decodeText';
import type { RepositoryPlace } from '../gitRepository';
import type { GitCommand } from '../native/gitProcess';
import { runWriter } from '../native/writer/runWriter';

export interface HooksFolder {
  /** Absolute path; it may not exist yet. */
  readonly path: string;
  /**
   * Whether hooks there are this repository's alone. `shared`: core.hooksPath leads to a folder outside of it, which other repositories may use;
   * `versioned`: to one whose files are in the repository, so that all its clones would get what is written there.
   */
  readonly kind: 'own' | 'shared' | 'versioned';
}

/** Where git looks for hooks: core.hooksPath, otherwise the folder that all work trees share. */
export async function hooksFolder(git: GitCommand, place: RepositoryPlace, signal?: AbortSignal): Promise<HooksFolder> {
  const { output } = await runWriter({ command: git }, ['rev-parse', '--git-path', 'hooks'], { what: 'say where its hooks are', signal });
  const path = resolve(git.folder, decodeUtf8(output).replace(/\n$/, ''));
  if (path === ownHooksFolder(place)) return { path, kind: 'own' };
  const real = await realFolder(path);
  if (isInside(real, await realFolder(place.commonDir)) || isInside(real, await realFolder(place.gitDir))) return { path, kind: 'own' };
  if (place.workTree === null || !isInside(real, await realFolder(place.workTree))) return { path, kind: 'shared' };
  const inside = relative(await realFolder(place.workTree), real)
    .split(sep)
    .join('/');
  const { output: tracked } = await runWriter({ command: git }, ['--literal-pathspecs', 'ls-files', '-z', '--', inside === '' ? '.' : inside], {
    what: 'list its hooks',
    signal,
  });
  return { path, kind: tracked.length > 0 ? 'versioned' : 'own' };
}

export function ownHooksFolder(place: RepositoryPlace): string {
  return join(place.commonDir, 'hooks');
}

/** Its real name, as far as it exists. */
async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const parent = resolve(path, '..');
    return parent === path ? path : join(await realFolder(parent), relative(parent, path));
  });
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
