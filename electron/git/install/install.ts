import { CheckpointError } from '../../../shared/contract/errors';
import { type HooksReport, installHooks } from '../hooks/installHooks';
import { type ActiveProgram, activePrograms, describePrograms } from './activePrograms';
import { readAllScopes } from './readSettings';
import { type InstallTarget, readTarget } from './readTarget';
import { formerKey, type InstallScope, isGeneral, isOurs, PROGRAM_KEY, programOf, type Setting, thetaSettings } from './thetaSettings';
import { createSettingsWriter } from './writeSettings';

export interface SettingChange {
  readonly key: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface InstallReport {
  readonly scope: InstallScope;
  readonly program: string;
  /** Empty when everything was as it should be. */
  readonly changed: readonly SettingChange[];
  /** What git runs from now on, in this repository. */
  readonly active: readonly ActiveProgram[];
  /** `null` for the global configuration. */
  readonly hooks: HooksReport | null;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Sets this program up as git's filter, diff and merge driver `theta` in one configuration file, and with `local` its hooks too. Values of
 * other programs in the same file are replaced only with `force`, and kept under `theta.former.*`. Running it again changes nothing.
 * @throws conflict (another program is set up, or the configuration is locked), permission, no-space, invalid-request (no repository)
 */
export async function install(target: InstallTarget, options: { readonly force: boolean }): Promise<InstallReport> {
  const { git, place, scope, program, signal } = target;
  const { present, valuesOf, recorded, programs } = await readTarget(target);
  const wanted = thetaSettings(program);
  const foreign = present.filter((setting) => wanted.some(({ key }) => key === setting.key) && !isOurs(setting, programs));
  if (foreign.length > 0 && !options.force) throw occupied(foreign, { scope, programs });

  const writer = createSettingsWriter(git, scope, signal);
  // Written first: after a halt in between, what is ours already must be known as ours.
  if (!recorded.includes(program)) await writer.add(PROGRAM_KEY, program);
  // A general value is kept as well when it was not ours. Another program that came later shares “required” with us, and misses it without us.
  const isFormer = ({ key, value }: Setting) =>
    isGeneral(key) ? recorded.length === 0 || (foreign.length > 0 && key === 'filter.theta.required') : !isOurs({ key, value }, programs);
  const changed: SettingChange[] = [];
  for (const { key, value } of wanted) {
    const before = valuesOf(key);
    const former = before.filter((one) => isFormer({ key, value: one }));
    if (former.length > 0) await writer.set(formerKey(key), former);
    if (before.length === 1 && before[0] === value) continue;
    await writer.set(key, [value]);
    changed.push({ key, before, after: [value] });
  }
  if (recorded.some((one) => one !== program)) await writer.set(PROGRAM_KEY, [program]);

  const hooks = scope === 'local' && place !== null ? await installHooks({ git, place, program, ...(signal === undefined ? {} : { signal }) }) : null;
  const active = activePrograms(await readAllScopes(git, signal), programs);
  return { scope, program, changed, active, hooks, notes: [...describePrograms(active, programs), ...(hooks?.notes ?? [])] };
}

function occupied(foreign: readonly Setting[], { scope, programs }: { readonly scope: InstallScope; readonly programs: readonly string[] }): CheckpointError {
  const name = foreign.some((setting) => programOf(setting, programs) === 'git-theta') ? 'git-theta' : 'Another program';
  const place = scope === 'local' ? 'the configuration of this repository' : 'your global configuration';
  const other =
    scope === 'local'
      ? ''
      : ' To leave it there and have Theta Desktop run in single repositories, whose own configuration comes first: “theta install --local” in each.';
  return new CheckpointError('conflict', `${name} is set up as git's driver “theta” in ${place}; nothing was changed.`, {
    hint: `To replace it: --force; it is kept, and “theta uninstall --${scope}” puts it back.${other}`,
    detail: foreign.map(({ key, value }) => `${key} = ${value}`).join('\n'),
  });
}
