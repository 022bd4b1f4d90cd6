import type { ChangedGroup, GroupChange } from '../../shared/model/checkpoint';
import { buildNameTree } from './nameTree';

/** What a module holds, over all groups under it. Groups that the commit removed count only as removed. */
export interface ModuleTotals {
  readonly groups: number;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly changes: { readonly [K in GroupChange]: number };
}

export type TreeRow =
  | { readonly kind: 'module'; readonly id: string; readonly label: string; readonly depth: number; readonly totals: ModuleTotals; readonly end: number }
  | { readonly kind: 'group'; readonly id: string; readonly label: string; readonly depth: number; readonly entry: ChangedGroup };

/** All rows of the tree, each module before what it holds; `end` of a module is the index after its last row. */
export type ModuleTree = readonly TreeRow[];

/** The module tree of parameter groups (`buildNameTree`), with what each module holds. */
export function buildModuleTree(groups: readonly ChangedGroup[]): ModuleTree {
  const rows = buildNameTree(groups, {
    name: ({ group }) => group.name,
    id: ({ change, group }) => `g:${change === 'removed' ? 'removed:' : ''}${group.name}`,
  }).map(
    (row): TreeRow =>
      row.kind === 'module' ? { ...row, totals: NOTHING } : { kind: 'group', id: row.id, label: row.label, depth: row.depth, entry: row.item },
  );
  // From the end: the modules in a module are complete before it.
  for (let at = rows.length - 1; at >= 0; at--) sumModule(rows, at);
  return rows;
}

const NOTHING: ModuleTotals = { groups: 0, bytes: 0, storedBytes: 0, changes: { added: 0, removed: 0, renamed: 0, modified: 0, unchanged: 0 } };

/** Sums up the direct children. */
function sumModule(rows: TreeRow[], at: number): void {
  const module = rows[at];
  if (module?.kind !== 'module') return;
  const totals = { groups: 0, bytes: 0, storedBytes: 0, changes: { added: 0, removed: 0, renamed: 0, modified: 0, unchanged: 0 } };
  for (let index = at + 1; index < module.end; ) {
    const row = rows[index];
    if (row === undefined) break;
    addTotals(totals, row.kind === 'module' ? row.totals : totalsOfGroup(row.entry));
    index = row.kind === 'module' ? row.end : index + 1;
  }
  rows[at] = { ...module, totals };
}

function totalsOfGroup({ change, group }: ChangedGroup): ModuleTotals {
  const changes = { ...NOTHING.changes, [change]: 1 };
  if (change === 'removed') return { groups: 0, bytes: 0, storedBytes: 0, changes };
  return { groups: 1, bytes: group.bytes, storedBytes: group.storedBytes, changes };
}

type Totals = { groups: number; bytes: number; storedBytes: number; changes: { [K in GroupChange]: number } };

function addTotals(sum: Totals, more: ModuleTotals): void {
  sum.groups += more.groups;
  sum.bytes += more.bytes;
  sum.storedBytes += more.storedBytes;
  sum.changes.added += more.changes.added;
  sum.changes.removed += more.changes.removed;
  sum.changes.renamed += more.changes.renamed;
  sum.changes.modified += more.changes.modified;
  sum.changes.unchanged += more.changes.unchanged;
}

/** Totals of all groups. */
export function sumGroups(groups: readonly ChangedGroup[]): ModuleTotals {
  const totals: Totals = { groups: 0, bytes: 0, storedBytes: 0, changes: { added: 0, removed: 0, renamed: 0, modified: 0, unchanged: 0 } };
  for (const entry of groups) addTotals(totals, totalsOfGroup(entry));
  return totals;
}
