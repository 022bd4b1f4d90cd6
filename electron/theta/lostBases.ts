import type { ResolvedEntry } from './resolvedEntry';

/** Elements of the values that are tried, about three minutes, and commits that are looked at, for all groups of one checkpoint together. */
const MAX_ELEMENTS = 8e9;
const MAX_COMMITS = 200_000;

export interface SearchBudget {
  elements: number;
  commits: number;
}

/**
 * The searches for lost bases while one checkpoint is resolved. A candidate's own base may be lost as well, and its candidates', and so on:
 * each is looked for once, not once for every way that leads to it. Nothing is kept for longer, because what is missing may be fetched.
 */
export class LostBases {
  readonly budget: SearchBudget = { elements: MAX_ELEMENTS, commits: MAX_COMMITS };
  readonly #found = new Map<string, ResolvedEntry | null>();
  readonly #searching = new Set<string>();

  /** Whether the base of this entry has been looked for. */
  isLost(entry: ResolvedEntry): boolean {
    const key = keyOf(entry);
    return this.#found.has(key) || this.#searching.has(key);
  }

  /** What `search` finds for this entry. `null` also for an entry whose search led back to it: no value is its own base. */
  async find(entry: ResolvedEntry, search: (budget: SearchBudget) => Promise<ResolvedEntry | null>): Promise<ResolvedEntry | null> {
    const key = keyOf(entry);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    if (this.#searching.has(key)) return null;
    this.#searching.add(key);
    try {
      const found = await search(this.budget);
      this.#found.set(key, found);
      return found;
    } finally {
      this.#searching.delete(key);
    }
  }
}

function keyOf({ place, entry }: ResolvedEntry): string {
  return `${place.commit}\0${place.path}\0${place.blob}\0${entry.name}`;
}
