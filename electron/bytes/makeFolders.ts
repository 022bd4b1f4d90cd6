import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './systemCode';

/**
 * Makes a folder and those above it that are missing. (Node's own way says "no such file" of a file system that is read-only.)
 * @returns the topmost folder that was made, or `null` when all were there
 * @throws what the system says
 */
export async function makeFolders(path: string): Promise<string | null> {
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' && dirname(path) !== path) {
      const above = await makeFolders(dirname(path));
      const own = await makeFolders(path);
      return above ?? own;
    }
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() === true) return null;
    throw error;
  }
}
