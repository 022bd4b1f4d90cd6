import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

export interface StaticFile {
  readonly path: string;
  readonly type: string;
  /** Its name holds a hash of its content, so it never changes. */
  readonly immutable: boolean;
}

/**
 * The file of the built window that a URL path names, or `null` where it names none: also for every path that would leave `root`,
 * by dots, backslashes, escapes, drive letters, NULs or symbolic links, and for folders, dot files and types that the window has not.
 */
export async function findStaticFile(root: string, urlPath: string): Promise<StaticFile | null> {
  const parts = staticPathParts(urlPath);
  if (parts === null) return null;
  const type = TYPES.get(extname(parts.at(-1) ?? '').toLowerCase());
  if (type === undefined) return null;
  try {
    const [realRoot, path] = await Promise.all([realpath(root), realpath(join(root, ...parts))]);
    if (!path.startsWith(realRoot + sep)) return null;
    if (!(await stat(path)).isFile()) return null;
    return { path, type, immutable: parts.length > 1 && parts[0] === 'assets' };
  } catch {
    return null;
  }
}

function staticPathParts(urlPath: string): readonly string[] | null {
  if (!urlPath.startsWith('/')) return null;
  if (urlPath === '/') return ['index.html'];
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  const parts = decoded.slice(1).split('/');
  // Decoded once only: a path that is still escaped after that names a file with a percent sign, and we have none.
  const safe = parts.every((part) => part !== '' && !part.startsWith('.') && !/[\\:%\0]/.test(part));
  return safe ? parts : null;
}

/** Where the build left room in `index.html` for the nonce of one response. */
const NONCE_PLACEHOLDER = 'THETA_CSP_NONCE';

/** The bytes to serve; the page gets the nonce under which libraries may add their style elements. */
export async function readStaticFile(file: StaticFile, nonce: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(file.path);
  if (!file.type.startsWith('text/html')) return Uint8Array.from(bytes);
  return new TextEncoder().encode(bytes.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce));
}
