import type { CommitHash } from '../../shared/model/commit';
import type { GitRepository } from '../git/gitRepository';
import type { ThetaMetadata } from './metadata';
import { parseMetadata } from './parseMetadata';

/** Most bytes of a metadata file: 40,000 groups take about 40 MB. */
const MAX_METADATA_BYTES = 512 * 1024 * 1024;
/** Parsed entries kept, over all files: about 300 bytes each. */
const MAX_CACHED_ENTRIES = 400_000;

export interface MetadataStore {
  /** Blob id of a path at a commit; `null` when no file is there. @throws not-found when the commit is not in the repository */
  blobAt(commit: CommitHash, path: string): Promise<string | null>;
  /** Parsed metadata of a blob; `file` is for error messages. */
  parsed(blob: string, file: string): Promise<ThetaMetadata>;
}

/** Reads metadata files and keeps the most recently used ones parsed, by blob, so that a chain costs each file once. */
export function createMetadataStore(repository: GitRepository): MetadataStore {
  // Commits and blobs never change, so what was found stays true; what was not found may have been fetched since.
  const blobs = new Map<string, Promise<string | null>>();
  const parsed = new Map<string, Promise<ThetaMetadata>>();
  const sizes = new Map<string, number>();
  let cachedEntries = 0;

  const evict = () => {
    for (const [blob, size] of sizes) {
      if (cachedEntries <= MAX_CACHED_ENTRIES || sizes.size <= 2) return;
      cachedEntries -= size;
      sizes.delete(blob);
      parsed.delete(blob);
    }
  };

  const load = async (blob: string, file: string): Promise<ThetaMetadata> => {
    const metadata = parseMetadata(await repository.blob(blob, MAX_METADATA_BYTES), file);
    const size = metadata.entries.size + metadata.broken.length + 1;
    sizes.set(blob, size);
    cachedEntries += size;
    evict();
    return metadata;
  };

  return {
    blobAt(commit, path) {
      const key = `${commit}:${path}`;
      const known = blobs.get(key);
      if (known !== undefined) return known;
      const found = repository.entry(commit, path).then((entry) => (entry?.kind === 'blob' ? entry.oid : null));
      blobs.set(key, found);
      found.catch(() => blobs.delete(key));
      return found;
    },
    parsed(blob, file) {
      const known = parsed.get(blob);
      if (known !== undefined) {
        const size = sizes.get(blob);
        // Moves it to the end: Maps keep insertion order, and the front is evicted first.
        if (size !== undefined && sizes.delete(blob)) sizes.set(blob, size);
        return known;
      }
      const loading = load(blob, file);
      parsed.set(blob, loading);
      loading.catch(() => parsed.delete(blob));
      return loading;
    },
  };
}
