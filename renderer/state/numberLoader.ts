import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import { TIMELINE_KINDS } from '../../shared/model/timeline';
import type { TimelineStates } from '../charts/timelineStates';
import type { Client } from '../client/client';
import type { CellNumbers, NumberSource } from './cellNumbers';

/** Cells of one request. It begins small and grows while answers come quickly, so that the first numbers are there soon. */
const LEAST_BATCH = 4;
const MOST_BATCH = 64;
const QUICK_MS = 400;

const ADDED = TIMELINE_KINDS.indexOf('added');
const RENAMED = TIMELINE_KINDS.indexOf('renamed');
const REMOVED = TIMELINE_KINDS.indexOf('removed');

export interface NumberTarget {
  readonly repository: string;
  readonly path: string;
  readonly states: TimelineStates;
  readonly numbers: CellNumbers;
}

export interface Wanted {
  readonly source: NumberSource;
  /** Entries of the timeline's changes, the most wanted first. */
  readonly entries: readonly number[];
}

const NOTHING: readonly Wanted[] = [];

/** Asks for the numbers of the cells that are wanted now, one batch at a time; a batch that nobody waits for any more is cancelled. */
export class NumberLoader {
  readonly #client: Client;
  readonly #onChange: (change: { readonly error: CheckpointError | null; readonly waiting: number }) => void;
  #target: NumberTarget | null = null;
  #wanted: readonly Wanted[] = NOTHING;
  #running: { readonly source: NumberSource; readonly batch: readonly number[]; readonly controller: AbortController } | null = null;
  #batchSize = LEAST_BATCH * 2;
  #error: CheckpointError | null = null;

  constructor(client: Client, onChange: (change: { readonly error: CheckpointError | null; readonly waiting: number }) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  setTarget(target: NumberTarget | null): void {
    if (target?.numbers === this.#target?.numbers) return;
    this.#running?.controller.abort();
    this.#running = null;
    this.#target = target;
    this.#wanted = NOTHING;
    this.#error = null;
  }

  want(wanted: readonly Wanted[]): void {
    this.#wanted = wanted;
    const running = this.#running;
    if (running !== null) {
      const batch = new Set(running.batch);
      if (!wanted.some(({ source, entries }) => source === running.source && entries.some((entry) => batch.has(entry)))) {
        running.controller.abort();
        this.#running = null;
      }
    }
    void this.#pump();
  }

  /** Asks again for what failed. */
  retry(): void {
    this.#target?.numbers.forgetFailures();
    this.#error = null;
    void this.#pump();
  }

  async #pump(): Promise<void> {
    const target = this.#target;
    if (target === null || this.#running !== null) return;
    for (let next = this.#next(target); next !== null; next = this.#next(target)) {
      const { source, batch, waiting } = next;
      const running = { source, batch, controller: new AbortController() };
      this.#running = running;
      this.#onChange({ error: this.#error, waiting });
      const started = Date.now();
      try {
        await this.#ask(target, running);
        this.#error = null;
        this.#batchSize = Date.now() - started < QUICK_MS ? Math.min(MOST_BATCH, this.#batchSize * 2) : Math.max(LEAST_BATCH, this.#batchSize >> 1);
      } catch (thrown) {
        if (this.#running !== running) return;
        // Coming back asks again; nothing is wrong with these cells.
        if (!isCheckpointError(thrown, 'disconnected')) for (const entry of batch) target.numbers.setStatus(source, entry, 'failed');
        this.#error = CheckpointError.from(thrown);
      }
      if (this.#running !== running) return;
      this.#running = null;
      if (this.#error?.code === 'disconnected') break;
    }
    this.#onChange({ error: this.#error, waiting: 0 });
  }

  async #ask(
    target: NumberTarget,
    { source, batch, controller }: { source: NumberSource; batch: readonly number[]; controller: AbortController },
  ): Promise<void> {
    const { repository, path, states, numbers } = target;
    const { columns, rows, changes } = states.index;
    const cells = batch.flatMap((entry) => {
      const commit = columns[states.columnOfEntry[entry] ?? -1]?.commit;
      const group = rows[changes.rows[entry] ?? -1]?.name;
      return commit === undefined || group === undefined ? [] : [{ commit, group }];
    });
    const options = { signal: controller.signal };
    if (source === 'statistics') {
      const answers = await this.#client.request('timeline/statistics', { repository, path, cells, histogram: null }, options);
      if (controller.signal.aborted) return;
      batch.forEach((entry, place) => {
        const answer = answers[place];
        if (answer?.stats != null) numbers.setStatistics(entry, answer.stats);
        else numbers.setStatus(source, entry, answer === undefined || answer.error !== null ? 'failed' : 'none');
      });
      return;
    }
    const answers = await this.#client.request('timeline/differences', { repository, path, cells }, options);
    if (controller.signal.aborted) return;
    batch.forEach((entry, place) => {
      const answer = answers[place];
      if (answer?.numbers != null) numbers.setDifference(entry, answer.numbers);
      else numbers.setStatus(source, entry, answer === undefined || answer.error !== null ? 'failed' : 'none');
    });
  }

  /** The next cells to ask for, all from one source; what needs no asking is settled in passing. */
  #next({ numbers, states }: NumberTarget): { readonly source: NumberSource; readonly batch: number[]; readonly waiting: number } | null {
    const { kinds } = states.index.changes;
    for (const { source, entries } of this.#wanted) {
      const batch: number[] = [];
      let waiting = 0;
      for (const entry of entries) {
        if (numbers.status(source, entry) !== 'unknown') continue;
        const kind = kinds[entry];
        if (kind === REMOVED || ((kind === ADDED || kind === RENAMED) && source === 'differences')) numbers.setStatus(source, entry, 'none');
        else if (waiting++ < this.#batchSize) batch.push(entry);
      }
      if (batch.length > 0) return { source, batch, waiting };
    }
    return null;
  }
}
