import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../../bytes/fileError';
import { isSameHook, readHook } from './hookFile';
import { FORMER_SUFFIXES, HOOKS, isOurHook } from './hookScript';
import { hooksFolder, ownHooksFolder } from './hooksFolder';
import type { HookTarget } from './installHooks';

export interface UnhookReport {
  /** Paths of hooks that were taken away. */
  readonly removed: readonly string[];
  /** Paths of hooks that stand again as they did before. */
  readonly restored: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Takes the hooks away and puts back what was there before; hooks that another program has written over ours stay. A second time nothing
 * changes. @throws permission
 */
export async function uninstallHooks({ git, place, signal }: HookTarget): Promise<UnhookReport> {
  const current = await hooksFolder(git, place, signal);
  // core.hooksPath may have been set only afterwards.
  const folders = new Set([ownHooksFolder(place), ...(current.kind === 'own' ? [current.path] : [])]);
  const removed: string[] = [];
  const restored: string[] = [];
  const notes: string[] = [];
  for (const folder of folders) {
    for (const { name } of HOOKS) {
      const path = join(folder, name);
      try {
        const state = await uninstallHook(path);
        if (state.restored) restored.push(path);
        else if (state.removed) removed.push(path);
        for (const left of state.left) notes.push(`A former hook is kept as ${left}; it does not run by itself.`);
      } catch (error) {
        throw fileError(error, path);
      }
    }
  }
  if (current.kind !== 'own') notes.push(`Lines that were added by hand to the hooks in ${current.path} are still there.`);
  return { removed, restored, notes };
}

async function uninstallHook(path: string): Promise<{ readonly removed: boolean; readonly restored: boolean; readonly left: readonly string[] }> {
  const present = await readHook(path);
  const formers = (await Promise.all(FORMER_SUFFIXES.map((suffix) => readHook(`${path}${suffix}`)))).filter(({ content }) => content !== null);
  const names = formers.map((former) => former.path);
  if (present.content === null || isOurHook(present.content)) {
    // Of several, the last one stood here when ours was written.
    const last = names.at(-1);
    if (last !== undefined) {
      await rename(last, path);
      return { removed: false, restored: true, left: names.slice(0, -1) };
    }
    if (present.content !== null) await unlink(path);
    return { removed: present.content !== null, restored: false, left: [] };
  }
  const same = formers.filter((former) => isSameHook(former, present));
  for (const copy of same) await unlink(copy.path);
  return { removed: false, restored: false, left: names.filter((name) => !same.some((copy) => copy.path === name)) };
}
