import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { openFileSource } from '../../bytes/fileSource';
import { pathExists } from '../../bytes/pathExists';
import { readZip } from '../../encodings/zip/readZip';
import { readZipEntry } from '../../encodings/zip/readZipEntry';

const SAMPLE = 'digits';
/** The sample's files are small; one that is not is a damaged archive. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * The sample repository in the user's data folder, unpacked when it is not there yet; returns its path. It appears complete or not at all.
 * @throws CheckpointError when the archive is damaged or the folder cannot be written
 */
export async function unpackSample(archive: string, dataFolder: string): Promise<string> {
  const target = join(dataFolder, 'sample', SAMPLE);
  if (await pathExists(join(target, '.git', 'HEAD'))) return target;
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    await unpackZip(archive, partial);
    // What a killed process may have left in the way has no HEAD, so nobody works in it.
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another window may have been first.
    if (await pathExists(join(target, '.git', 'HEAD'))) return target;
    throw fileError(error, target);
  }
  return target;
}

async function unpackZip(archive: string, folder: string): Promise<void> {
  const source = await openFileSource(archive);
  try {
    for (const entry of await readZip(source, { file: archive })) {
      const parts = entry.name.split('/').filter((part) => part !== '');
      if (parts.some((part) => part === '..' || /[\\:\0]/.test(part))) {
        throw new CheckpointError('malformed', 'The archive holds a name that leaves its folder.', { place: { file: archive, offset: entry.dataOffset } });
      }
      const path = join(folder, ...parts);
      if (entry.name.endsWith('/')) {
        await mkdir(path, { recursive: true });
        continue;
      }
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await readZipEntry(source, entry, { maxBytes: MAX_FILE_BYTES, file: archive }), { flag: 'wx' });
      // git's index knows files by their time: without it, every tracked file would look as if it might have changed.
      await utimes(path, entry.modified, entry.modified);
    }
  } finally {
    await source.close();
  }
}
