import { stat } from 'node:fs/promises';
import type { Side } from '../../../shared/model/side';
import { repositoryTarget } from '../repositoryTarget';
import type { Session } from '../session';

/** A file on disk, or a version as REV:PATH; a file that exists wins. @throws CheckpointError invalid-request, not-found */
export async function sideOf(session: Session, target: string): Promise<Side> {
  const file = session.path(target);
  const info = await stat(file).catch(() => null);
  if (info?.isFile() === true || !target.includes(':')) return { kind: 'file', path: file };
  const repository = await session.repository();
  return { kind: 'version', repository: repository.id, ...(await repositoryTarget(session, target)) };
}
