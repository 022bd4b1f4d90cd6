import { resolve } from 'node:path';
import { CheckpointError } from '../../../../shared/contract/errors';
import { decodeUtf8 } from '../../decodeText';
import type { GitRepository } from '../../gitRepository';
import type { GitWriter } from '../../gitWriter';
import { commandAt, type GitCommand } from '../gitProcess';
import { findNativeGit } from '../gitVersion';
import { NativeWriter } from './nativeWriter';
import { runWriter } from './runWriter';
import { type FilterCommand, filterArguments } from './writerContext';

export type { FilterCommand } from './writerContext';

export interface GitWriterOptions {
  /** Our own filter, so that it runs whether or not it has been installed. */
  readonly filterCommand: FilterCommand;
}

/**
 * A writer for an opened repository. Needs the git of this machine, also when the repository is read without it.
 * @throws unsupported-repository when it is bare or there is no git 2.24 or newer, permission when git does not trust the folder
 */
export async function openGitWriter(git: GitRepository, options: GitWriterOptions): Promise<GitWriter> {
  const { place } = git;
  const { workTree } = place;
  if (workTree === null) {
    throw new CheckpointError('unsupported-repository', 'This repository is bare: it has no files that could be changed and committed.', {
      place: { file: place.gitDir },
      hint: 'Clone it, and open the clone.',
    });
  }
  const native = await findNativeGit();
  if (native === null) throw noGit();
  const found: GitCommand = { executable: native.executable, folder: workTree, place: [] };
  const context = { command: found, place, workTree, filters: filterArguments(options.filterCommand) };
  const asked = await runWriter(context, ['rev-parse', '--absolute-git-dir'], { what: 'open the repository', answers: [0, 128] });
  // Where git finds the repository from its work tree by itself, hooks get the environment that they always get.
  const finds = asked.code === 0 && resolve(decodeUtf8(asked.output).replace(/\n$/, '')) === resolve(place.gitDir);
  const command = finds ? found : commandAt(native.executable, place);
  if (!finds) await runWriter({ ...context, command }, ['rev-parse', '--git-dir'], { what: 'open the repository' });
  return new NativeWriter({ ...context, command });
}

export function noGit(): CheckpointError {
  return new CheckpointError('unsupported-repository', 'There is no git on this machine, or it is older than version 2.24.', {
    hint: 'Install git: changes are made with it, so that hooks and settings hold.',
  });
}
