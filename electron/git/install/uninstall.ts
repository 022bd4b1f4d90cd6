import { type UnhookReport, uninstallHooks } from '../hooks/uninstallHooks';
import { type ActiveProgram, activePrograms, describePrograms } from './activePrograms';
import type { SettingChange } from './install';
import { readAllScopes } from './readSettings';
import { type InstallTarget, readTarget } from './readTarget';
import { formerKey, type InstallScope, isGeneral, isOurs, PROGRAM_KEY, type Setting, thetaSettings } from './thetaSettings';
import { createSettingsWriter } from './writeSettings';

export interface UninstallReport {
  readonly scope: InstallScope;
  /** What was taken away, or put back where something stood before. */
  readonly changed: readonly SettingChange[];
  /** Settings of others, which were left alone. */
  readonly kept: readonly Setting[];
  readonly active: readonly ActiveProgram[];
  readonly hooks: UnhookReport | null;
  readonly notes: readonly string[];
}

/**
 * Takes this program out of one configuration file, and with `local` its hooks out of the repository; what stood there before is put back.
 * Running it again changes nothing. @throws conflict (the configuration is locked), permission, no-space, invalid-request (no repository)
 */
export async function uninstall(target: InstallTarget): Promise<UninstallReport> {
  const { git, place, scope, program, signal } = target;
  const { present, valuesOf, recorded, programs } = await readTarget(target);
  const settings = thetaSettings(program);
  const isPresent = present.some((setting) => !isGeneral(setting.key) && isOurs(setting, programs));

  const writer = createSettingsWriter(git, scope, signal);
  const changed: SettingChange[] = [];
  const kept: Setting[] = [];
  for (const { key } of settings) {
    const before = valuesOf(key);
    const former = valuesOf(formerKey(key));
    const others = before.filter((value) => !isOurs({ key, value }, programs));
    // Without a setting of ours beside it, one that everybody writes alike is someone else's.
    const ours = others.length === 0 && (former.length > 0 || !isGeneral(key) || isPresent);
    if (others.length > 0) kept.push(...others.map((value) => ({ key, value })));
    if (ours && !(former.length === before.length && former.every((value, i) => value === before[i]))) {
      await writer.set(key, former);
      changed.push({ key, before, after: former });
    }
    if (former.length > 0) await writer.set(formerKey(key), []);
  }
  if (recorded.length > 0) await writer.set(PROGRAM_KEY, []);

  const hooks = scope === 'local' && place !== null ? await uninstallHooks({ git, place, ...(signal === undefined ? {} : { signal }) }) : null;
  const active = activePrograms(await readAllScopes(git, signal), programs);
  return { scope, changed, kept, active, hooks, notes: [...describePrograms(active, programs), ...(hooks?.notes ?? [])] };
}
