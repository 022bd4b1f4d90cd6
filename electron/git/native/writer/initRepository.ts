import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import { pathExists } from '../../../bytes/pathExists';
import { findNativeGit } from '../gitVersion';
import { noGit } from './openGitWriter';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';

/**
 * Makes a repository without commits in a folder that has none, with the user's templates and first branch (`init.defaultBranch`), else
 * `main`. @throws exists, not-found, invalid-request, permission, no-space, unsupported-repository (no git)
 */
export async function initRepository(folder: string): Promise<void> {
  const workTree = resolve(folder);
  const found = await stat(workTree).catch((error: unknown) => {
    throw fileError(error, workTree);
  });
  if (!found.isDirectory()) throw new CheckpointError('invalid-request', `This is not a folder: ${workTree}`, { place: { file: workTree } });
  const gitDir = join(workTree, '.git');
  if (await pathExists(gitDir)) throw new CheckpointError('exists', `There is a repository already: ${workTree}`, { place: { file: workTree } });
  const native = await findNativeGit();
  if (native === null) throw noGit();
  const context: WriterContext = {
    command: { executable: native.executable, folder: workTree, place: [] },
    place: { workTree, gitDir, commonDir: gitDir, bare: false, shallow: false },
    workTree,
    filters: [],
  };
  const asked = await runWriter(context, ['config', '--get', 'init.defaultBranch'], { what: 'read its configuration', answers: [0, 1] });
  const named = asked.code === 0 && asked.output.toString('utf8').trim() !== '';
  await runWriter(context, [...(named ? [] : ['-c', 'init.defaultBranch=main']), 'init', '--quiet'], { what: 'make a repository' });
  // Before version 2.28 git knows no other first branch than "master".
  if (!named) await runWriter(context, ['symbolic-ref', 'HEAD', 'refs/heads/main'], { what: 'name the first branch' });
}
