import { stat } from 'node:fs/promises';
import { CheckpointError } from '../../shared/contract/errors';
import type { OpenedCheckpoint } from '../services/checkpoints/openedCheckpoint';
import { openFile } from '../services/checkpoints/openFile';
import { openVersion } from '../services/checkpoints/openVersion';
import { repositoryTarget } from './repositoryTarget';
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
  const version = await repositoryTarget(session, target);
  return openVersion({ repository: await session.repository(), ...version, blobFiles: session.blobFiles, signal: session.signal });
}
