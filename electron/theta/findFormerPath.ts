import { type CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import type { GitRepository } from '../git/gitRepository';
import { looksLikeMetadata } from './looksLikeMetadata';
import type { ThetaEntry } from './metadata';
import type { MetadataStore } from './metadataStore';

/** Enough of a file to tell whether it is a metadata file. */
const START_BYTES = 64 * 1024;

/** Where a file was found under a former name. */
export interface FormerPath {
  readonly commit: CommitHash;
  readonly path: string;
}

export interface FormerPathSearch {
  readonly repository: GitRepository;
  readonly metadata: MetadataStore;
  /** Where the file is known under its present name. */
  readonly commit: CommitHash;
  readonly path: string;
  /** An entry of the file: a rename keeps it, so it tells the file under its former name. */
  readonly entry: ThetaEntry;
  readonly signal?: AbortSignal;
}

/**
 * The name of a file before it was renamed: walks back along first parents to the commit before the path appeared, and looks there
 * for the metadata file that holds the very same entry. `null` when there is none.
 */
export async function findFormerPath(search: FormerPathSearch): Promise<FormerPath | null> {
  const before = await commitBeforePath(search);
  if (before === null) return null;
  const { repository, metadata, entry } = search;
  for (const file of await repository.files(before, search.signal)) {
    if (file.kind !== 'blob' || file.path === search.path) continue;
    if (!looksLikeMetadata(await repository.blobStart(file.oid, START_BYTES), false)) continue;
    const candidate = await metadata.parsed(file.oid, file.path).catch((error: CheckpointError) => {
      if (isCheckpointError(error, 'malformed')) return null;
      throw error;
    });
    const twin = candidate?.entries.get(entry.name);
    if (twin?.oid === entry.oid && twin.lastCommit === entry.lastCommit) return { commit: before, path: file.path };
  }
  return null;
}

async function commitBeforePath({ repository, metadata, commit, path, signal }: FormerPathSearch): Promise<CommitHash | null> {
  let here = commit;
  // Grafts and replaced commits can make ancestors of descendants.
  const seen = new Set<CommitHash>();
  while (!seen.has(here)) {
    seen.add(here);
    signal?.throwIfAborted();
    const parent: CommitHash | undefined = (await repository.commit(here)).parents[0];
    if (parent === undefined) return null;
    if ((await metadata.blobAt(parent, path)) === null) return parent;
    here = parent;
  }
  return null;
}
