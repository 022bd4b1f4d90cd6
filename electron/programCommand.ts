import { existsSync } from 'node:fs';
import { programCommand as commandOf } from './git/install/programCommand';
import type { FilterCommand } from './git/native/writer/openGitWriter';
import { programVersion, resourcePath } from './resources';
import type { InstalledProgram } from './services/tracker/ensureInstalled';

/**
 * The beginning of a command line that starts this program from a shell, wherever it is installed.
 * @throws CheckpointError invalid-request for an AppImage, which git could not start later
 */
export function programCommand(): string {
  return commandOf({ ...thisProgram(), appImage: process.env.APPIMAGE ?? null });
}

/** The same; `null` where git could not start the program later. */
export function lastingProgram(): InstalledProgram | null {
  return process.env.APPIMAGE === undefined ? { command: programCommand(), version: programVersion() } : null;
}

/** How git runs this program as its filter while it is running itself. */
export function filterCommand(): FilterCommand {
  const program = commandOf({ ...thisProgram(), appImage: null });
  const expanded = program.replaceAll('%', '%%');
  return { process: `${program} filter-process`, clean: `${expanded} clean -- %f`, smudge: `${expanded} smudge -- %f` };
}

function thisProgram() {
  // In a clone the script that builds what is missing; the packed program has only what was built.
  const inClone = resourcePath('electron/theta.mjs');
  return {
    platform: process.platform,
    executable: process.execPath,
    electron: process.versions.electron !== undefined,
    script: existsSync(inClone) ? inClone : resourcePath('dist/cli/theta.cjs'),
  };
}
