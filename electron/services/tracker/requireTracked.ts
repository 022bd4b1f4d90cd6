import { CheckpointError } from '../../../shared/contract/errors';
import type { OpenedRepository } from '../repositories/openedRepository';

/** @throws invalid-request unless the attributes give a path to git-theta: git would store the whole file as a plain blob */
export async function requireTracked({ git }: Pick<OpenedRepository, 'git'>, path: string): Promise<void> {
  const filter = (await git.attributes([path], ['filter'])).get(path)?.filter;
  if (filter === 'theta') return;
  throw new CheckpointError('invalid-request', filter === 'lfs' ? `${path} is kept by Git LFS.` : `${path} is not tracked.`, {
    place: { file: path },
    hint:
      filter === 'lfs'
        ? `Convert it first: theta track --convert-lfs ${JSON.stringify(path)}`
        : `Track it first: theta track ${JSON.stringify(path)}; without that git stores every version whole.`,
  });
}
