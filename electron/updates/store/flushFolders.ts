import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../../bytes/systemCode';

/** What systems answer that cannot open or flush a folder: Windows, some network file systems. */
const NOT_POSSIBLE = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']);

/** Has the names in `folder`, and in the folders above it up to `top`, survive a loss of power. @throws what the system says */
export async function flushFolders(folder: string, top: string): Promise<void> {
  const folders = [folder];
  for (let at = folder; at !== top && dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  // Together, so that the file system writes its journal once.
  await Promise.all(folders.map(flush));
}

async function flush(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!NOT_POSSIBLE.has(systemCode(error) ?? '')) throw error;
  }
}
