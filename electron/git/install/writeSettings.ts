import { CheckpointError } from '../../../shared/contract/errors';
import type { GitCommand } from '../native/gitProcess';
import { runWriter } from '../native/writer/runWriter';
import type { InstallScope } from './thetaSettings';

/** Changes the configuration file of one scope; git replaces the file as a whole each time. @throws permission, no-space, conflict */
export interface SettingsWriter {
  /** Gives a key these values and no others; none: takes it away. */
  set(key: string, values: readonly string[]): Promise<void>;
  add(key: string, value: string): Promise<void>;
}

export function createSettingsWriter(command: GitCommand, scope: InstallScope, signal?: AbortSignal): SettingsWriter {
  const config = async (answers: readonly number[], ...args: string[]) => {
    try {
      await runWriter({ command }, ['config', `--${scope}`, ...args], { what: 'change its configuration', answers, signal });
    } catch (error) {
      throw configError(CheckpointError.from(error));
    }
  };
  const add = (key: string, value: string) => config([0], '--add', key, value);
  return {
    add,
    async set(key, values) {
      const [first, ...rest] = values;
      // 5: there was none.
      if (first === undefined) await config([0, 5], '--unset-all', key);
      else await config([0], '--replace-all', key, first);
      for (const value of rest) await add(key, value);
    },
  };
}

/** git names the file and the reason. */
function configError(error: CheckpointError): CheckpointError {
  const found =
    /could not (?:lock|write|rename) config file (.*): (.*)/.exec(error.detail ?? '') ??
    /(?:could not write|failed to write).* (\S+): (.*)/.exec(error.detail ?? '');
  if (found === null) return error;
  const [, file = '', reason = ''] = found;
  const options = { place: { file }, ...(error.detail === undefined ? {} : { detail: error.detail }) };
  if (/file exists/i.test(reason)) {
    return new CheckpointError('conflict', 'Another program is changing the configuration of git at this moment.', {
      ...options,
      hint: `Try again. When no other git runs, remove ${file}.lock, which one has left behind.`,
    });
  }
  if (/no space|quota/i.test(reason)) return new CheckpointError('no-space', 'The configuration of git cannot be written, because the disk is full.', options);
  if (/permission|read-only|not permitted/i.test(reason)) {
    return new CheckpointError('permission', 'You are not allowed to change this configuration of git.', {
      ...options,
      hint: 'Check who owns the file and its folder.',
    });
  }
  return new CheckpointError('internal', `The configuration of git cannot be written (${reason}).`, options);
}
