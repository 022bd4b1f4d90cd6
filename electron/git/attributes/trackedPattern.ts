import { CheckpointError } from '../../../shared/contract/errors';
import { MACRO_PREFIX } from './parseAttributes';
import { compileWildPattern } from './wildmatch';

/**
 * A pattern as an attributes file takes it.
 * @param pattern as in `.gitattributes` at the root of the repository: without a slash for files of that name in all folders
 * @param folder of the attributes file: '' for the root, else ending in `/`
 * @throws invalid-request for what can match no file there
 */
export function trackedPattern(pattern: string, folder: string): string {
  if (pattern === '' || pattern.includes('\0')) throw unusable(pattern, 'It is empty or holds a NUL.');
  if (pattern.endsWith('/')) {
    throw unusable(pattern, 'It ends in a slash: attributes are of files, not of folders.', `For all files below the folder: ${pattern}**`);
  }
  const inFolder = relativeTo(pattern, folder);
  // git refuses patterns that begin with “!”, and takes “[attr]” for the definition of a macro.
  const written = inFolder.startsWith('!') ? `\\${inFolder}` : inFolder.startsWith(MACRO_PREFIX) ? inFolder.replace('[attr]', '[atr]') : inFolder;
  if (compileWildPattern(written.replace(/^\//, '')) === null) {
    throw unusable(
      pattern,
      'It can match no file: a bracket is not closed, or a backslash stands at its end.',
      'To take a character as it is, put a backslash before it.',
    );
  }
  return written;
}

function relativeTo(pattern: string, folder: string): string {
  if (folder === '' || !pattern.includes('/')) return pattern;
  const fromRoot = pattern.replace(/^\//, '');
  if (!fromRoot.startsWith(folder)) throw unusable(pattern, `It is not below ${folder}, whose attributes file can say nothing of other folders.`);
  const rest = fromRoot.slice(folder.length);
  // Without a slash it would hold in all folders below.
  return rest.includes('/') ? rest : `/${rest}`;
}

function unusable(pattern: string, why: string, hint?: string): CheckpointError {
  return new CheckpointError('invalid-request', `“${pattern}” cannot be tracked. ${why}`, hint === undefined ? {} : { hint });
}

/** The pattern that matches this path of the repository and nothing else. */
export function patternForPath(path: string): string {
  const literal = path.replace(/[\\*?[]/g, '\\$&');
  return literal.includes('/') ? literal : `/${literal}`;
}

/** Whether two patterns of one file mean the same: with another slash in it, one at the beginning says nothing. */
export function isSamePattern(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function canonical(pattern: string): string {
  const rest = pattern.replace(/^\//, '');
  return rest.includes('/') ? rest : pattern;
}
