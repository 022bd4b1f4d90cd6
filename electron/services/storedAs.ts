import type { StorageKind } from '../../shared/model/checkpoint';
import type { GitRepository } from '../git/gitRepository';
import { LFS_POINTER_LIMIT, parseLfsPointer } from '../git/lfs/lfsPointer';
import { looksLikeMetadata } from '../theta/looksLikeMetadata';

/** The first entry of a metadata file ends within this, whatever its name. */
const START_BYTES = 64 * 1024;

/** How a version is kept, and what it costs. */
export interface StoredAs {
  readonly storage: StorageKind;
  /** Bytes of the blob, or of the LFS object. */
  readonly bytes: number;
}

export interface StoredAsContext {
  readonly repository: Pick<GitRepository, 'blobSize' | 'blobStart'>;
  /** Remembers how a blob is kept; blobs never change. */
  readonly storedAs: Map<string, StoredAs>;
}

/** How a blob keeps its checkpoint, by its first bytes: git-theta metadata, LFS pointer, or the plain file itself. */
export async function storedAs({ repository, storedAs: known }: StoredAsContext, blob: string): Promise<StoredAs> {
  const remembered = known.get(blob);
  if (remembered !== undefined) return remembered;
  const bytes = await repository.blobSize(blob);
  const start = await repository.blobStart(blob, START_BYTES);
  const pointer = bytes < LFS_POINTER_LIMIT ? parseLfsPointer(start) : null;
  const found: StoredAs = pointer !== null ? { storage: 'lfs', bytes: pointer.size } : { storage: looksLikeMetadata(start, false) ? 'theta' : 'blob', bytes };
  known.set(blob, found);
  return found;
}
