import { type ComparedGroup, comparedName } from '../../../shared/model/comparison';
import type { Tolerance } from '../../charts/closenessBounds';
import { closedAtFirst } from '../../charts/collapsedModules';
import { compareNatural } from '../../charts/compareNatural';
import type { NamePattern } from '../../charts/namePattern';
import { buildNameTree } from '../../charts/nameTree';
import { canMeasure, elementsOf, judgeRow, type RowJudgement, type RowNumbers, type ShownChange, wantsNumbers } from '../../state/comparedNumbers';

/** A row of the comparison with what is known of it. */
export interface JudgedRow extends RowJudgement {
  /** Place in the comparison. */
  readonly index: number;
  readonly name: string;
  readonly group: ComparedGroup;
  readonly numbers: RowNumbers | undefined;
}

/** What a module holds, over the rows under it whose values can be compared. */
export interface RollUp {
  readonly groups: number;
  /** Rows that are not unchanged and not within the tolerance. */
  readonly changedGroups: number;
  readonly elements: number;
  readonly beyond: { readonly least: number; readonly most: number };
  readonly maxAbs: number;
  /** Sums over all elements: of |b - a|, and of its square. */
  readonly sumAbs: number;
  readonly squares: number;
  readonly signFlips: number;
  readonly maxUlp: number | null;
  /** Rows that are still to be measured. */
  readonly missing: number;
}

export type ShownRow =
  | { readonly kind: 'module'; readonly id: string; readonly label: string; readonly depth: number; readonly end: number; readonly sums: RollUp }
  | { readonly kind: 'item'; readonly id: string; readonly label: string; readonly depth: number; readonly item: JudgedRow };

/** Column that rows are ordered by; `null`: the tree. */
export type Order = { readonly column: string; readonly descending: boolean } | null;

export function judgeRows(
  groups: readonly ComparedGroup[],
  { numbersOf, tolerance }: { readonly numbersOf: (index: number) => RowNumbers | undefined; readonly tolerance: Tolerance },
): JudgedRow[] {
  return groups.map((group, index) => {
    const numbers = numbersOf(index);
    return { index, name: comparedName(group), group, numbers, ...judgeRow(group, numbers, tolerance) };
  });
}

export interface RowFilter {
  readonly pattern: NamePattern;
  /** Kinds of change that are left out. */
  readonly hidden: ReadonlySet<ShownChange>;
}

/** A renamed group is found by either of its names. */
export function filterRows(rows: readonly JudgedRow[], { pattern, hidden }: RowFilter): readonly JudgedRow[] {
  return rows.filter(
    ({ change, group, name }) => !hidden.has(change) && (pattern.fits(name) || (group.a !== null && group.a.name !== name && pattern.fits(group.a.name))),
  );
}

/** The rows as a tree of modules with their sums. */
export function treeOfRows(rows: readonly JudgedRow[]): ShownRow[] {
  const tree = buildNameTree(rows, { name: ({ name }) => name, id: idOfRow }).map((row): ShownRow => (row.kind === 'module' ? { ...row, sums: NOTHING } : row));
  // From the end: the modules in a module are complete before it.
  for (let at = tree.length - 1; at >= 0; at--) {
    const module = tree[at];
    if (module?.kind === 'module') tree[at] = { ...module, sums: sumChildren(tree, at + 1, module.end) };
  }
  return tree;
}

/** Modules that are closed until the user opens them: in a long tree those below the top, and everywhere those in which nothing changed. */
export function closedModules(tree: readonly ShownRow[]): ReadonlySet<string> {
  const closed = new Set(closedAtFirst(tree));
  // Known from the start: nothing may close while rows are being measured.
  const changedAfter = new Int32Array(tree.length + 1);
  for (let at = tree.length - 1; at >= 0; at--) {
    const row = tree[at];
    changedAfter[at] = (changedAfter[at + 1] ?? 0) + (row?.kind === 'item' && row.item.group.change !== 'unchanged' ? 1 : 0);
  }
  for (const [at, row] of tree.entries()) {
    if (row.kind === 'module' && changedAfter[at] === changedAfter[row.end] && changedAfter[0] !== 0) closed.add(row.id);
  }
  return closed;
}

/** The rows as a list, greatest number first; what has no number comes last. */
export function sortRows(
  rows: readonly JudgedRow[],
  { value, descending }: { readonly value: (row: JudgedRow) => number | string | null; readonly descending: boolean },
): ShownRow[] {
  const keyed = rows.map((item) => ({ item, value: value(item) }));
  const sign = descending ? -1 : 1;
  keyed.sort((x, y) => {
    if (x.value === null || y.value === null) return x.value === y.value ? x.item.index - y.item.index : x.value === null ? 1 : -1;
    const order = typeof x.value === 'string' || typeof y.value === 'string' ? compareNatural(String(x.value), String(y.value)) : x.value - y.value;
    return sign * order || x.item.index - y.item.index;
  });
  return keyed.map(({ item }) => ({ kind: 'item', id: idOfRow(item), label: item.name, depth: 0, item }));
}

export function idOfRow({ group, name }: JudgedRow): string {
  return `${group.b === null ? 'a' : 'b'}:${name}`;
}

const NOTHING: RollUp = {
  groups: 0,
  changedGroups: 0,
  elements: 0,
  beyond: { least: 0, most: 0 },
  maxAbs: 0,
  sumAbs: 0,
  squares: 0,
  signFlips: 0,
  maxUlp: null,
  missing: 0,
};

function sumChildren(tree: readonly ShownRow[], from: number, end: number): RollUp {
  let sums = NOTHING;
  for (let at = from; at < end; ) {
    const row = tree[at];
    if (row === undefined) break;
    sums = add(sums, row.kind === 'module' ? row.sums : sumsOf(row.item));
    at = row.kind === 'module' ? row.end : at + 1;
  }
  return sums;
}

function sumsOf({ group, change, beyond, numbers }: JudgedRow): RollUp {
  const measured = numbers?.numbers ?? null;
  const isCompared = canMeasure(group);
  return {
    groups: 1,
    changedGroups: change === 'unchanged' || change === 'within' || change === 'unknown' ? 0 : 1,
    elements: isCompared ? elementsOf(group) : 0,
    beyond: beyond ?? NOTHING.beyond,
    maxAbs: measured?.maxAbs ?? 0,
    sumAbs: measured === null ? 0 : measured.meanAbs * measured.elements,
    squares: measured === null ? 0 : measured.norm ** 2,
    signFlips: measured?.signFlips ?? 0,
    maxUlp: measured?.maxUlp ?? null,
    missing: wantsNumbers(group) && numbers === undefined ? 1 : 0,
  };
}

function add(a: RollUp, b: RollUp): RollUp {
  return {
    groups: a.groups + b.groups,
    changedGroups: a.changedGroups + b.changedGroups,
    elements: a.elements + b.elements,
    beyond: { least: a.beyond.least + b.beyond.least, most: a.beyond.most + b.beyond.most },
    maxAbs: Math.max(a.maxAbs, b.maxAbs),
    sumAbs: a.sumAbs + b.sumAbs,
    squares: a.squares + b.squares,
    signFlips: a.signFlips + b.signFlips,
    maxUlp: a.maxUlp === null ? b.maxUlp : b.maxUlp === null ? a.maxUlp : Math.max(a.maxUlp, b.maxUlp),
    missing: a.missing + b.missing,
  };
}
