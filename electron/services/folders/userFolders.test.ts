import { describe, expect, it } from 'vitest';
import { userFolders } from './userFolders';

describe('userFolders', () => {
  it.each([
    ['linux', {}, '/h/.local/share/theta-desktop', '/h/.cache/theta-desktop'],
    ['linux', { XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/c' }, '/d/theta-desktop', '/c/theta-desktop'],
    ['darwin', {}, '/h/Library/Application Support/theta-desktop', '/h/Library/Caches/theta-desktop'],
    ['linux', { THETA_DATA: '/own' }, '/own', '/own/cache'],
  ] as const)('on %s with %j', (platform, env, data, cache) => {
    expect(userFolders(env, platform, '/h')).toEqual({ data, cache });
  });

  it('uses the roaming and local folders on Windows', () => {
    const folders = userFolders({ APPDATA: 'R', LOCALAPPDATA: 'L' }, 'win32', 'H');
    expect(folders.data.startsWith('R')).toBe(true);
    expect(folders.cache.startsWith('L')).toBe(true);
  });
});
