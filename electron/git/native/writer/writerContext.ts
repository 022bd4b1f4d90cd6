import type { RepositoryPlace } from '../../gitRepository';
import type { GitCommand } from '../gitProcess';

/** Commands of the theta filter, ready for git to hand to a shell: quoted, with `%f` for the path where they want it. */
export interface FilterCommand {
  readonly process: string;
  readonly clean: string;
  readonly smudge: string;
}

/** What running git to change something takes. */
export interface WriterTarget {
  readonly command: GitCommand;
  /** The repository, whose locks and disk then explain a failure; left out for configuration, which may be of no repository. */
  readonly place?: RepositoryPlace;
  /** `-c` arguments that name our filter, so that it runs without having been installed. */
  readonly filters?: readonly string[];
}

/** What every call that changes one repository has in common. */
export interface WriterContext extends Required<WriterTarget> {
  /** Where the command runs. */
  readonly workTree: string;
}

/** Settings of the filter for one git command; the command line outranks every configuration file. */
export function filterArguments(filter: FilterCommand): readonly string[] {
  const settings = { process: filter.process, clean: filter.clean, smudge: filter.smudge, required: 'true' };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `filter.theta.${key}=${value}`]);
}
