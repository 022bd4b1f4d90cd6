import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { ComparedGroup } from '../../shared/model/comparison';
import type { Side } from '../../shared/model/side';
import { boundBeyond, packCloseness, type Tolerance } from '../charts/closenessBounds';
import type { Client } from '../client/client';
import { elementsOf, type RowNumbers, wantsNumbers } from './comparedNumbers';

export interface NumbersProgress {
  /** Rows that have been measured, of those that have to be. */
  readonly done: number;
  readonly total: number;
  readonly status: 'idle' | 'running' | 'stopped' | 'failed';
  /** Why measuring ended before its time. */
  readonly error: CheckpointError | null;
}

export const NO_PROGRESS: NumbersProgress = { done: 0, total: 0, status: 'idle', error: null };

interface NumbersLoaderOptions {
  readonly client: Client;
  /** Rows were measured, or the progress changed. */
  readonly onChange: (progress: NumbersProgress) => void;
}

interface Task {
  readonly sides: { readonly a: Side; readonly b: Side };
  readonly groups: readonly ComparedGroup[];
}

/** One answer brings at most so many rows and elements: what is on the screen never waits long for what is not. */
const MOST_ROWS = 32;
const MOST_ELEMENTS = 1 << 26;

/** Measures the rows of a comparison in batches, those on the screen first, then the others in order. One request runs at a time: it already uses all workers of the host. */
export class NumbersLoader {
  readonly #options: NumbersLoaderOptions;
  readonly #rows = new Map<number, RowNumbers>();
  #task: Task | null = null;
  #wanted: number[] = [];
  #visible: readonly number[] = [];
  #tolerance: Tolerance = { rtol: 0, atol: 0 };
  #running: AbortController | null = null;
  #status: NumbersProgress['status'] = 'idle';
  #error: CheckpointError | null = null;
  /** Rows before it in `#wanted` need nothing more with the tolerance of now. */
  #searched = 0;

  constructor(options: NumbersLoaderOptions) {
    this.#options = options;
  }

  rowAt(index: number): RowNumbers | undefined {
    return this.#rows.get(index);
  }

  get rows(): ReadonlyMap<number, RowNumbers> {
    return this.#rows;
  }

  /** Begins with another comparison, or with none. */
  start(task: Task | null, tolerance: Tolerance): void {
    this.#running?.abort();
    this.#running = null;
    this.#rows.clear();
    this.#visible = [];
    this.#task = task;
    this.#tolerance = tolerance;
    this.#searched = 0;
    this.#error = null;
    this.#wanted = task === null ? [] : [...task.groups.keys()].filter((index) => isWanted(task.groups[index]));
    this.#status = this.#wanted.length === 0 ? 'idle' : 'running';
    this.#publish();
    void this.#pump();
  }

  /** Rows on the screen: they come next. */
  setVisible(rows: readonly number[]): void {
    this.#visible = rows;
    void this.#pump();
  }

  /** The tolerance has settled: rows that only bounds are known of are measured with it. */
  setTolerance(tolerance: Tolerance): void {
    this.#tolerance = tolerance;
    this.#searched = 0;
    if (this.#status === 'idle' && this.#next().length > 0) this.#status = 'running';
    this.#publish();
    void this.#pump();
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    if (this.#status === 'running') this.#status = 'stopped';
    this.#publish();
  }

  /** Goes on after `stop` or a failure. */
  resume(): void {
    if (this.#status !== 'stopped' && this.#status !== 'failed') return;
    this.#status = 'running';
    this.#error = null;
    this.#publish();
    void this.#pump();
  }

  async #pump(): Promise<void> {
    const task = this.#task;
    if (task === null || this.#running !== null || this.#status === 'stopped' || this.#status === 'failed') return;
    const batch = this.#next();
    if (batch.length === 0) {
      if (this.#status !== 'idle') {
        this.#status = 'idle';
        this.#publish();
      }
      return;
    }
    const controller = new AbortController();
    this.#running = controller;
    this.#status = 'running';
    const pairs = batch.map((index) => ({ a: task.groups[index]?.a?.name ?? '', b: task.groups[index]?.b?.name ?? '' }));
    try {
      const answers = await this.#options.client.request('compare/numbers', { ...task.sides, pairs, ...this.#tolerance }, { signal: controller.signal });
      if (this.#running !== controller) return;
      // A row without an answer must not be asked for again and again.
      for (const [place, index] of batch.entries()) this.#rows.set(index, rowOf(answers[place]));
    } catch (error) {
      if (this.#running !== controller) return;
      this.#status = 'failed';
      this.#error = CheckpointError.from(error);
    }
    this.#running = null;
    this.#publish();
    await this.#pump();
  }

  #next(): number[] {
    const batch: number[] = [];
    let elements = 0;
    const take = (index: number): boolean => {
      const group = this.#task?.groups[index];
      if (group === undefined) return true;
      const more = elementsOf(group);
      if (batch.length > 0 && (batch.length >= MOST_ROWS || elements + more > MOST_ELEMENTS)) return false;
      batch.push(index);
      elements += more;
      return true;
    };
    for (const index of this.#visible) {
      if (isWanted(this.#task?.groups[index]) && this.#needs(index) && !take(index)) return batch;
    }
    // What is on the screen is not made to wait for company.
    if (batch.length > 0) return batch;
    while (this.#searched < this.#wanted.length && !this.#needs(this.#wanted[this.#searched] ?? -1)) this.#searched++;
    for (let at = this.#searched; at < this.#wanted.length; at++) {
      const index = this.#wanted[at] ?? -1;
      if (this.#needs(index) && !take(index)) break;
    }
    return batch;
  }

  #needs(index: number): boolean {
    const row = this.#rows.get(index);
    if (row === undefined) return true;
    if (row.numbers === null) return false;
    const { least, most } = boundBeyond(row.numbers, row.closeness, this.#tolerance);
    return least !== most;
  }

  #publish(): void {
    const total = this.#wanted.length;
    // With another tolerance rows are measured once more; then only those count.
    const left = this.#rows.size < total ? total - this.#rows.size : this.#wanted.reduce((sum, index) => sum + (this.#needs(index) ? 1 : 0), 0);
    this.#options.onChange({ done: total - left, total, status: this.#status, error: this.#error });
  }
}

function isWanted(group: ComparedGroup | undefined): boolean {
  return group !== undefined && wantsNumbers(group);
}

function rowOf(answer: Output<'compare/numbers'>[number] | undefined): RowNumbers {
  if (answer === undefined) {
    return { numbers: null, closeness: null, structure: null, error: new CheckpointError('internal', 'The host gave no answer for this group.') };
  }
  const { numbers, closeness, structure, error } = answer;
  return {
    numbers,
    closeness: closeness === null ? null : packCloseness(closeness),
    // The order of a permutation may be as long as the tensor is high.
    structure: structure === null ? null : { rank: structure.rank, rankIsAtLeast: structure.rankIsAtLeast, scaling: structure.scaling, words: structure.words },
    error: error === null ? null : CheckpointError.fromData(error),
  };
}
