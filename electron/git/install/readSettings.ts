import { configKey } from '../configKey';
import { decodeUtf8 } from '../decodeText';
import type { GitCommand } from '../native/gitProcess';
import { runWriter } from '../native/writer/runWriter';
import type { InstallScope, Setting } from './thetaSettings';

/** A setting and where it stands: `system`, `global`, `local`, `worktree`, `command`; empty for a git older than 2.26, which does not say. */
export interface PlacedSetting extends Setting {
  readonly scope: string;
}

/** Keys that installing writes, as a pattern of `git config --get-regexp`. */
const OUR_KEYS = '^((filter|diff|merge)\\.theta|theta\\.former\\.(filter|diff|merge)\\.theta)\\.|^theta\\.program$';

/** Those of the installation that the file of one scope holds itself, in their order; what it includes is not ours to change. */
export async function readScope(command: GitCommand, scope: InstallScope, signal?: AbortSignal): Promise<readonly Setting[]> {
  // 1: none, or no such file yet.
  const { output } = await runWriter({ command }, ['config', `--${scope}`, '--no-includes', '-z', '--get-regexp', OUR_KEYS], {
    what: 'read its configuration',
    answers: [0, 1],
    signal,
  });
  return items(output).map(settingOf);
}

/** The driver settings that are in force, from all scopes, the weakest first. */
export async function readAllScopes(command: GitCommand, signal?: AbortSignal): Promise<readonly PlacedSetting[]> {
  const pattern = '^(filter|diff|merge)\\.theta\\.';
  const ask = (...more: string[]) =>
    runWriter({ command }, ['config', '--includes', ...more, '-z', '--get-regexp', pattern], {
      what: 'read its configuration',
      // 129: wrong usage, for a git that does not know the option.
      answers: [0, 1, 129],
      signal,
    });
  const scoped = await ask('--show-scope');
  if (scoped.code === 129) return items((await ask()).output).map((item) => ({ ...settingOf(item), scope: '' }));
  const fields = items(scoped.output);
  const placed: PlacedSetting[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) placed.push({ ...settingOf(fields[i + 1] ?? ''), scope: fields[i] ?? '' });
  return placed;
}

function items(output: Buffer): readonly string[] {
  const parts = decodeUtf8(output).split('\0');
  return parts.slice(0, -1);
}

function settingOf(item: string): Setting {
  const newline = item.indexOf('\n');
  const key = newline === -1 ? item : item.slice(0, newline);
  // A key without a value is a switch that is on.
  return { key: configKey(key) ?? key, value: newline === -1 ? 'true' : item.slice(newline + 1) };
}
