import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mocks, stubbed variables, replaced methods and clocks, and what else a test changes for the whole process. */
const PROCESS_WIDE = /\bvi\.(?!fn\b|waitFor\b|waitUntil\b)\w+\(|\bprocess\.(?:chdir|umask)\(|\bprocess\.(?:argv|env\b[.[\]'\w]*)\s*=[^=]/;

/**
 * The test files that need a process and modules of their own. All others share theirs, which spares reading the same modules for each of them.
 *
 * @param {string} root
 * @param {readonly string[]} folders in `root`
 * @returns {string[]} paths from `root`, in order
 */
export function isolatedTests(root, folders) {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    .filter((path) => /\.test\.tsx?$/.test(path) && PROCESS_WIDE.test(readFileSync(join(root, path), 'utf8')))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
