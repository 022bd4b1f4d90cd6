import type { PlacedSetting } from './readSettings';
import { programOf } from './thetaSettings';

/** Which program git runs for checkpoints in one respect. */
export interface ActiveProgram {
  readonly task: 'filter' | 'diff' | 'merge';
  /** `none`: nothing is set up. */
  readonly program: 'theta' | 'git-theta' | 'other' | 'none';
  /** What is run, and where it is set; `null` for none. */
  readonly setting: PlacedSetting | null;
  /** What is set up as well and does not run, the strongest last. */
  readonly idle: readonly PlacedSetting[];
}

/** In the order of preference: git takes a filter process before clean and smudge, and an external diff before a textconv. */
const COMMANDS: readonly (readonly [ActiveProgram['task'], readonly string[]])[] = [
  ['filter', ['filter.theta.process', 'filter.theta.clean', 'filter.theta.smudge']],
  ['diff', ['diff.theta.command', 'diff.theta.textconv']],
  ['merge', ['merge.theta.driver']],
];

/**
 * What git runs for paths with `filter=theta diff=theta merge=theta`.
 * @param settings of all scopes, the weakest first: of a key the last one holds
 * @param programs beginnings of command lines that are this program
 */
export function activePrograms(settings: readonly PlacedSetting[], programs: readonly string[]): readonly ActiveProgram[] {
  return COMMANDS.map(([task, keys]) => {
    const key = keys.find((candidate) => settings.findLast((setting) => setting.key === candidate)?.value);
    const setting = settings.findLast((candidate) => candidate.key === key) ?? null;
    const program = setting === null ? 'none' : programOf(setting, programs);
    const idle = settings.filter((candidate) => keys.includes(candidate.key) && candidate !== setting && programOf(candidate, programs) !== program);
    return { task, program, setting, idle };
  });
}

const TASKS: Readonly<Record<ActiveProgram['task'], string>> = {
  filter: 'store and check out checkpoints',
  diff: 'show differences',
  merge: 'merge checkpoints',
};
const NAMES = { theta: 'Theta Desktop', 'git-theta': 'git-theta', other: 'another program' } as const;

/** What the user has to know when more than one program is set up, in sentences: which one runs, why, and how to choose. */
export function describePrograms(active: readonly ActiveProgram[], programs: readonly string[]): readonly string[] {
  const sentences: string[] = [];
  for (const { task, program, setting, idle } of active) {
    if (setting === null || program === 'none' || (program === 'theta' && idle.length === 0)) continue;
    sentences.push(`To ${TASKS[task]}, git runs ${NAMES[program]}: ${shown(setting)}.`);
    for (const other of idle) {
      const name = NAMES[programOf(other, programs)];
      sentences.push(`  Not used: ${name}, ${shown(other)}, ${reason(setting, other)}.`);
    }
  }
  if (sentences.length === 0) return [];
  if (active.some(({ program }) => program === 'git-theta' || program === 'other')) {
    sentences.push(
      'To have Theta Desktop run in a repository: “theta install --local --force” there. What it replaces is put back by “theta uninstall --local”.',
    );
  }
  if (active.some(({ program, idle }) => program === 'theta' && idle.length > 0)) {
    sentences.push('To have the other program run instead: “theta uninstall”, with --local or --global as Theta Desktop was installed.');
  }
  if (
    active.some(
      ({ program, idle, setting }) => program === 'git-theta' || [...idle, setting].some((one) => one !== null && programOf(one, programs) === 'git-theta'),
    )
  ) {
    sentences.push(
      'Both programs read what the other has stored. Every command of git-theta writes its own pre-push and post-commit hooks over those that are there: run “theta install --local” again afterwards.',
    );
  }
  return sentences;
}

function shown({ key, value, scope }: PlacedSetting): string {
  return `${key} = ${value}${scope === '' ? '' : ` (${scope})`}`;
}

function reason(winner: PlacedSetting, other: PlacedSetting): string {
  if (winner.key === other.key) return `because ${winner.scope === '' ? 'settings that are read later' : `${winner.scope} settings`} come first`;
  return winner.key.startsWith('filter.') ? `because git prefers ${winner.key} to clean and smudge` : `because git prefers ${winner.key}`;
}
