import { BoundedMap } from '../../../shared/base/boundedMap';
import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import type { ArrangedRows } from '../../charts/timelineRows';
import type { TimelineStates } from '../../charts/timelineStates';
import { type CellNumbers, MEASURE_LOOKS, type Measure } from '../../state/cellNumbers';

export interface ModuleNumber {
  /** NaN while nothing is known. */
  readonly value: number;
  /** Groups that the number is made of, of those that it would be made of. */
  readonly known: number;
  readonly total: number;
}

const REMOVED = TIMELINE_KINDS.indexOf('removed');
const ADDED = TIMELINE_KINDS.indexOf('added');
const RENAMED = TIMELINE_KINDS.indexOf('renamed');
const REMEMBERED = 200_000;

interface Parts {
  readonly measure: Measure;
  readonly numbers: CellNumbers;
  /** Entries with a known number. */
  readonly entries: readonly number[];
}

/** A module's number from those of its groups, as if their elements were one tensor. */
function joinNumbers({ measure, numbers, entries }: Parts): number {
  const sum = (of: (entry: number) => number) => entries.reduce((total, entry) => total + of(entry), 0);
  const value = (entry: number) => numbers.value(measure, entry);
  switch (measure) {
    case 'delta':
    case 'norm':
      return Math.sqrt(sum((entry) => value(entry) ** 2));
    case 'relative': {
      const change = Math.sqrt(sum((entry) => numbers.value('delta', entry) ** 2));
      const base = Math.sqrt(sum((entry) => (value(entry) > 0 ? numbers.value('delta', entry) / value(entry) : 0) ** 2));
      return change === 0 ? 0 : change / base;
    }
    case 'nan':
      return sum(value);
    case 'mean':
      return sum((entry) => value(entry) * numbers.finite(entry)) / sum((entry) => numbers.finite(entry));
    case 'sparsity':
      return sum((entry) => value(entry) * numbers.count(entry)) / sum((entry) => numbers.count(entry));
    case 'std': {
      const count = sum((entry) => numbers.finite(entry));
      const mean = sum((entry) => numbers.value('mean', entry) * numbers.finite(entry)) / count;
      return Math.sqrt(sum((entry) => numbers.finite(entry) * (value(entry) ** 2 + (numbers.value('mean', entry) - mean) ** 2)) / count);
    }
  }
}

/** Numbers of modules, computed when a cell is looked at and kept until more numbers come. */
export class ModuleNumbers {
  readonly #states: TimelineStates;
  readonly #rows: ArrangedRows;
  readonly #numbers: CellNumbers;
  readonly #known = new BoundedMap<string, ModuleNumber>(REMEMBERED);

  constructor(states: TimelineStates, rows: ArrangedRows, numbers: CellNumbers) {
    this.#states = states;
    this.#rows = rows;
    this.#numbers = numbers;
  }

  /** @param place of the module in the tree */
  at(measure: Measure, place: number, column: number): ModuleNumber {
    const key = `${measure}\0${place}\0${column}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const wanted = this.entriesOf(measure, place, column);
    const { source } = MEASURE_LOOKS[measure];
    const entries = wanted.filter((entry) => this.#numbers.isKnown(source, entry) && !Number.isNaN(this.#numbers.value(measure, entry)));
    const isUnchanged = wanted.length === 0 && source === 'differences';
    const value = isUnchanged ? 0 : entries.length === 0 ? Number.NaN : joinNumbers({ measure, numbers: this.#numbers, entries });
    const number = { value, known: entries.length, total: wanted.length };
    this.#known.set(key, number);
    return number;
  }

  /** Entries that a module's number is made of: what the commit changed, or what is there. */
  entriesOf(measure: Measure, place: number, column: number): number[] {
    const { tree, rowAt, placeOf } = this.#rows;
    const module = tree[place];
    const end = module?.kind === 'module' ? module.end : place;
    const { starts, rows, kinds } = this.#states.index.changes;
    const entries: number[] = [];
    if (MEASURE_LOOKS[measure].source === 'differences') {
      for (let entry = starts[column] ?? 0; entry < (starts[column + 1] ?? 0); entry++) {
        const at = placeOf[rows[entry] ?? -1] ?? -1;
        if (at > place && at < end && kinds[entry] !== REMOVED && kinds[entry] !== ADDED && kinds[entry] !== RENAMED) entries.push(entry);
      }
      return entries;
    }
    for (let at = place + 1; at < end; at++) {
      const row = rowAt[at] ?? -1;
      const entry = row < 0 ? -1 : (this.#states.statesOf(row)[column] ?? -1);
      if (entry >= 0 && kinds[entry] !== REMOVED) entries.push(entry);
    }
    return entries;
  }
}
