import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} WatchOptions
 * @property {readonly string[]} folders whose growth counts as progress
 * @property {number} stallMs without any progress for this long the process is ended
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [pollMs]
 * @property {(bytes: number) => void} [onBytes] bytes in the folders, at every look
 *
 * @typedef {{ readonly kind: 'done' } | { readonly kind: 'failed', readonly output: string } | { readonly kind: 'stalled' }} Outcome
 */

/**
 * Runs a program and ends it, with everything that it started, when neither its output nor the folders have grown for `stallMs`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {WatchOptions} options
 * @returns {Promise<Outcome>}
 */
export function runWatched(command, args, { folders, stallMs, env = process.env, pollMs = 500, onBytes = () => {} }) {
  return new Promise((resolve) => {
    // A group of its own, so that a child of the child does not live on.
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32', windowsHide: true });
    let output = '';
    let progressAt = performance.now();
    let bytes = -1;
    let stalled = false;

    /** @param {Buffer} chunk */
    const hear = (chunk) => {
      output = (output + chunk.toString()).slice(-10_000);
      progressAt = performance.now();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);

    const end = () => {
      try {
        if (child.pid === undefined) return;
        if (process.platform === 'win32') child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It ended by itself in the meantime.
      }
    };
    const look = async () => {
      const now = await sizeOf(folders);
      if (now !== bytes) {
        // The first look only learns where things stand.
        if (bytes >= 0) progressAt = performance.now();
        bytes = now;
        onBytes(now);
      }
      if (performance.now() - progressAt < stallMs) return;
      stalled = true;
      end();
    };
    const timer = setInterval(() => void look(), pollMs);
    process.once('exit', end);

    /** @param {Outcome} outcome */
    const settle = (outcome) => {
      clearInterval(timer);
      process.off('exit', end);
      resolve(outcome);
    };
    child.on('error', (error) => settle({ kind: 'failed', output: error.message }));
    child.on('close', (code) => settle(stalled ? { kind: 'stalled' } : code === 0 ? { kind: 'done' } : { kind: 'failed', output }));
  });
}

/**
 * Bytes of all files under the folders; what comes and goes meanwhile counts as nothing.
 *
 * @param {readonly string[]} folders
 * @returns {Promise<number>}
 */
async function sizeOf(folders) {
  const sizes = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const parts = await Promise.all(
        entries.map(async (entry) => {
          const path = join(folder, entry.name);
          if (entry.isDirectory()) return sizeOf([path]);
          return entry.isFile() ? (await stat(path).catch(() => ({ size: 0 }))).size : 0;
        }),
      );
      return parts.reduce((sum, size) => sum + size, 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
