import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import type { OpenedCheckpoint } from '../services/checkpoints/openedCheckpoint';
import { openFile } from '../services/checkpoints/openFile';
import { openVersion } from '../services/checkpoints/openVersion';
import type { Session } from './session';

/**
 * Opens what the user named: `REV:PATH` as in git (`HEAD:model.pt`, `v1^:a/b.pt`; `./` starts at the current folder), or a file on disk.
 * A file that exists wins, as its name was typed in full.
 */
export async function openTarget(session: Session, target: string): Promise<OpenedCheckpoint> {
  const file = session.path(target);
  const info = await stat(file).catch(() => null);
  if (info?.isFile()) {
    return openFile(
      { version: { commit: null, path: file }, storage: 'file', original: { path: file, bytes: info.size, expected: null }, name: target },
      session.signal,
    );
  }
  const colon = target.indexOf(':');
  if (colon <= 0 || colon === target.length - 1) {
    throw new CheckpointError('not-found', info === null ? `There is no file ${target}.` : `${target} is not a file.`, {
      place: { file: target },
      hint: 'Name a file on disk, or a version as REV:PATH, for example HEAD:model.pt.',
    });
  }
  const repository = await session.repository();
  const commit = await repository.git.resolve(target.slice(0, colon));
  const path = pathInRepository(session, repository.git.place.workTree, target.slice(colon + 1));
  return openVersion({ repository, commit, path, blobFiles: session.blobFiles, signal: session.signal });
}

/** Like git: paths start at the root of the repository, `./` and `../` at the current folder. */
function pathInRepository(session: Session, workTree: string | null, path: string): string {
  if (!/^\.{1,2}\//.test(path)) return path;
  const inside = relative(workTree ?? session.folder, session.path(path));
  if (inside === '' || inside.startsWith('..')) throw new CheckpointError('invalid-request', `${path} is outside the repository.`);
  return inside.split(sep).join('/');
}
