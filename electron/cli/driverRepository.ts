import type { OpenedRepository } from '../services/repositories/openedRepository';
import { openOne } from '../services/repositories/repositoryCache';
import type { Session } from './session';

/**
 * The repository for which git runs this program: the one that git names in `GIT_DIR`, else the one around the folder, which for a driver is the
 * root of the work tree. `null` outside of any (`git diff --no-index`).
 */
export async function driverRepository(session: Session, environment: NodeJS.ProcessEnv): Promise<OpenedRepository | null> {
  const { GIT_DIR: named } = environment;
  if (named !== undefined && named !== '') {
    const opened = await openOne(session.path(named), { signal: session.signal }).catch(() => null);
    if (opened !== null) return opened;
  }
  return session.repository().catch(() => null);
}
