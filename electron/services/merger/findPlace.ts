import type { CommitHash } from '../../../shared/model/commit';
import type { MetadataPlace } from '../../theta/resolvedEntry';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { MergeSide } from './readSide';

export interface PlaceSearch {
  readonly side: Pick<MergeSide, 'blob' | 'metadata'>;
  readonly path: string;
  /** Commits that may hold the version. */
  readonly commits: readonly CommitHash[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Commit and path at which a version stands, so that the bases of its updates are found: under the path of the result, or, when the merge
 * renames the file, under another one. Where none has it (a virtual base, a version that is only in the index) the entries themselves name the
 * commits of their bases, and any commit will do.
 */
export async function findPlace(repository: Pick<OpenedRepository, 'git' | 'metadata'>, search: PlaceSearch): Promise<MetadataPlace | null> {
  const { side, path, commits, signal } = search;
  const [first] = commits;
  if (first === undefined || side.blob === null) return null;
  for (const commit of commits) {
    if ((await repository.metadata.blobAt(commit, path).catch(() => null)) === side.blob) return { commit, path, blob: side.blob };
  }
  const needsPath = [...side.metadata.entries.values()].some(({ updateType }) => updateType !== 'dense');
  for (const commit of needsPath ? commits : []) {
    const files = await repository.git.files(commit, signal).catch(() => []);
    const file = files.find(({ oid }) => oid === side.blob);
    if (file !== undefined) return { commit, path: file.path, blob: side.blob };
  }
  return { commit: first, path, blob: side.blob };
}
