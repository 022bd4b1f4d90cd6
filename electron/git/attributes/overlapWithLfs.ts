import { decodeUtf8 } from '../decodeText';
import type { GitRepository } from '../gitRepository';
import { readExplainedAttributes, readWorkTreeAttributes } from './readAttributes';

/** The line that gives a file to Git LFS. */
export interface LfsOverlap {
  /** Path in the repository, such as `models/.gitattributes`, or an absolute one outside of the work tree. `null` when it was not found. */
  readonly file: string | null;
  /** From 1; `null` when it was not found. */
  readonly line: number | null;
}

/** Which of these paths Git LFS keeps (`filter=lfs` is in force), and the line that says so. The others are left out. */
export async function overlapWithLfs(git: GitRepository, paths: readonly string[]): Promise<ReadonlyMap<string, LfsOverlap>> {
  const { workTree, commonDir } = git.place;
  const attributes = await git.attributes(paths, ['filter']);
  const kept = paths.filter((path) => attributes.get(path)?.filter === 'lfs');
  if (kept.length === 0) return new Map();
  const head = await git.head();
  const attributesFile = async (path: string): Promise<string | null> => {
    if (workTree !== null) return readWorkTreeAttributes(workTree, path);
    const entry = head.kind === 'unborn' ? null : await git.entry(head.commit, path);
    return entry?.kind === 'blob' ? decodeUtf8(await git.blob(entry.oid)) : null;
  };
  const explained = await readExplainedAttributes({ commonDir, config: (key) => git.config(key), attributesFile }, kept);
  return new Map(
    kept.map((path) => {
      const found = explained.get(path)?.get('filter');
      // git also knows files that are only in the index, and places that a system's own git was built for.
      return [path, found?.value === 'lfs' ? { file: found.file, line: found.line } : { file: null, line: null }];
    }),
  );
}
