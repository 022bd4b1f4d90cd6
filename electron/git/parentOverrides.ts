import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommitHash, isCommitHash } from '../../shared/model/commit';
import { readSmallFile } from '../bytes/readSmallFile';

/** Parents that git shows instead of those in the commit object. */
export type ParentOverrides = ReadonlyMap<string, readonly CommitHash[]>;

/**
 * Where the repository cuts or rewrites ancestry: `shallow` lists commits whose parents are not here
 * (gitformat-shallow), `info/grafts` gives a commit other parents. Both are read anew when they change.
 */
export class ParentOverridesFile {
  readonly #files: readonly string[];
  #stamp = '';
  #overrides: ParentOverrides = new Map();

  constructor(commonDir: string) {
    this.#files = [join(commonDir, 'info', 'grafts'), join(commonDir, 'shallow')];
  }

  async read(): Promise<ParentOverrides> {
    const stamps = await Promise.all(this.#files.map(stampOf));
    const stamp = stamps.join();
    if (stamp === this.#stamp) return this.#overrides;
    const overrides = new Map<string, readonly CommitHash[]>();
    for (const file of this.#files) {
      const text = await readSmallFile(file).then(
        (bytes) => bytes.toString('latin1'),
        () => '',
      );
      for (const line of text.split('\n')) {
        const hashes = line.trim().split(/\s+/).filter(isCommitHash);
        const [hash, ...parents] = hashes;
        if (hash !== undefined) overrides.set(hash, parents);
      }
    }
    this.#stamp = stamp;
    this.#overrides = overrides;
    return overrides;
  }
}

async function stampOf(path: string): Promise<string> {
  return stat(path).then(
    (found) => `${found.mtimeMs}:${found.size}:${found.ino}`,
    () => '-',
  );
}

/** Whether history ends early here: a non-empty `shallow` file. */
export async function isShallow(commonDir: string): Promise<boolean> {
  return stat(join(commonDir, 'shallow')).then(
    (found) => found.size > 0,
    () => false,
  );
}
