import { lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { isTrue, lastValue } from '../configKey';
import { commonDirOf, isFolder, readLineFile, workTreeOf } from '../gitDirectory';
import type { RepositoryPlace } from '../gitRepository';
import { isShallow } from '../parentOverrides';
import { parseConfig } from './parseConfig';

/**
 * Finds the repository around a folder as git does (git(1), gitrepository-layout(5)): upwards, at each step first a `.git`
 * folder or a `.git` file that names one, then the folder itself. @throws not-found
 */
export async function locateRepository(folder: string): Promise<RepositoryPlace> {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const found = (await dotGit(place)) ?? ((await isGitDir(place)) ? place : null);
    if (found !== null) return describePlace(found, found === place ? null : place);
    if (dirname(place) === place) break;
  }
  throw new CheckpointError('not-found', 'This folder is not in a git repository.', {
    place: { file: folder },
    hint: 'Choose a folder that holds a ".git" folder, or one inside it. "git init" makes a new repository.',
  });
}

async function dotGit(folder: string): Promise<string | null> {
  const path = join(folder, '.git');
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory() || found.isSymbolicLink()) return (await isGitDir(path)) ? path : null;
  const target = found.isFile() && found.size < 65536 ? /^gitdir: (.+)$/s.exec((await readLineFile(path)) ?? '')?.[1] : undefined;
  if (target === undefined) return null;
  const gitDir = resolve(folder, target);
  if (await isGitDir(gitDir)) return gitDir;
  throw new CheckpointError('not-found', `The file .git in ${folder} names a git directory that is not there: ${gitDir}`, {
    place: { file: path },
    hint: 'If the repository was moved, run "git worktree repair" in it.',
  });
}

/** A HEAD, and the folders of objects and refs, which linked work trees share. */
async function isGitDir(path: string): Promise<boolean> {
  const head = await lstat(join(path, 'HEAD')).catch(() => null);
  if (head === null || head.isDirectory()) return false;
  const common = await commonDirOf(path);
  return (await isFolder(join(common, 'objects'))) && (await isFolder(join(common, 'refs')));
}

async function describePlace(gitDir: string, workTree: string | null): Promise<RepositoryPlace> {
  const commonDir = await commonDirOf(gitDir);
  const settings = parseConfig((await readLineFile(join(commonDir, 'config'))) ?? '');
  const linked = commonDir !== gitDir;
  const bare = lastValue(settings, 'core.bare');
  const isBare = !linked && (bare === null ? workTree === null && basename(gitDir) !== '.git' : isTrue(bare));
  const configured = linked ? null : lastValue(settings, 'core.worktree');
  const tree = isBare ? null : configured !== null || workTree === null ? await workTreeOf(gitDir, configured) : workTree;
  return { workTree: tree, gitDir, commonDir, bare: tree === null, shallow: await isShallow(commonDir) };
}
