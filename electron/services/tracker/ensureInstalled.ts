import { ownHooksFolder } from '../../git/hooks/hooksFolder';
import { installHooks } from '../../git/hooks/installHooks';
import { checkProgram } from '../../git/install/checkProgram';
import { install } from '../../git/install/install';
import { findNativeGit } from '../../git/native/gitVersion';
import type { OpenedRepository } from '../repositories/openedRepository';

/** Settings that make git run a filter for tracked files. Without one of them git stores the whole files, and says nothing. */
const RUNNING = ['filter.theta.process', 'filter.theta.clean'];

/** This program as git is to start it. */
export interface InstalledProgram {
  /** Beginning of a command line for a shell. */
  readonly command: string;
  /** What it answers to `--version`. */
  readonly version: string;
}

/**
 * Sets the program up in a repository in which git knows no filter `theta` at all. Where something is set up, be it git-theta, it stays.
 * @returns what was done, in sentences
 * @throws what installing throws
 */
export async function ensureInstalled({ git }: OpenedRepository, program: InstalledProgram, signal?: AbortSignal): Promise<readonly string[]> {
  for (const key of RUNNING) if ((await git.config(key)) !== null) return ensureHooks({ git }, program.command, signal);
  const native = await findNativeGit();
  if (native === null) return [];
  const command = commandIn(native.executable, git.place);
  await checkProgram(command, program.command, { version: program.version, ...(signal === undefined ? {} : { signal }) });
  const { notes } = await install(
    { git: command, place: git.place, scope: 'local', program: program.command, ...(signal === undefined ? {} : { signal }) },
    { force: false },
  );
  return ['git in this repository now runs Theta Desktop for tracked files (theta install --local).', ...notes];
}

/**
 * Sets up the hooks of a repository whose filter is this program, which they may lack after "theta install --global": without them a push leaves
 * the objects behind. Hooks that are there run first.
 * @returns what the user has to do by hand, in sentences
 */
export async function ensureHooks({ git }: Pick<OpenedRepository, 'git'>, program: string, signal?: AbortSignal): Promise<readonly string[]> {
  // Written by every "theta install"; without it the filter is another program's, git-theta's perhaps.
  if ((await git.config('theta.program')) === null) return [];
  const native = await findNativeGit();
  if (native === null) return [];
  // Without the setting there is no need to ask where they are.
  const inPlace = (await git.config('core.hooksPath')) === null;
  const { notes } = await installHooks({
    git: commandIn(native.executable, git.place),
    place: git.place,
    program,
    ...(inPlace ? { folder: { path: ownHooksFolder(git.place), kind: 'own' } as const } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  return notes;
}

function commandIn(executable: string, { workTree, gitDir }: OpenedRepository['git']['place']) {
  return { executable, folder: workTree ?? gitDir, place: [] };
}
