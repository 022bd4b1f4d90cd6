import { chmod, link, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import { systemCode } from '../../bytes/systemCode';
import { writeWhole } from '../../bytes/writeWhole';
import type { RepositoryPlace } from '../gitRepository';
import type { GitCommand } from '../native/gitProcess';
import { type HookFile, isSameHook, readHook } from './hookFile';
import { FORMER_SUFFIXES, HOOKS, type Hook, hookScript, isOurHook } from './hookScript';
import { type HooksFolder, hooksFolder } from './hooksFolder';

export interface HookTarget {
  readonly git: GitCommand;
  readonly place: RepositoryPlace;
  readonly signal?: AbortSignal;
}

export interface HooksReport extends HooksFolder {
  readonly hooks: readonly {
    readonly name: string;
    /** `by-hand`: nothing was written. */
    readonly state: 'written' | 'unchanged' | 'by-hand';
    /** Names of the hooks that were there before and run first. */
    readonly former: readonly string[];
  }[];
  readonly notes: readonly string[];
}

export interface InstallOptions {
  readonly program: string;
  /** Where git looks for hooks, when that is known already. */
  readonly folder?: HooksFolder;
}

/**
 * Writes the hooks. One that is there and not ours is kept as `<name>.before-theta` and runs first; at no moment is a hook lost, also when
 * the program is stopped. A second time nothing changes. In a folder that is not this repository's alone nothing is written.
 * @throws permission, no-space
 */
export async function installHooks({ git, place, program, signal, ...known }: HookTarget & InstallOptions): Promise<HooksReport> {
  const folder = known.folder ?? (await hooksFolder(git, place, signal));
  if (folder.kind !== 'own') {
    return { ...folder, hooks: HOOKS.map(({ name }) => ({ name, state: 'by-hand', former: [] })), notes: byHand(folder, program) };
  }
  try {
    await makeFolders(folder.path);
    const hooks: HooksReport['hooks'][number][] = [];
    for (const hook of HOOKS) hooks.push(await installHook(folder.path, hook, program));
    return { ...folder, hooks, notes: [] };
  } catch (error) {
    throw fileError(error, folder.path);
  }
}

async function installHook(folder: string, hook: Hook, program: string): Promise<HooksReport['hooks'][number]> {
  const present = await readHook(join(folder, hook.name));
  const script = hookScript(hook, program);
  const text = Buffer.from(script).toString('latin1');
  if (present.content !== null && !isOurHook(present.content)) await keep(present);
  if (present.content !== text) await writeWhole(present.path, (write) => write(Buffer.from(script)), { mode: 0o777 });
  // Somebody may have switched it off.
  else await chmod(present.path, 0o755);
  return { name: hook.name, state: present.content === text ? 'unchanged' : 'written', former: await formerNames(present.path, hook.name) };
}

/** Gives a hook that is not ours a second name, under which it stays. */
async function keep(hook: HookFile): Promise<void> {
  for (const suffix of FORMER_SUFFIXES) {
    const former = await readHook(`${hook.path}${suffix}`);
    // The same hook again: a tool that writes its hooks on every run has put it back.
    if (isSameHook(former, hook)) return;
    if (former.content !== null) continue;
    await giveName(hook, former.path);
    return;
  }
  throw new CheckpointError('conflict', `Too many former hooks stand beside ${hook.path}.`, {
    place: { file: hook.path },
    hint: 'Look through the files whose names contain “.before-theta” and remove those that are not needed.',
  });
}

async function giveName(hook: HookFile, path: string): Promise<void> {
  if (!hook.isLink) {
    try {
      // A second name, so that the hook stays in force until ours replaces it.
      await link(hook.path, path);
      return;
    } catch (error) {
      // File systems without hard links.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK', 'EACCES'].includes(systemCode(error) ?? '')) throw error;
    }
  }
  await rename(hook.path, path);
}

async function formerNames(path: string, name: string): Promise<readonly string[]> {
  const formers = await Promise.all(
    FORMER_SUFFIXES.map(async (suffix) => ({ name: `${name}${suffix}`, content: (await readHook(`${path}${suffix}`)).content })),
  );
  return formers.filter(({ content }) => content !== null).map((former) => former.name);
}

function byHand({ path, kind }: HooksFolder, program: string): readonly string[] {
  const why =
    kind === 'shared'
      ? `The setting core.hooksPath has git take its hooks from ${path}, which is outside this repository, and which other repositories may use`
      : `The setting core.hooksPath has git take its hooks from ${path}, whose files belong to the repository and go to all its clones`;
  return [
    `${why}; nothing was written there.`,
    'So that checkpoints are uploaded with a push, add these lines to the hooks of these names there, each in its own file:',
    ...HOOKS.map(({ name, input }) => `  ${name}: ${program} hook ${name} "$@"${input ? '    (reads standard input: give it what the hook was given)' : ''}`),
  ];
}
