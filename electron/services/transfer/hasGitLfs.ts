import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Whether git-lfs is on the search path, where a hook would find it. It is looked for, not run. */
export async function hasGitLfs(searchPath: string = process.env.PATH ?? ''): Promise<boolean> {
  const name = process.platform === 'win32' ? 'git-lfs.exe' : 'git-lfs';
  for (const folder of searchPath.split(delimiter).filter((path) => isAbsolute(path))) {
    const found = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
