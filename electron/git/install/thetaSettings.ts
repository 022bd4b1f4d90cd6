/** Where a setting is written: the repository's own configuration or the user's. */
export type InstallScope = 'local' | 'global';

export interface Setting {
  /** In git's normal form. */
  readonly key: string;
  readonly value: string;
}

/** Commands that have been installed from here, so that they are known again when the program has moved. */
export const PROGRAM_KEY = 'theta.program';

/** Where a value is kept that had to make room. */
export function formerKey(key: string): string {
  return `theta.former.${key}`;
}

/**
 * What git needs to know (gitattributes(5)). `filter.theta.process` serves all files of a run in one process; clean and smudge are for programs that know
 * no processes.
 * @param program beginning of the command line, quoted for the shell
 */
export function thetaSettings(program: string): readonly Setting[] {
  // In these git expands what follows a percent sign, the file's name among them; two are one.
  const expanded = program.replaceAll('%', '%%');
  return [
    { key: 'filter.theta.process', value: `${program} filter-process` },
    { key: 'filter.theta.clean', value: `${expanded} clean -- %f` },
    { key: 'filter.theta.smudge', value: `${expanded} smudge -- %f` },
    { key: 'filter.theta.required', value: 'true' },
    { key: 'diff.theta.command', value: `${program} diff-driver --` },
    { key: 'diff.theta.textconv', value: `${program} textconv --` },
    { key: 'diff.theta.cachetextconv', value: 'false' },
    { key: 'merge.theta.name', value: 'merge of checkpoints, parameter group by parameter group (Theta Desktop)' },
    { key: 'merge.theta.driver', value: `${expanded} merge-driver -- %O %A %B %P %L` },
  ];
}

/** Settings that say the same whoever has written them. */
export function isGeneral(key: string): boolean {
  return ['filter.theta.required', 'diff.theta.cachetextconv'].includes(key);
}

/** Whether a value is one of ours, for any of the places that the program has been installed from. */
export function isOurs({ key, value }: Setting, programs: readonly string[]): boolean {
  return programs.some((program) => thetaSettings(program).some((setting) => setting.key === key && setting.value === value));
}

/** What a command belongs to. */
export function programOf(setting: Setting, programs: readonly string[]): 'theta' | 'git-theta' | 'other' {
  if (isOurs(setting, programs)) return 'theta';
  return /(?:^|[\s/\\"'])git-theta-(?:filter|merge|diff)\b/.test(setting.value) ? 'git-theta' : 'other';
}
