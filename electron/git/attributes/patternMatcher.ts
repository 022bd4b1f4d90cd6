import { trackedPattern } from './trackedPattern';
import { compileWildPattern } from './wildmatch';

/**
 * Whether a line with this pattern, in the attributes file of a folder, is for a path of the repository.
 * @param pattern as `trackedPattern` takes it
 * @throws invalid-request as `trackedPattern`
 */
export function patternMatcher(pattern: string, folder: string): (path: string) => boolean {
  const tracked = trackedPattern(pattern, folder);
  const glob = compileWildPattern(tracked.replace(/^\//, ''));
  const baseName = !tracked.includes('/');
  return (path) => path.startsWith(folder) && glob?.matches(baseName ? path.slice(path.lastIndexOf('/') + 1) : path.slice(folder.length)) === true;
}

/**
 * The pattern for the attributes file of a folder further down, so that it matches the same files there; `null` when one pattern cannot say that.
 * @param pattern of a line in the attributes file of `folder`, with a slash given from the root, as is the result
 */
export function patternBelow(pattern: string, folder: string, below: string): string | null {
  if (!pattern.includes('/')) return pattern;
  const fromRoot = pattern.replace(/^\//, '');
  if (fromRoot.startsWith(below)) return fromRoot;
  const rest = fromRoot.slice(folder.length);
  return fromRoot.startsWith(folder) && rest.startsWith('**/') ? `${below}${rest}` : null;
}
