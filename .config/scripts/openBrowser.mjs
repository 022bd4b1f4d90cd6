import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Programs that can show an address as an app, without tabs and address bar, best known first.
 *
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} absolute paths where such a program may be
 */
export function browserCandidates(platform, env) {
  if (platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
    const folders = ['/Applications', ...(env.HOME ? [`${env.HOME}/Applications`] : [])];
    return apps.flatMap((app) => folders.map((folder) => `${folder}/${app}.app/Contents/MacOS/${app}`));
  }
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((folder) => folder !== undefined && folder !== '');
    const programs = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
      'BraveSoftware\\Brave-Browser\\Application\\brave.exe',
    ];
    return programs.flatMap((program) => folders.map((folder) => `${folder}\\${program}`));
  }
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge', 'microsoft-edge-stable', 'brave-browser', 'brave'];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/**
 * How to show an address on this system: as an app where a browser can do that, else in whatever the user has chosen.
 *
 * @param {string} url
 * @param {{ readonly platform: NodeJS.Platform, readonly env: NodeJS.ProcessEnv, readonly exists: (path: string) => boolean }} system
 * @returns {{ readonly command: string, readonly args: readonly string[] }}
 */
export function browserCommand(url, { platform, env, exists }) {
  const browser = browserCandidates(platform, env).find(exists);
  if (browser !== undefined) return { command: browser, args: [`--app=${url}`] };
  if (platform === 'darwin') return { command: 'open', args: [url] };
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '', url] };
  return { command: 'xdg-open', args: [url] };
}

/** @param {string} url shown in the list of processes, so it should work only once */
export function openBrowser(url) {
  const { command, args } = browserCommand(url, { platform: process.platform, env: process.env, exists: isProgram });
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  // The address was printed; whoever has no browser here can use it elsewhere.
  child.on('error', () => {});
  child.unref();
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
