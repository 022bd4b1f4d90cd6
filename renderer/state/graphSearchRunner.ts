import { CheckpointError } from '../../shared/contract/errors';
import type { Output, RequestInput } from '../../shared/contract/requests';
import type { Client } from '../client/client';
import { failed, idle, type Loadable, loading, ready } from './loadable';

export type GraphSearchMode = RequestInput<'graph/search'>['mode'];

export interface GraphSearch {
  readonly text: string;
  readonly mode: GraphSearchMode;
  /** `idle` without a text. */
  readonly found: Loadable<Output<'graph/search'>>;
}

export const NO_GRAPH_SEARCH: GraphSearch = { text: '', mode: 'text', found: idle };

const MOST_HITS = 2000;
/** Typing goes on for about that long between letters. */
const PAUSE_MS = 160;

/** Runs one search at a time: a new text cancels the search for the earlier one. */
export class GraphSearchRunner {
  readonly #client: Client;
  readonly #get: () => GraphSearch;
  readonly #set: (search: GraphSearch) => void;
  #running: AbortController | null = null;

  constructor(client: Client, { get, set }: { readonly get: () => GraphSearch; readonly set: (search: GraphSearch) => void }) {
    this.#client = client;
    this.#get = get;
    this.#set = set;
  }

  /** @param graph its id; `null`: none is open */
  async run(graph: string | null, text: string, mode: GraphSearchMode): Promise<void> {
    this.#running?.abort();
    this.#running = null;
    if (graph === null || text.trim() === '') {
      this.#set({ text, mode, found: idle });
      return;
    }
    const controller = new AbortController();
    this.#running = controller;
    this.#set({ text, mode, found: loading(this.#get().found) });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (controller.signal.aborted) return;
    try {
      const found = await this.#client.request('graph/search', { graph, text: text.trim(), mode, limit: MOST_HITS }, { signal: controller.signal });
      if (!controller.signal.aborted) this.#set({ text, mode, found: ready(found) });
    } catch (error) {
      if (!controller.signal.aborted) this.#set({ text, mode, found: failed(CheckpointError.from(error)) });
    }
  }
}
