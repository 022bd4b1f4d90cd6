import type { PairNumbers } from '../../shared/model/pairNumbers';
import type { TensorStats } from '../../shared/model/tensorStats';
import { NO_RANGE, type NumberRange, type NumberScale, widenRange } from '../charts/numberScale';

/** Where numbers come from: a group by itself, or against the first parent. */
export type NumberSource = 'statistics' | 'differences';

export const MEASURES = ['delta', 'relative', 'norm', 'mean', 'std', 'sparsity', 'nan'] as const;
export type Measure = (typeof MEASURES)[number];

export interface MeasureLook {
  readonly label: string;
  /** In a sentence or a table's head. */
  readonly short: string;
  readonly source: NumberSource;
  readonly scale: NumberScale['kind'];
}

export const MEASURE_LOOKS: { readonly [M in Measure]: MeasureLook } = {
  delta: { label: 'Change ‖Δ‖', short: '‖Δ‖', source: 'differences', scale: 'log' },
  relative: { label: 'Relative change', short: 'relative Δ', source: 'differences', scale: 'log' },
  norm: { label: 'Norm', short: 'norm', source: 'statistics', scale: 'log' },
  mean: { label: 'Mean', short: 'mean', source: 'statistics', scale: 'diverging' },
  std: { label: 'Standard deviation', short: 'std', source: 'statistics', scale: 'log' },
  sparsity: { label: 'Share of zeros', short: 'zeros', source: 'statistics', scale: 'linear' },
  nan: { label: 'NaN count', short: 'NaN', source: 'statistics', scale: 'log' },
};

/** `none`: the host has nothing to compare with or to count. */
export type NumberStatus = 'unknown' | 'known' | 'none' | 'failed';
const STATUSES: readonly NumberStatus[] = ['unknown', 'known', 'none', 'failed'];

/** Numbers of cells, by entry of the timeline's changes, in columns that are made when the first number of their source comes. */
export class CellNumbers {
  readonly entries: number;
  readonly #status: { readonly [S in NumberSource]: Uint8Array<ArrayBuffer> };
  readonly #values = new Map<Measure | 'count' | 'finite', Float64Array<ArrayBuffer>>();
  readonly #ranges = new Map<Measure, NumberRange>();

  constructor(entries: number) {
    this.entries = entries;
    this.#status = { statistics: new Uint8Array(entries), differences: new Uint8Array(entries) };
  }

  status(source: NumberSource, entry: number): NumberStatus {
    return STATUSES[this.#status[source][entry] ?? 0] ?? 'unknown';
  }

  isKnown(source: NumberSource, entry: number): boolean {
    return this.#status[source][entry] === 1;
  }

  /** NaN where it is not known, or is no number. */
  value(measure: Measure, entry: number): number {
    return this.#values.get(measure)?.[entry] ?? Number.NaN;
  }

  /** Elements of the group at that entry. */
  count(entry: number): number {
    return this.#values.get('count')?.[entry] ?? Number.NaN;
  }

  /** Elements that are neither NaN nor infinite: mean and standard deviation are over these. */
  finite(entry: number): number {
    return this.#values.get('finite')?.[entry] ?? Number.NaN;
  }

  /** Of all that is known: a scale that grows only when greater numbers come. */
  range(measure: Measure): NumberRange {
    return this.#ranges.get(measure) ?? NO_RANGE;
  }

  setStatistics(entry: number, stats: TensorStats): void {
    this.#status.statistics[entry] = 1;
    this.#column('count')[entry] = stats.count;
    this.#column('finite')[entry] = stats.finite;
    this.#set('norm', entry, stats.norm);
    this.#set('mean', entry, stats.mean ?? Number.NaN);
    this.#set('std', entry, stats.std ?? Number.NaN);
    this.#set('sparsity', entry, stats.count > 0 ? stats.zeros / stats.count : 0);
    this.#set('nan', entry, stats.nan);
  }

  setDifference(entry: number, numbers: PairNumbers): void {
    this.#status.differences[entry] = 1;
    this.#set('delta', entry, numbers.norm);
    this.#set('relative', entry, numbers.relativeL2 ?? Number.POSITIVE_INFINITY);
  }

  setStatus(source: NumberSource, entry: number, status: NumberStatus): void {
    this.#status[source][entry] = STATUSES.indexOf(status);
  }

  /** What failed may be asked for again. */
  forgetFailures(): void {
    const failed = STATUSES.indexOf('failed');
    for (const status of Object.values(this.#status)) {
      for (const [entry, value] of status.entries()) if (value === failed) status[entry] = 0;
    }
  }

  /** The numbers for a timeline that begins with the same entries. */
  grow(entries: number): CellNumbers {
    const grown = new CellNumbers(entries);
    grown.#status.statistics.set(this.#status.statistics);
    grown.#status.differences.set(this.#status.differences);
    for (const [name, values] of this.#values) grown.#column(name).set(values);
    for (const [measure, range] of this.#ranges) grown.#ranges.set(measure, range);
    return grown;
  }

  #set(measure: Measure, entry: number, value: number): void {
    this.#column(measure)[entry] = value;
    this.#ranges.set(measure, widenRange(this.range(measure), value));
  }

  #column(name: Measure | 'count' | 'finite'): Float64Array<ArrayBuffer> {
    let column = this.#values.get(name);
    if (column === undefined) {
      column = new Float64Array(this.entries).fill(Number.NaN);
      this.#values.set(name, column);
    }
    return column;
  }
}
