import { thousands } from '../base/thousands';
import type { ComparedChange } from './comparison';

/** One row of a comparison as far as its summary needs it. */
export interface SummarisedRow {
  /** As `comparedName` gives it. */
  readonly name: string;
  /** With the tolerance that is chosen: a group within it is `unchanged`. */
  readonly change: ComparedChange;
  /** Elements of the group, on the newer side where it is on both. */
  readonly elements: number;
  /** Elements that changed; `null` while that is not known, or where they cannot be compared. */
  readonly changed: number | null;
}

/** A module is named when it holds this much of all elements that changed. */
const MOST = 2 / 3;

/**
 * A comparison in a sentence: "24 of 150 groups changed, 0.3 % of the elements, mostly in decoder.layers.11." Rows that are not compared yet are
 * said to be so. Renamed groups count as changed only where elements of them changed.
 */
export function summariseComparison(rows: readonly SummarisedRow[]): string {
  if (rows.length === 0) return 'There are no groups to compare.';
  const of = (change: ComparedChange) => rows.filter((row) => row.change === change);
  const changed = rows.filter((row) => row.change === 'modified' || (row.change === 'renamed' && row.changed !== null && row.changed > 0));
  const [added, removed, renamed, unknown] = [of('added').length, of('removed').length, of('renamed').length, of('unknown').length];
  const total = rows.length;
  const others = [count(added, 'added'), count(removed, 'removed'), count(renamed, 'renamed')].filter((part) => part !== null);
  const open = unknown === 0 ? [] : [`${thousands(unknown)} not compared yet`];
  if (changed.length === 0) {
    if (unknown === total) return `None of ${groups(total)} is compared yet.`;
    if (others.length === 0 && unknown === 0) return total === 1 ? 'The group is unchanged.' : `All ${groups(total)} are unchanged.`;
    const none = unknown === 0 ? `No group of ${thousands(total)} changed in value` : `No change found among ${groups(total)} so far`;
    return `${[none, ...others, ...open].join(', ')}.`;
  }
  const start = `${thousands(changed.length)} of ${groups(total)} changed`;
  return `${[start, ...others, ...share(rows, changed, unknown > 0), ...open].join(', ')}.`;
}

function groups(total: number): string {
  return total === 1 ? '1 group' : `${thousands(total)} groups`;
}

function count(number: number, what: string): string | null {
  return number === 0 ? null : `${thousands(number)} ${what}`;
}

/** How much of the elements, and where. Nothing while a changed group has no number: it could be anything. */
function share(rows: readonly SummarisedRow[], changed: readonly SummarisedRow[], isPartial: boolean): string[] {
  if (isPartial || changed.some((row) => row.changed === null)) return [];
  const elements = rows.reduce((sum, row) => (row.change === 'added' || row.change === 'removed' ? sum : sum + row.elements), 0);
  const all = changed.reduce((sum, row) => sum + (row.changed ?? 0), 0);
  if (elements === 0 || all === 0) return [];
  const place = changed.length === 1 ? `in ${changed[0]?.name ?? ''}` : placeOf(changed, all);
  return [all === elements ? 'all elements' : `${formatShare(all / elements)} of the elements`, ...(place === null ? [] : [place])];
}

/** A share of a whole as per cent with two digits, never rounded to nothing or to everything. */
export function formatShare(part: number): string {
  const percent = part * 100;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent < 0.01) return 'less than 0.01 %';
  if (percent > 99.9) return 'more than 99.9 %';
  return `${Number(percent >= 10 ? percent.toFixed(percent > 99 ? 1 : 0) : percent.toPrecision(2))} %`;
}

/** The deepest module that holds most of what changed. */
function placeOf(changed: readonly SummarisedRow[], all: number): string | null {
  let within = changed;
  let prefix = '';
  let held = 0;
  for (;;) {
    const parts = new Map<string, { rows: SummarisedRow[]; elements: number }>();
    for (const row of within) {
      const end = row.name.slice(prefix.length).search(/[./]/);
      // A group is no module.
      if (end < 0) continue;
      const name = row.name.slice(0, prefix.length + end + 1);
      const part = parts.get(name) ?? { rows: [], elements: 0 };
      part.rows.push(row);
      part.elements += row.changed ?? 0;
      parts.set(name, part);
    }
    const best = [...parts].find(([, { elements }]) => elements >= MOST * all);
    if (best === undefined) break;
    [prefix, { rows: within, elements: held }] = best;
  }
  if (prefix === '') return null;
  return `${held === all ? 'all' : 'mostly'} in ${prefix.slice(0, -1)}`;
}
