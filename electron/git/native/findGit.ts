import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where package managers put git when the search path of a desktop session does not say so. */
const USUAL_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  darwin: [
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/opt/local/bin',
    '/Library/Developer/CommandLineTools/usr/bin',
    '/Applications/Xcode.app/Contents/Developer/usr/bin',
  ],
  win32: ['C:\\Program Files\\Git\\cmd', 'C:\\Program Files (x86)\\Git\\cmd'],
};

/**
 * Absolute path of the git executable, or `null`. Looked up here because the system's own search may take a `git.exe`
 * from the current folder, which is a repository that we do not trust; relative entries of the search path are skipped.
 */
export async function findGit(searchPath: string = process.env.PATH ?? '', platform: NodeJS.Platform = process.platform): Promise<string | null> {
  const name = platform === 'win32' ? 'git.exe' : 'git';
  const folders = searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    // On macOS this one is a stand-in that opens an installer dialog when the developer tools are missing.
    .filter((folder) => platform !== 'darwin' || folder.replace(/\/+$/, '') !== '/usr/bin');
  for (const folder of [...folders, ...(USUAL_FOLDERS[platform] ?? [])]) {
    const candidate = join(folder, name);
    if (await canRun(candidate)) return candidate;
  }
  return null;
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
