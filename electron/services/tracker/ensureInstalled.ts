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
  for (const key of RUNNING) if ((await git.config(key)) !== null) return [];
  const native = await findNativeGit();
  if (native === null) return [];
  const command = { executable: native.executable, folder: git.place.workTree ?? git.place.gitDir, place: [] };
  await checkProgram(command, program.command, { version: program.version, ...(signal === undefined ? {} : { signal }) });
  const { notes } = await install(
    { git: command, place: git.place, scope: 'local', program: program.command, ...(signal === undefined ? {} : { signal }) },
    { force: false },
  );
  return ['git in this repository now runs Theta Desktop for tracked files (theta install --local).', ...notes];
}
