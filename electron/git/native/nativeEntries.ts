import type { CommitHash } from '../../../shared/model/commit';
import type { TreeEntry } from '../gitRepository';
import { throwIfCancelled } from '../throwIfCancelled';
import type { FoundEntry, TreeLookup } from '../treeLookup';
import type { NativeObjects } from './nativeObjects';

/** Requests on their way at once: enough to keep git busy, few enough to stop soon. */
const CHUNK = 2000;

/**
 * One path in many commits: git finds the folder's tree in each (one pass over `cat-file --batch-check`), then every
 * different tree is read once. Only the tree tells a symlink from a file, and a submodule from nothing.
 */
export async function findNativeEntries(
  reader: { readonly objects: NativeObjects; readonly lookup: TreeLookup },
  commits: readonly CommitHash[],
  options: { readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly (TreeEntry | null)[]> {
  const { path, signal } = options;
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(slash, 0));
  const name = path.slice(slash + 1);
  const find = async (commit: CommitHash): Promise<FoundEntry | null> => {
    if (folder.includes('\n')) return reader.lookup.find(commit, path);
    const tree = await reader.objects.find(folder === '' ? `${commit}^{tree}` : `${commit}:${folder}`);
    // Missing says little: no such folder, no such commit, or an object that a partial clone does not have.
    if (tree === null) return reader.lookup.find(commit, path);
    return tree.type === 'tree' ? reader.lookup.inTree(tree.oid, name) : null;
  };
  const entries: (TreeEntry | null)[] = [];
  for (let i = 0; i < commits.length; i += CHUNK) {
    throwIfCancelled(signal);
    const found = await Promise.all(commits.slice(i, i + CHUNK).map(find));
    for (const entry of found) entries.push(entry === null ? null : { path, kind: entry.kind, oid: entry.oid });
  }
  throwIfCancelled(signal);
  return entries;
}
