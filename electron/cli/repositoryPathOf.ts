import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import type { Session } from './session';

/**
 * Path in the repository of a file that the user named from where the command works.
 * @throws CheckpointError invalid-request when it lies outside, unsupported-repository in a bare one
 */
export async function repositoryPathOf(session: Session, file: string): Promise<string> {
  const { git } = await session.repository();
  const root = git.place.workTree;
  if (root === null) throw new CheckpointError('unsupported-repository', 'A bare repository has no files that could be tracked.');
  const absolute = session.path(file);
  // The file itself may be a symbolic link, or not be there; what leads to it is what counts.
  const folder = await realpath(dirname(absolute)).catch(() => dirname(absolute));
  const path = relative(await realpath(root), join(folder, basename(absolute)));
  if (path === '' || path.startsWith('..')) throw new CheckpointError('invalid-request', `${file} is not in the work tree ${root}.`, { place: { file } });
  return path.split(sep).join('/');
}
