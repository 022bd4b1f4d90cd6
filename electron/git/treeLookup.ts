import { BoundedMap } from '../../shared/base/boundedMap';
import type { CommitHash } from '../../shared/model/commit';
import type { TreeEntry } from './gitRepository';
import { findInTree } from './parseTree';

export interface FoundEntry {
  readonly kind: TreeEntry['kind'];
  /** Octal digits, as the tree has them. */
  readonly mode: string;
  readonly oid: string;
}

/** What a look-up needs of a back end. Both throw missing-object and corrupt-object. */
export interface TreeReader {
  /** Tree of a commit. */
  rootTree(commit: CommitHash): Promise<string>;
  tree(oid: string): Promise<Uint8Array>;
}

const REMEMBERED = 50_000;

/**
 * Finds paths in commits by reading trees, each tree and name once: neighbouring commits share most of their trees.
 * Names are compared as bytes, so any path works, whatever characters it has. Callers share the reads, so none of them
 * can cancel one: each read is short, and who asks for many looks at the signal between them.
 */
export class TreeLookup {
  readonly #reader: TreeReader;
  readonly #known = new BoundedMap<string, Promise<FoundEntry | null>>(REMEMBERED);

  constructor(reader: TreeReader) {
    this.#reader = reader;
  }

  async find(commit: CommitHash, path: string): Promise<FoundEntry | null> {
    let found: FoundEntry | null = { kind: 'tree', mode: '40000', oid: await this.#reader.rootTree(commit) };
    for (const name of path.split('/')) {
      if (found?.kind !== 'tree') return null;
      found = await this.inTree(found.oid, name);
    }
    return found;
  }

  /** Entry of one tree, by a name without `/`. */
  inTree(tree: string, name: string): Promise<FoundEntry | null> {
    const key = `${tree}/${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#reader.tree(tree).then((bytes) => findInTree(bytes, tree, name));
    this.#known.set(key, found);
    // A failure may pass (fetched later): it is not remembered.
    found.catch(() => this.#known.delete(key));
    return found;
  }
}
