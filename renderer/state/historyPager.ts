import { CheckpointError } from '../../shared/contract/errors';
import type { Client } from '../client/client';
import { HistoryList, type LineRefs } from './historyList';

/** Enough for any screen, and small enough to be there at once. */
const FIRST_PAGE = 300;
const LARGEST_PAGE = 5000;

export interface PagerView {
  readonly list: HistoryList | null;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: CheckpointError | null;
}

interface PagerOptions {
  readonly client: Client;
  readonly repository: string;
  readonly refs: () => LineRefs;
  /** List that stays in view until as much of the new one is there. */
  readonly previous: HistoryList | null;
  readonly onChange: (view: PagerView) => void;
}

/**
 * Loads the history of one repository page after page, as far as rows are wanted. When the host's order changes (another generation), a new
 * list is built behind the one in view and takes its place when it reaches as far.
 */
export class HistoryPager {
  readonly #options: PagerOptions;
  readonly #abort = new AbortController();
  #list: HistoryList | null;
  /** Being built behind `#list`. */
  #next: HistoryList | null = null;
  #isPrevious: boolean;
  #wanted = FIRST_PAGE;
  #running: Promise<void> | null = null;
  #failed = false;
  /** Generation whose length has been asked for. */
  #counted: number | null = null;

  constructor(options: PagerOptions) {
    this.#options = options;
    this.#list = options.previous;
    this.#isPrevious = options.previous !== null;
  }

  get list(): HistoryList | null {
    return this.#list;
  }

  /** Loads rows up to, not including, `end`, or to the end of the history. Never rejects: failures are part of the view. */
  load(end: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, end);
    // What runs already may be about to end without having seen the new wish.
    if (this.#running !== null) return this.#running.then(() => (this.#failed || this.#reachesFarEnough() ? undefined : this.load(end)));
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Asks whether the order has changed, and builds anew when it has. `keep` rows must be there before the new list is shown. */
  async check(keep: number): Promise<void> {
    await this.#running;
    if (this.#abort.signal.aborted) return;
    this.#wanted = Math.max(FIRST_PAGE, keep);
    this.#next = null;
    this.#running ??= this.#check().finally(() => {
      this.#running = null;
    });
    await this.#running;
    await this.load(keep);
  }

  renameLines(): void {
    this.#list?.renameLines(this.#options.refs());
    this.#next?.renameLines(this.#options.refs());
    if (this.#list !== null) this.#report('ready');
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #check(): Promise<void> {
    try {
      await this.#fetchPage(0, FIRST_PAGE);
      this.#report('ready');
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  async #run(): Promise<void> {
    this.#failed = false;
    try {
      while (!this.#reachesFarEnough()) {
        this.#report('loading');
        const from = this.#building()?.loaded ?? 0;
        await this.#fetchPage(from, Math.min(LARGEST_PAGE, Math.max(FIRST_PAGE, this.#wanted - from)));
      }
      this.#report('ready');
      void this.#countOnce();
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  /**
   * Asks how long the history is, which the first page cannot tell: the host is still walking then. A failure is left to the
   * page that meets it.
   */
  async #countOnce(): Promise<void> {
    const list = this.#list;
    if (list === null || list.total !== null || this.#counted === list.generation) return;
    this.#counted = list.generation;
    const { client, repository } = this.#options;
    const answer = await client.request('history/count', { repository }, { signal: this.#abort.signal }).catch(() => null);
    if (answer === null || this.#list !== list || list.total !== null) return;
    if (answer.generation !== list.generation) {
      // The order was found to be another one while the rest was read.
      void this.check(list.loaded);
      return;
    }
    if (answer.total === null) return;
    list.learnTotal(answer.total);
    // While pages are on their way, they say how it stands.
    if (this.#running === null && !this.#failed) this.#report('ready');
  }

  /** The list that pages go to: none before the first page of a repository. */
  #building(): HistoryList | null {
    return this.#next ?? (this.#isPrevious ? null : this.#list);
  }

  #reachesFarEnough(): boolean {
    const list = this.#building();
    return list !== null && (list.isComplete || list.loaded >= this.#wanted);
  }

  async #fetchPage(offset: number, limit: number): Promise<void> {
    const { client, repository, refs } = this.#options;
    const page = await client.request('history/page', { repository, offset, limit }, { signal: this.#abort.signal });
    const building = this.#building();
    if (building !== null && building.generation === page.generation) {
      // What only asked for the generation brings nothing new.
      if (building.loaded === offset) building.append(page.commits, page.total);
    } else {
      this.#next = new HistoryList(page.generation, refs());
      // A page from the middle of another order is of no use: the loop starts again at the top.
      if (offset === 0) this.#next.append(page.commits, page.total);
    }
    if (this.#next !== null && this.#reachesFarEnough()) {
      this.#list = this.#next;
      this.#next = null;
      this.#isPrevious = false;
    }
  }

  #report(status: 'loading' | 'ready'): void {
    if (!this.#abort.signal.aborted) this.#options.onChange({ list: this.#list, status, error: null });
  }

  #reportFailure(thrown: unknown): void {
    this.#failed = true;
    if (this.#abort.signal.aborted) return;
    this.#options.onChange({ list: this.#list, status: 'failed', error: CheckpointError.from(thrown) });
  }
}
