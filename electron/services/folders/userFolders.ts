import { homedir } from 'node:os';
import { join } from 'node:path';

export interface UserFolders {
  /** Recent repositories, the unpacked sample, window state. */
  readonly data: string;
  /** Safe to delete. */
  readonly cache: string;
}

const NAME = 'theta-desktop';

/** Where this user's files go on this system: the XDG base directories, ~/Library, or %APPDATA%. `THETA_DATA` puts everything elsewhere. */
export function userFolders(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform, home = homedir()): UserFolders {
  if (env.THETA_DATA) return { data: env.THETA_DATA, cache: join(env.THETA_DATA, 'cache') };
  if (platform === 'darwin') return { data: join(home, 'Library', 'Application Support', NAME), cache: join(home, 'Library', 'Caches', NAME) };
  if (platform === 'win32') {
    return {
      data: join(env.APPDATA || join(home, 'AppData', 'Roaming'), NAME),
      cache: join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), NAME, 'cache'),
    };
  }
  return { data: join(env.XDG_DATA_HOME || join(home, '.local', 'share'), NAME), cache: join(env.XDG_CACHE_HOME || join(home, '.cache'), NAME) };
}
