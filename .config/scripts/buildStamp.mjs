import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that no bundle can depend on. */
const IRRELEVANT = /(?:\.test\.tsx?|\.md|\.tsbuildinfo)$|(?:^|\/)(?:fixtures|testing|node_modules)\//;

/**
 * A hash of everything that goes into a bundle: the files of its source folders by path and content, and the files that say how.
 *
 * @param {string} root
 * @param {readonly string[]} folders relative to `root`
 * @param {readonly string[]} files relative to `root`; a missing one counts as empty
 * @returns {Promise<string>}
 */
export async function hashInputs(root, folders, files) {
  const hash = createHash('sha256');
  const paths = (await Promise.all(folders.map((folder) => listFiles(root, folder)))).flat();
  const relevant = [...new Set([...paths.filter((path) => !IRRELEVANT.test(path)), ...files])].sort();
  for (const path of relevant) {
    const content = await readFile(join(root, path)).catch(() => new Uint8Array(0));
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Promise<string[]>} paths relative to `root`, with `/`
 */
async function listFiles(root, folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(root, path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return lists.flat();
}
