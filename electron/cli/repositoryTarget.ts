import { relative, sep } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import type { Session } from './session';

export interface RepositoryTarget {
  readonly commit: CommitHash;
  /** From the root of the repository. */
  readonly path: string;
}

/** `REV:PATH` as in git: paths start at the root of the repository, `./` and `../` at the current folder. @throws CheckpointError not-found, invalid-request */
export async function repositoryTarget(session: Session, target: string): Promise<RepositoryTarget> {
  const colon = target.indexOf(':');
  if (colon <= 0 || colon === target.length - 1) {
    throw new CheckpointError('invalid-request', `${target} names no version.`, {
      place: { file: target },
      hint: 'Name a version as REV:PATH, for example HEAD:model.pt.',
    });
  }
  const repository = await session.repository();
  const commit = await repository.git.resolve(target.slice(0, colon));
  return { commit, path: pathInRepository(session, repository.git.place.workTree, target.slice(colon + 1)) };
}

function pathInRepository(session: Session, workTree: string | null, path: string): string {
  if (!/^\.{1,2}\//.test(path)) return path;
  const inside = relative(workTree ?? session.folder, session.path(path));
  if (inside === '' || inside.startsWith('..')) throw new CheckpointError('invalid-request', `${path} is outside the repository.`);
  return inside.split(sep).join('/');
}
