import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryPlace } from '../gitRepository';
import type { GitCommand } from '../native/gitProcess';
import { readScope } from './readSettings';
import { type InstallScope, PROGRAM_KEY, type Setting } from './thetaSettings';

export interface InstallTarget {
  /** git, run in the repository; in any folder for the global configuration. */
  readonly git: GitCommand;
  /** `null`: not in a repository. */
  readonly place: RepositoryPlace | null;
  readonly scope: InstallScope;
  /** Beginning of the command line that starts this program (`programCommand`). */
  readonly program: string;
  readonly signal?: AbortSignal;
}

export interface TargetState {
  /** What the configuration file of the scope holds of an installation. */
  readonly present: readonly Setting[];
  readonly valuesOf: (key: string) => readonly string[];
  /** Command lines that this program was set up with before. */
  readonly recorded: readonly string[];
  /** All command lines that are this program. */
  readonly programs: readonly string[];
}

/** What is set up already where something is to be. @throws invalid-request where a repository is needed and there is none, permission */
export async function readTarget({ git, place, scope, program, signal }: InstallTarget): Promise<TargetState> {
  if (scope === 'local' && place === null) throw noRepository();
  const present = await readScope(git, scope, signal);
  const valuesOf = (key: string) => present.filter((setting) => setting.key === key).map(({ value }) => value);
  const recorded = valuesOf(PROGRAM_KEY);
  return { present, valuesOf, recorded, programs: [...new Set([...recorded, program])] };
}

function noRepository(): CheckpointError {
  return new CheckpointError('invalid-request', 'There is no repository here whose configuration could be changed.', {
    hint: 'Run this in a repository, or with --global for all repositories of yours.',
  });
}
