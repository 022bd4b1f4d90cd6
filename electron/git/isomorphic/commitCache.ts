import type { CommitHash } from '../../../shared/model/commit';
import { wrongType } from '../objectErrors';
import type { ParentOverridesFile } from '../parentOverrides';
import { type ParsedCommit, parseCommit } from '../parseCommit';
import type { IsomorphicObjects } from './isomorphicObjects';

/** Commits without their bodies are small; this many take about 100 MB. */
const REMEMBERED = 200_000;

/** Parsed commits by hash: a commit never changes, and walks, look-ups and revisions all come back to the same ones. */
export class CommitCache {
  readonly #objects: IsomorphicObjects;
  readonly #overrides: ParentOverridesFile;
  readonly #known = new Map<string, ParsedCommit>();

  constructor(objects: IsomorphicObjects, overrides: ParentOverridesFile) {
    this.#objects = objects;
    this.#overrides = overrides;
  }

  /** @throws missing-object, corrupt-object, invalid-request when it is no commit */
  async read(hash: CommitHash): Promise<ParsedCommit> {
    const parsed = this.#known.get(hash) ?? (await this.#parse(hash));
    const parents = (await this.#overrides.read()).get(hash);
    return parents === undefined ? parsed : { ...parsed, parents };
  }

  /** A reader with the ancestry as it is now, for a walk that must not stat two files per commit. */
  async reader(): Promise<(hash: CommitHash) => Promise<ParsedCommit>> {
    const overrides = await this.#overrides.read();
    return async (hash) => {
      const parsed = this.#known.get(hash) ?? (await this.#parse(hash));
      const parents = overrides.get(hash);
      return parents === undefined ? parsed : { ...parsed, parents };
    };
  }

  async #parse(hash: CommitHash): Promise<ParsedCommit> {
    const { type, bytes } = await this.#objects.read(hash);
    if (type !== 'commit') throw wrongType(hash, type, 'commit');
    const parsed = parseCommit(bytes, hash);
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(hash, parsed);
    return parsed;
  }
}
