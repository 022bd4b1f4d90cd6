import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that the bench makes lies here, in the system's temporary folder, and is used again by the next run. */
export const CACHE = join(tmpdir(), 'theta-desktop-bench');

/** A folder with this name in the cache, made by `make` when it is not there yet; a half made one is never used. */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if ((await stat(folder).catch(() => null)) !== null) return folder;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  console.error(`Making ${name} (once) ...`);
  await make(unfinished);
  await rename(unfinished, folder);
  return folder;
}
