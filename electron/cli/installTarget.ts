import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { RepositoryPlace } from '../git/gitRepository';
import type { InstallTarget } from '../git/install/readTarget';
import type { InstallScope } from '../git/install/thetaSettings';
import { findNativeGit } from '../git/native/gitVersion';
import { programCommand } from '../programCommand';
import type { Session } from './session';

/** The configuration that the user means. @throws not-found without git or, for `local`, without a repository */
export async function installTarget(session: Session, scope: InstallScope): Promise<InstallTarget> {
  const native = await findNativeGit();
  if (native === null)
    throw new CheckpointError('not-found', 'There is no git on this machine, or it is older than version 2.24.', { hint: 'Install git first.' });
  const place = await session.repository().then(
    ({ git }): RepositoryPlace => git.place,
    (error: unknown) => {
      if (scope === 'global' && isCheckpointError(error, 'not-found')) return null;
      throw error;
    },
  );
  const git = { executable: native.executable, folder: place?.workTree ?? place?.gitDir ?? session.folder, place: [] };
  return { git, place, scope, program: programCommand(), signal: session.signal };
}

/** The configuration in words. */
export function scopeName(scope: InstallScope): string {
  return scope === 'local' ? 'the configuration of this repository' : 'your global configuration';
}
