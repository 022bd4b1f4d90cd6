import { CheckpointError } from '../../shared/contract/errors';
import { repositoryPathOf } from './repositoryPathOf';
import type { Session } from './session';

/**
 * Paths in the repository that a file's name may mean, the likelier first: as git takes it, from where the command works, and from the root of
 * the repository, as `REV:PATH` is taken. The file need not be in the work tree any more.
 */
export async function namedPaths(session: Session, name: string): Promise<readonly string[]> {
  try {
    const here = await repositoryPathOf(session, name);
    return here === name ? [name] : [here, name];
  } catch (error) {
    const { code } = CheckpointError.from(error);
    if (code === 'invalid-request' || code === 'unsupported-repository') return [name];
    throw error;
  }
}
