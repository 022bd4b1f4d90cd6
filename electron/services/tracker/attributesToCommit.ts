import { join } from 'node:path';
import { type CommitHash, headCommit } from '../../../shared/model/commit';
import { pathExists } from '../../bytes/pathExists';
import { foldersOf, readAttributes } from '../../git/attributes/readAttributes';
import { decodeUtf8 } from '../../git/decodeText';
import type { OpenedRepository } from '../repositories/openedRepository';

/** Attributes files that may have to do with some paths, there or not. */
export function attributesFilesOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(foldersOf))].map((folder) => `${folder}.gitattributes`);
}

/**
 * Attributes files of the work tree without which some tracked paths would not be filtered in a clone: those of paths that the attributes of
 * HEAD do not track.
 */
export async function attributesToCommit({ git }: Pick<OpenedRepository, 'git'>, paths: readonly string[]): Promise<readonly string[]> {
  const head = headCommit(await git.head());
  const source = {
    commonDir: git.place.commonDir,
    config: (key: string) => git.config(key),
    attributesFile: async (path: string) => (head === null ? null : textAt(git, head, path)),
  };
  const committed = await readAttributes(source, paths);
  const missing = paths.filter((path) => committed.get(path)?.get('filter') !== 'theta');
  const files: string[] = [];
  for (const file of attributesFilesOf(missing)) if (await pathExists(join(git.place.workTree ?? '', file))) files.push(file);
  return files;
}

async function textAt(git: OpenedRepository['git'], commit: CommitHash, path: string): Promise<string | null> {
  const entry = await git.entry(commit, path);
  return entry?.kind === 'blob' ? decodeUtf8(await git.blob(entry.oid)) : null;
}
