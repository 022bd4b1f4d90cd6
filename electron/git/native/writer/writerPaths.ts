import { CheckpointError } from '../../../../shared/contract/errors';
import { decodeUtf8 } from '../../decodeText';
import { isRepositoryPath } from '../../repositoryPath';

/** Characters of arguments that a command line holds on every system. */
const BATCH = 20_000;

/** @throws invalid-request for what cannot be a path in a repository, or when there is none */
export function requirePaths(paths: readonly string[]): void {
  if (paths.length === 0) throw new CheckpointError('invalid-request', 'No file was named.');
  for (const path of paths) {
    if (!isRepositoryPath(path)) {
      throw new CheckpointError('invalid-request', `This is not the path of a file in the repository: ${path}`, {
        place: { file: path },
        hint: 'Give it from the top of the work tree, with "/" between folders.',
      });
    }
  }
}

/**
 * Paths as pathspecs that match nothing but themselves, in groups that fit on a command line. Magic in each one instead of
 * GIT_LITERAL_PATHSPECS, which hooks would inherit.
 */
export function literalPathspecs(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const pathspec = `:(top,literal)${path}`;
    if (pathspec.length > room || groups.length === 0) {
      groups.push([]);
      room = BATCH;
    }
    groups.at(-1)?.push(pathspec);
    room -= pathspec.length;
  }
  return groups;
}

/** Fields of output with NUL after each. */
export function nulFields(output: Buffer): readonly string[] {
  const fields = decodeUtf8(output).split('\0');
  return fields.at(-1) === '' ? fields.slice(0, -1) : fields;
}

/** Input with NUL after each item. */
export function nulInput(items: readonly string[]): string {
  return items.map((item) => `${item}\0`).join('');
}

/** A few paths in a sentence. */
export function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
