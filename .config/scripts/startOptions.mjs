import { resolve } from 'node:path';

export const USAGE = `npm start -- [DIR] [--served] [--port N] [--no-open]

Builds what is missing and opens the app, with the repository at DIR when it is given.

  --served   in the browser, not in Electron (also: THETA_HOST=served)
  --port N   port of the served host; 0 takes any free one
  --no-open  only print the address of the served host`;

/**
 * @typedef {object} StartOptions
 * @property {string | null} folder absolute
 * @property {boolean} served
 * @property {number | null} port
 * @property {boolean} open
 * @property {boolean} help
 */

/**
 * @param {readonly string[]} args
 * @param {{ readonly env: NodeJS.ProcessEnv, readonly folder: string }} from where the user called
 * @returns {StartOptions}
 * @throws {Error} for what is no option
 */
export function readStartOptions(args, { env, folder }) {
  /** @type {StartOptions} */
  const options = { folder: null, served: env.THETA_HOST === 'served', port: null, open: true, help: false };
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [name, inline] = argument.startsWith('--') ? argument.split('=', 2) : [argument, undefined];
    if (name === '--served') options.served = true;
    else if (name === '--no-open') options.open = false;
    else if (name === '--help' || name === '-h') options.help = true;
    else if (name === '--port') options.port = readPort(inline ?? rest.shift());
    else if (argument.startsWith('-')) throw new Error(`There is no option ${argument}.`);
    else if (options.folder !== null) throw new Error('One folder can be opened at a time.');
    else options.folder = resolve(folder, argument);
  }
  // A port is the served host's.
  if (options.port !== null) options.served = true;
  return options;
}

/** @param {string | undefined} text */
function readPort(text) {
  const port = Number(text);
  if (text === undefined || text === '' || !Number.isInteger(port) || port < 0 || port > 65535) throw new Error('--port needs a number from 0 to 65535.');
  return port;
}
