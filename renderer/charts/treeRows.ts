import type { ChangedGroup, GroupChange } from '../../shared/model/checkpoint';
import { compareNatural } from './compareNatural';

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

/** Names nested deeper keep the rest in one piece: indenting further helps nobody, and a hostile name must not make a row per letter. */
const DEEPEST = 24;

/**
 * Parts of a group's name. Keys of nested dictionaries are joined by `/`, and PyTorch joins modules by `.`; both part. A separator that stands
 * at an end or beside another one belongs to the part before it, so that no part is empty and the parts together still tell names apart.
 */
export function splitName(name: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 1; at < name.length - 1 && parts.length < DEEPEST - 1; at++) {
    if (!isSeparator(name[at]) || at === start || isSeparator(name[at + 1])) continue;
    parts.push(name.slice(start, at));
    start = at + 1;
  }
  parts.push(name.slice(start));
  return parts;
}

function isSeparator(character: string | undefined): boolean {
  return character === '/' || character === '.';
}

interface Node {
  readonly label: string;
  /** What stands before it in the names, for a label of several parts: as in the name, so that it can be searched and copied. */
  readonly separator: string;
  readonly modules: Map<string, Node>;
  readonly groups: { readonly label: string; readonly separator: string; readonly entry: ChangedGroup }[];
}

/**
 * The module tree of parameter groups: modules and groups in natural order (`layers/2` before `layers/10`), a module with a single child merged
 * with it. Without recursion, linear in the length of the names but for the sorting.
 */
export function buildModuleTree(groups: readonly ChangedGroup[]): ModuleTree {
  const root: Node = { label: '', separator: '', modules: new Map(), groups: [] };
  for (const entry of groups) {
    const { name } = entry.group;
    const parts = splitName(name);
    const last = parts.pop() ?? '';
    let node = root;
    let start = 0;
    for (const part of parts) {
      let child = node.modules.get(part);
      if (child === undefined) {
        child = { label: part, separator: name.charAt(start - 1), modules: new Map(), groups: [] };
        node.modules.set(part, child);
      }
      node = child;
      start += part.length + 1;
    }
    node.groups.push({ label: last, separator: name.charAt(start - 1), entry });
  }
  return flatten(root);
}

type Pending =
  | { readonly kind: 'node'; readonly node: Node; readonly label: string; readonly id: string; readonly depth: number }
  | { readonly kind: 'group'; readonly label: string; readonly depth: number; readonly entry: ChangedGroup }
  | { readonly kind: 'close'; readonly at: number };

function flatten(root: Node): TreeRow[] {
  const rows: TreeRow[] = [];
  const stack: Pending[] = [];
  pushChildren(stack, root, { depth: 0, id: '' });
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    switch (next.kind) {
      case 'close':
        closeModule(rows, next.at);
        break;
      case 'group':
        rows.push({
          kind: 'group',
          id: `g:${next.entry.change === 'removed' ? 'removed:' : ''}${next.entry.group.name}`,
          label: next.label,
          depth: next.depth,
          entry: next.entry,
        });
        break;
      case 'node': {
        const merged = mergeChain(next.node, next.label, next.id);
        if (merged.kind === 'group') {
          stack.push({ ...merged, depth: next.depth });
          break;
        }
        const at = rows.length;
        rows.push({ kind: 'module', id: merged.id, label: merged.label, depth: next.depth, totals: NOTHING, end: at + 1 });
        stack.push({ kind: 'close', at });
        pushChildren(stack, merged.node, { depth: next.depth + 1, id: merged.id });
        break;
      }
    }
  }
  return rows;
}

/** Goes down while there is only one child; the labels on the way are joined. */
function mergeChain(
  start: Node,
  startLabel: string,
  startId: string,
): { kind: 'node'; node: Node; label: string; id: string } | { kind: 'group'; label: string; entry: ChangedGroup } {
  let [node, label, id] = [start, startLabel, startId];
  for (;;) {
    const [group] = node.groups;
    const [module] = node.modules.values();
    if (group !== undefined && node.groups.length === 1 && node.modules.size === 0)
      return { kind: 'group', label: `${label}${group.separator}${group.label}`, entry: group.entry };
    if (module === undefined || node.modules.size !== 1 || node.groups.length > 0) return { kind: 'node', node, label, id };
    label = `${label}${module.separator}${module.label}`;
    id = moduleId(id, module.label);
    node = module;
  }
}

function pushChildren(stack: Pending[], node: Node, { depth, id }: { depth: number; id: string }): void {
  const children: Exclude<Pending, { kind: 'close' }>[] = node.groups.map((group) => ({ kind: 'group', ...group, depth }));
  for (const module of node.modules.values()) children.push({ kind: 'node', node: module, label: module.label, id: moduleId(id, module.label), depth });
  children.sort((a, b) => compareNatural(a.label, b.label));
  // The stack gives back the last one first.
  for (const child of children.reverse()) stack.push(child);
}

/** A separator that no part of a name can hold by itself at that place keeps ids of modules apart. */
function moduleId(parent: string, label: string): string {
  return `${parent}\0${label}`;
}

const NOTHING: ModuleTotals = { groups: 0, bytes: 0, storedBytes: 0, changes: { added: 0, removed: 0, modified: 0, unchanged: 0 } };

/** Sums up the direct children: they are complete when their module closes. */
function closeModule(rows: TreeRow[], at: number): void {
  const module = rows[at];
  if (module?.kind !== 'module') return;
  const totals = { groups: 0, bytes: 0, storedBytes: 0, changes: { added: 0, removed: 0, modified: 0, unchanged: 0 } };
  for (let index = at + 1; index < rows.length; ) {
    const row = rows[index];
    if (row === undefined) break;
    addTotals(totals, row.kind === 'module' ? row.totals : totalsOfGroup(row.entry));
    index = row.kind === 'module' ? row.end : index + 1;
  }
  rows[at] = { ...module, totals, end: rows.length };
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
  sum.changes.modified += more.changes.modified;
  sum.changes.unchanged += more.changes.unchanged;
}

/** Totals of all groups. */
export function sumGroups(groups: readonly ChangedGroup[]): ModuleTotals {
  const totals: Totals = { groups: 0, bytes: 0, storedBytes: 0, changes: { added: 0, removed: 0, modified: 0, unchanged: 0 } };
  for (const entry of groups) addTotals(totals, totalsOfGroup(entry));
  return totals;
}

/** Indices of the rows in view when the modules in `collapsed` (by id) are closed. */
export function visibleRows(tree: ModuleTree, collapsed: ReadonlySet<string>): Int32Array {
  const visible = new Int32Array(tree.length);
  let length = 0;
  for (let index = 0; index < tree.length; ) {
    const row = tree[index];
    if (row === undefined) break;
    visible[length++] = index;
    index = row.kind === 'module' && collapsed.has(row.id) ? row.end : index + 1;
  }
  return visible.subarray(0, length);
}

/** Index of the module that holds a row; `undefined` at the top. */
export function parentRow(tree: ModuleTree, index: number): number | undefined {
  const depth = tree[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above--) {
    if ((tree[above]?.depth ?? 0) < depth) return above;
  }
  return undefined;
}
