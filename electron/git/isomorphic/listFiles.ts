import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { TreeEntry } from '../gitRepository';
import { entryName, kindOfMode, parseTree } from '../parseTree';

/** git itself stops at this depth (core.maxTreeDepth). */
const DEEPEST = 2048;

/** All files below a tree in path order, without recursion: the depth is the file's choice. */
export async function listFiles(readTree: (oid: string) => Promise<Uint8Array>, root: string, signal: AbortSignal | undefined): Promise<readonly TreeEntry[]> {
  const files: TreeEntry[] = [];
  const open = async (oid: string, folder: string) => ({ folder, entries: parseTree(await readTree(oid), oid) });
  const stack = [await open(root, '')];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    throwIfCancelled(signal);
    const next = level.entries.next();
    if (next.done === true) {
      stack.pop();
      continue;
    }
    const path = `${level.folder}${entryName(next.value)}`;
    const kind = kindOfMode(next.value.mode);
    if (kind !== 'tree') files.push({ path, kind, oid: next.value.oid });
    else if (stack.length < DEEPEST) stack.push(await open(next.value.oid, `${path}/`));
  }
  return files;
}
