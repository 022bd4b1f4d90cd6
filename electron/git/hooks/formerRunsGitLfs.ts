import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { callsGitLfs } from './callsGitLfs';
import { readHook } from './hookFile';
import { FORMER_SUFFIXES, isOurHook } from './hookScript';
import { hooksFolder } from './hooksFolder';
import type { HookTarget } from './installHooks';

/**
 * Whether our pre-push hook is in force and runs one before the program that gives what is pushed to git-lfs. Of a hook that others wrote, and
 * that calls the program, it is not known who gets its input.
 */
export async function formerRunsGitLfs({ git, place, signal }: HookTarget): Promise<boolean> {
  const path = join((await hooksFolder(git, place, signal)).path, 'pre-push');
  const { content } = await readHook(path);
  if (content === null || !isOurHook(content)) return false;
  for (const suffix of FORMER_SUFFIXES) {
    const former = await readHook(`${path}${suffix}`);
    if (former.content !== null && callsGitLfs(former.content) && (await canRun(former.path))) return true;
  }
  return false;
}

/** As our hook tests it. */
async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  );
}
