import { isAbsolute, resolve } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { lastValue } from '../configKey';
import { decodeUtf8 } from '../decodeText';
import { commonDirOf, workTreeOf } from '../gitDirectory';
import type { RepositoryPlace } from '../gitRepository';
import { isShallow } from '../parentOverrides';
import { commandAt, type GitCommand, runGit } from './gitProcess';
import type { NativeGit } from './gitVersion';
import { readNativeConfig } from './nativeConfig';
import { NativeRepository } from './nativeRepository';

/**
 * Opens the repository around a folder. git itself finds it, so that its rules hold (safe.directory, ceilings, `.git`
 * files); afterwards every command names the place that was found. @throws not-found, permission, unsupported-repository
 */
export async function openNative(git: NativeGit, folder: string, signal?: AbortSignal): Promise<NativeRepository> {
  const finding: GitCommand = { executable: git.executable, folder, place: [] };
  const ask = async (...args: string[]) => {
    const { output } = await runGit(finding, ['rev-parse', ...args], { what: 'open the repository', signal });
    return decodeUtf8(output).replace(/\n$/, '');
  };
  // Asked for at the same time: it fails outside of a work tree.
  const topLevel = ask('--show-toplevel');
  topLevel.catch(() => {});
  const [bare, insideWorkTree, ...rest] = (await ask('--is-bare-repository', '--is-inside-work-tree', '--absolute-git-dir')).split('\n');
  // Names of folders may hold line breaks: the path is asked for last and is everything that is left.
  const gitDir = resolve(folder, rest.join('\n'));
  const commonDir = await commonDirOf(gitDir);
  const inside = commandAt(git.executable, { gitDir, workTree: null });
  const workTree =
    bare === 'true'
      ? null
      : insideWorkTree === 'true'
        ? resolve(folder, await topLevel)
        : await workTreeOf(gitDir, lastValue(await readNativeConfig(inside), 'core.worktree'));
  if (!isAbsolute(gitDir)) throw new CheckpointError('internal', 'git did not say where the repository is.');
  const place: RepositoryPlace = { workTree, gitDir, commonDir, bare: workTree === null, shallow: await isShallow(commonDir) };
  return new NativeRepository(place, commandAt(git.executable, place));
}
