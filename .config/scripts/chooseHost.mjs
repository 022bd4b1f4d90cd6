/**
 * @typedef {object} Situation
 * @property {boolean} served whether the served host was asked for
 * @property {NodeJS.Platform} platform
 * @property {boolean} display whether there is a screen to open a window on
 * @property {boolean} root whether the user is root
 * @property {boolean} sandbox whether Chromium's sandbox works for this user
 *
 * @typedef {{ readonly kind: 'electron' } | { readonly kind: 'served', readonly reason: string }} HostChoice
 */

/**
 * Which host can run here. Electron without its sandbox is never an answer: the served host does the same in a browser.
 *
 * @param {Situation} situation
 * @returns {HostChoice}
 */
export function chooseHost({ served, platform, display, root, sandbox }) {
  if (served) return { kind: 'served', reason: 'As asked' };
  if (platform !== 'linux') return { kind: 'electron' };
  if (!display) return { kind: 'served', reason: 'There is no display here' };
  if (root) return { kind: 'served', reason: 'Electron does not run as root' };
  if (!sandbox) return { kind: 'served', reason: 'This system does not let Electron make its sandbox' };
  return { kind: 'electron' };
}

/**
 * Whether a browser can be opened for this user: not without a screen, and Chromium refuses to run as root.
 *
 * @param {Pick<Situation, 'platform' | 'display' | 'root'>} situation
 */
export function canOpenBrowser({ platform, display, root }) {
  return platform !== 'linux' || (display && !root);
}
