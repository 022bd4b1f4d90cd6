import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { formatByExtension } from '../checkpoints/guessFormat';

/** More files than one commit takes, and more names than are worth a look: a folder with more is no folder of shards. */
const MOST = { files: 1000, names: 100_000 } as const;

export interface FolderFiles {
  readonly files: readonly string[];
  /** Said when not everything was looked at. */
  readonly left: CheckpointError | null;
}

/**
 * Files in a folder and in folders of it that may be checkpoints by their names: those of a folder first, each in the order of names. What
 * is hidden is left out, and links are not followed.
 * @throws CheckpointError where the folder itself cannot be read; cancelled
 */
export async function checkpointsIn(folder: string, signal?: AbortSignal): Promise<FolderFiles> {
  const files: string[] = [];
  const waiting = [folder];
  let names = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    signal?.throwIfAborted();
    for (const entry of await entriesOf(next, next === folder)) {
      if (++names > MOST.names || files.length > MOST.files) return { files: files.slice(0, MOST.files), left: tooMany(folder) };
      if (entry.name.startsWith('.')) continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && formatByExtension(entry.name) !== null) files.push(path);
    }
  }
  return files.length > MOST.files ? { files: files.slice(0, MOST.files), left: tooMany(folder) } : { files, left: null };
}

/** A folder further down that cannot be read is not there for us. */
async function entriesOf(folder: string, isFirst: boolean) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isFirst) throw fileError(error, folder);
    return [];
  });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function tooMany(folder: string): CheckpointError {
  return new CheckpointError('too-large', `${basename(folder)} holds more than can be looked at: only its first checkpoint files are shown.`, {
    place: { file: folder },
    hint: 'Choose a folder further down, or the files themselves.',
  });
}
