import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { moveFile } from '../../bytes/moveFile';
import { systemCode } from '../../bytes/systemCode';
import type { RepositoryPlace } from '../../git/gitRepository';
import { partialName } from '../exporter/partialName';
import { keptName } from './removeLeftovers';
import { stagingFolder } from './stagingFolder';
import type { Undo } from './undo';

export interface Keeping {
  readonly place: Pick<RepositoryPlace, 'commonDir'>;
  readonly undo: Undo;
}

export interface KeptFile {
  /** To be called when the file has been replaced: what is there now may be taken away again, but not what anybody else puts there later. */
  replaced(): Promise<void>;
}

/**
 * Keeps what is at a place that is about to be replaced by a rename, or that nothing is there. `undo` puts it back, unless somebody else has
 * written there since.
 * @throws CheckpointError invalid-request when something else than a file is there, permission, no-space
 */
export async function keepFile(target: string, { place, undo }: Keeping): Promise<KeptFile> {
  const aside = await setAside(target, place).catch((error: unknown) => {
    throw fileError(error, target);
  });
  const giveUp = async () => {
    if (aside !== null) await unlink(aside).catch(() => {});
  };
  let ours: string | null = null;
  const putBack = async () => {
    if (ours === null || (await identity(target)) !== ours) await giveUp();
    else if (aside === null) await unlink(target);
    else await moveFile(aside, target);
  };
  undo.add(putBack, `${target} could not be put back.${aside === null ? '' : ` What it was is in ${aside}.`}`);
  undo.atEnd(giveUp);
  return {
    async replaced() {
      ours = await identity(target);
    },
  };
}

/** A second name for what is at the target; `null` when nothing is there. */
async function setAside(target: string, place: Keeping['place']): Promise<string | null> {
  const found = await lstat(target).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  if (!found.isFile()) throw new CheckpointError('invalid-request', `${target} is not a regular file.`, { place: { file: target } });
  const staging = await stagingFolder(place, target);
  const aside = join(staging, staging === dirname(target) ? partialName(basename(target)) : keptName(randomUUID()));
  try {
    await link(target, aside);
  } catch {
    // File systems without hard links.
    await copyFile(target, aside, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  return aside;
}

/** Changes whenever the file is replaced or written; a new name alone does not change it. */
async function identity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}
