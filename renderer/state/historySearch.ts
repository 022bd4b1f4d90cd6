import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { CommitHash } from '../../shared/model/commit';
import type { Client } from '../client/client';

type SearchMatch = Output<'history/search'>['matches'][number];

/** A commit that was found, with all that matched in it. */
export interface FoundCommit {
  readonly commit: CommitHash;
  readonly index: number;
  readonly reasons: readonly { readonly field: SearchMatch['field']; readonly text: string }[];
}

export interface HistorySearch {
  readonly text: string;
  readonly status: 'idle' | 'searching' | 'ready' | 'failed';
  /** In the order of the history. */
  readonly found: readonly FoundCommit[];
  readonly byCommit: ReadonlyMap<string, FoundCommit>;
  readonly truncated: boolean;
  readonly error: CheckpointError | null;
}

export const NO_SEARCH: HistorySearch = { text: '', status: 'idle', found: [], byCommit: new Map(), truncated: false, error: null };

const MOST_MATCHES = 10_000;
/** Typing goes on for about that long between letters. */
const PAUSE_MS = 180;

interface SearchQuery {
  readonly repository: string;
  readonly path: string | null;
  readonly text: string;
}

/** Runs one search at a time: a new text cancels the search for the earlier one. */
export class SearchRunner {
  readonly #client: Client;
  readonly #onChange: (search: HistorySearch) => void;
  #running: AbortController | null = null;
  #current: HistorySearch = NO_SEARCH;

  constructor(client: Client, onChange: (search: HistorySearch) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** Searches after a short pause. What was found for the earlier text stays until the answer comes. Resolves to whether it was not overtaken. */
  async search(query: SearchQuery): Promise<boolean> {
    this.#running?.abort();
    this.#running = null;
    if (query.text.trim() === '') {
      this.#publish(NO_SEARCH);
      return false;
    }
    const controller = new AbortController();
    this.#running = controller;
    this.#publish({ ...this.#current, text: query.text, status: 'searching', error: null });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (controller.signal.aborted) return false;
    try {
      const answer = await this.#client.request('history/search', { ...query, text: query.text.trim(), limit: MOST_MATCHES }, { signal: controller.signal });
      if (controller.signal.aborted) return false;
      const found = groupByCommit(answer.matches);
      const byCommit = new Map(found.map((entry) => [entry.commit, entry]));
      this.#publish({ text: query.text, status: 'ready', found, byCommit, truncated: answer.truncated, error: null });
      return true;
    } catch (error) {
      if (!controller.signal.aborted) this.#publish({ ...NO_SEARCH, text: query.text, status: 'failed', error: CheckpointError.from(error) });
      return false;
    }
  }

  #publish(search: HistorySearch): void {
    this.#current = search;
    this.#onChange(search);
  }
}

/** One entry for each commit, in the order of the history. */
function groupByCommit(matches: readonly SearchMatch[]): FoundCommit[] {
  const entries = new Map<CommitHash, { commit: CommitHash; index: number; reasons: { field: SearchMatch['field']; text: string }[] }>();
  for (const { commit, index, field, text } of matches) {
    const entry = entries.get(commit);
    if (entry === undefined) entries.set(commit, { commit, index, reasons: [{ field, text }] });
    else entry.reasons.push({ field, text });
  }
  return [...entries.values()].sort((a, b) => a.index - b.index);
}

/**
 * The found commit to go to from row `from`: the next one in the direction, or around the end. From a row that is itself found, `next` goes on.
 * `here` takes the row itself when it is found, else the next one.
 */
export function stepMatch(found: readonly FoundCommit[], from: number, direction: 'here' | 'next' | 'previous'): FoundCommit | undefined {
  switch (direction) {
    case 'here':
      return found.find((entry) => entry.index >= from) ?? found[0];
    case 'next':
      return found.find((entry) => entry.index > from) ?? found[0];
    case 'previous':
      return found.findLast((entry) => entry.index < from) ?? found.at(-1);
  }
}
