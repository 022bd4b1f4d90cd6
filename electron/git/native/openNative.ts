import { resolve } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { lastValue } from '../configKey';
import { decodeUtf8 } from '../decodeText';
import { commonDirOf, workTreeOf } from '../gitDirectory';
import type { RepositoryPlace } from '../gitRepository';
import { isShallow } from '../parentOverrides';
import { commandAt, type GitCommand, runGit } from './gitProcess';
import { readNativeConfig } from './nativeConfig';
import { NativeRepository } from './nativeRepository';

export interface OpenNativeOptions {
  readonly signal?: AbortSignal | undefined;
  /** See `OpenRepositoryOptions`. */
  readonly once?: boolean | undefined;
}

/**
 * Opens the repository around a folder. git itself finds it, so that its rules hold (safe.directory, ceilings, `.git`
 * files); afterwards every command names the place that was found. @throws not-found, permission, unsupported-repository
 */
export async function openNative(executable: string, folder: string, { signal, once }: OpenNativeOptions = {}): Promise<NativeRepository> {
  const finding: GitCommand = { executable, folder, place: [] };
  const { bare, insideWorkTree, gitDir, topLevel } = await askPlace(finding, signal);
  const commonDir = await commonDirOf(gitDir);
  const inside = commandAt(executable, { gitDir, workTree: null });
  const workTree = bare ? null : insideWorkTree ? topLevel : await workTreeOf(gitDir, lastValue(await readNativeConfig(inside), 'core.worktree'));
  const place: RepositoryPlace = { workTree, gitDir, commonDir, bare: workTree === null, shallow: await isShallow(commonDir) };
  return new NativeRepository(place, commandAt(executable, place), once);
}

interface FoundPlace {
  readonly bare: boolean;
  readonly insideWorkTree: boolean;
  /** Absolute, as the root of the work tree; that is empty outside of one. */
  readonly gitDir: string;
  readonly topLevel: string;
}

/** Outside of a work tree git prints what comes before its root, and fails. Names of folders may hold line breaks: then each path is asked for by itself. */
async function askPlace(finding: GitCommand, signal: AbortSignal | undefined): Promise<FoundPlace> {
  const run = async (answers: readonly number[], ...args: string[]) => {
    const { output } = await runGit(finding, ['rev-parse', ...args], { what: 'open the repository', answers, signal });
    return decodeUtf8(output).replace(/\n$/, '');
  };
  const facts = ['--is-bare-repository', '--is-inside-work-tree', '--absolute-git-dir'];
  let lines = (await run([0, 128], ...facts, '--show-toplevel')).split('\n');
  if (lines.length !== 4 || lines[1] !== 'true') {
    lines = (await run([0], ...facts)).split('\n');
    lines = [...lines.slice(0, 2), lines.slice(2).join('\n')];
    if (lines[1] === 'true') lines.push(await run([0], '--show-toplevel'));
  }
  const [bare, inside, gitDir = '', topLevel = ''] = lines;
  const places = { gitDir: resolve(finding.folder, gitDir), topLevel: resolve(finding.folder, topLevel) };
  if (gitDir === '') throw new CheckpointError('internal', 'git did not say where the repository is.');
  return { bare: bare === 'true', insideWorkTree: inside === 'true', ...places };
}
