import { join } from 'node:path';
import type { RepositoryPlace } from '../git/gitRepository';

/** Folder of what the program remembers about a repository, shared by its work trees. Everything in it may be deleted but unresolved conflicts. */
export function stateFolder({ commonDir }: Pick<RepositoryPlace, 'commonDir'>): string {
  return join(commonDir, 'theta-desktop');
}
