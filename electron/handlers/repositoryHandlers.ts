import type { Services } from '../services/createServices';
import { describeRepository } from '../services/repositories/describeRepository';
import type { Handlers } from './handlers';

type RepositoryMethods = 'repository/open' | 'repository/describe' | 'repository/close';

/** Repositories that the user opens and closes. */
export function repositoryHandlers(services: Services): Pick<Handlers, RepositoryMethods> {
  return {
    'repository/open': async ({ path }, { signal }) => describeRepository(await services.openRepository(path, signal)),
    'repository/describe': ({ repository }) => describeRepository(services.repository(repository)),
    'repository/close': async ({ repository }) => {
      services.closeRepository(repository);
      return null;
    },
  };
}
