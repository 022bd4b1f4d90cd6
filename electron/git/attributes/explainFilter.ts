import { join } from 'node:path';
import { decodeUtf8 } from '../decodeText';
import type { GitRepository } from '../gitRepository';
import { readExplainedAttributes, readWorkTreeAttributes } from './readAttributes';

/** A line of an attributes file, as far as it is known. */
export interface AttributeLine {
  /** Path in the repository, such as `models/.gitattributes`, or an absolute one outside of the work tree. `null` when it was not found. */
  readonly file: string | null;
  /** From 1; `null` when it was not found. */
  readonly line: number | null;
}

/** The filter of a path, and the line that says so. */
export interface FilterDecision extends AttributeLine {
  /** `undefined`: none is given. */
  readonly filter: string | undefined;
}

/** The filter that is in force for each path, as git says, and the line that gives it. */
export async function explainFilter(git: GitRepository, paths: readonly string[]): Promise<ReadonlyMap<string, FilterDecision>> {
  const attributes = await git.attributes(paths, ['filter']);
  const given = paths.filter((path) => attributes.get(path)?.filter !== undefined);
  const lines = given.length === 0 ? new Map<string, FilterDecision>() : await readFilterLines(git, given);
  return new Map(
    paths.map((path) => {
      const filter = attributes.get(path)?.filter;
      const found = lines.get(path);
      // git also knows files that are only in the index, and places that a system's own git was built for.
      return [path, found?.filter === filter && found !== undefined ? found : { filter, file: null, line: null }];
    }),
  );
}

/**
 * The same from the attributes files alone.
 * @param changed what some attributes files of the work tree would hold, by their path in the repository
 */
export async function readFilterLines(
  git: GitRepository,
  paths: readonly string[],
  changed: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, FilterDecision>> {
  const { workTree, commonDir } = git.place;
  const head = await git.head();
  const attributesFile = async (path: string): Promise<string | null> => {
    const text = changed.get(path);
    if (text !== undefined) return text;
    if (workTree !== null) return readWorkTreeAttributes(workTree, path);
    const entry = head.kind === 'unborn' ? null : await git.entry(head.commit, path);
    return entry?.kind === 'blob' ? decodeUtf8(await git.blob(entry.oid)) : null;
  };
  const explained = await readExplainedAttributes({ commonDir, config: (key) => git.config(key), attributesFile }, paths);
  return new Map(
    paths.map((path) => {
      const found = explained.get(path)?.get('filter');
      return [path, found === undefined ? { filter: undefined, file: null, line: null } : { filter: found.value, file: found.file, line: found.line }];
    }),
  );
}

/** The attributes file that is for one clone alone and stronger than all others. */
export function ownAttributesFile({ place }: Pick<GitRepository, 'place'>): string {
  return join(place.commonDir, 'info', 'attributes');
}

/** The line in words; `null` when it is not known. */
export function nameLine({ file, line }: AttributeLine): string | null {
  return file === null ? null : line === null ? file : `line ${line} of ${file}`;
}
