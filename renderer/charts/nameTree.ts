import { compareNatural } from './compareNatural';

/** A row of a tree of modules: a module, or an item at the end of its name. `end` of a module is the index after its last row. */
export type NameRow<T> =
  | { readonly kind: 'module'; readonly id: string; readonly label: string; readonly depth: number; readonly end: number }
  | { readonly kind: 'item'; readonly id: string; readonly label: string; readonly depth: number; readonly item: T };

/** What the functions on rows of any such tree look at. */
export interface TreePlace {
  readonly kind: string;
  readonly id: string;
  readonly depth: number;
  readonly end?: number;
}

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

interface Node<T> {
  readonly label: string;
  /** What stands before it in the names, for a label of several parts: as in the name, so that it can be searched and copied. */
  readonly separator: string;
  readonly modules: Map<string, Node<T>>;
  readonly items: { readonly label: string; readonly separator: string; readonly item: T }[];
}

interface NameTreeOptions<T> {
  readonly name: (item: T) => string;
  readonly id: (item: T) => string;
}

/**
 * The module tree of names: modules and items in natural order (`layers/2` before `layers/10`), a module with a single child merged with it, each
 * module before what it holds. Without recursion, linear in the length of the names but for the sorting.
 */
export function buildNameTree<T>(items: readonly T[], { name: nameOf, id }: NameTreeOptions<T>): NameRow<T>[] {
  const root: Node<T> = { label: '', separator: '', modules: new Map(), items: [] };
  for (const item of items) {
    const name = nameOf(item);
    const parts = splitName(name);
    const last = parts.pop() ?? '';
    let node = root;
    let start = 0;
    for (const part of parts) {
      let child = node.modules.get(part);
      if (child === undefined) {
        child = { label: part, separator: name.charAt(start - 1), modules: new Map(), items: [] };
        node.modules.set(part, child);
      }
      node = child;
      start += part.length + 1;
    }
    node.items.push({ label: last, separator: name.charAt(start - 1), item });
  }
  return flatten(root, id);
}

type Pending<T> =
  | { readonly kind: 'node'; readonly node: Node<T>; readonly label: string; readonly id: string; readonly depth: number }
  | { readonly kind: 'item'; readonly label: string; readonly depth: number; readonly item: T }
  | { readonly kind: 'close'; readonly at: number };

function flatten<T>(root: Node<T>, idOf: (item: T) => string): NameRow<T>[] {
  const rows: NameRow<T>[] = [];
  const stack: Pending<T>[] = [];
  pushChildren(stack, root, { depth: 0, id: '' });
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    switch (next.kind) {
      case 'close': {
        const module = rows[next.at];
        if (module?.kind === 'module') rows[next.at] = { ...module, end: rows.length };
        break;
      }
      case 'item':
        rows.push({ ...next, id: idOf(next.item) });
        break;
      case 'node': {
        const merged = mergeChain(next.node, next.label, next.id);
        if (merged.kind === 'item') {
          stack.push({ ...merged, depth: next.depth });
          break;
        }
        const at = rows.length;
        rows.push({ kind: 'module', id: merged.id, label: merged.label, depth: next.depth, end: at + 1 });
        stack.push({ kind: 'close', at });
        pushChildren(stack, merged.node, { depth: next.depth + 1, id: merged.id });
        break;
      }
    }
  }
  return rows;
}

/** Goes down while there is only one child; the labels on the way are joined. */
function mergeChain<T>(
  start: Node<T>,
  startLabel: string,
  startId: string,
): { kind: 'node'; node: Node<T>; label: string; id: string } | { kind: 'item'; label: string; item: T } {
  let [node, label, id] = [start, startLabel, startId];
  for (;;) {
    const [only] = node.items;
    const [module] = node.modules.values();
    if (only !== undefined && node.items.length === 1 && node.modules.size === 0) {
      return { kind: 'item', label: `${label}${only.separator}${only.label}`, item: only.item };
    }
    if (module === undefined || node.modules.size !== 1 || node.items.length > 0) return { kind: 'node', node, label, id };
    label = `${label}${module.separator}${module.label}`;
    id = moduleId(id, module.label);
    node = module;
  }
}

function pushChildren<T>(stack: Pending<T>[], node: Node<T>, { depth, id }: { depth: number; id: string }): void {
  const children: Exclude<Pending<T>, { kind: 'close' }>[] = node.items.map(({ label, item }) => ({ kind: 'item', label, item, depth }));
  for (const module of node.modules.values()) children.push({ kind: 'node', node: module, label: module.label, id: moduleId(id, module.label), depth });
  children.sort((a, b) => compareNatural(a.label, b.label));
  // The stack gives back the last one first.
  for (const child of children.reverse()) stack.push(child);
}

/** A separator that no part of a name can hold by itself at that place keeps ids of modules apart. */
function moduleId(parent: string, label: string): string {
  return `${parent}\0${label}`;
}

/** Indices of the rows in view when the modules in `collapsed` (by id) are closed. */
export function visibleRows(tree: readonly TreePlace[], collapsed: ReadonlySet<string>): Int32Array {
  const visible = new Int32Array(tree.length);
  let length = 0;
  for (let index = 0; index < tree.length; ) {
    const row = tree[index];
    if (row === undefined) break;
    visible[length++] = index;
    index = row.kind === 'module' && collapsed.has(row.id) ? (row.end ?? index + 1) : index + 1;
  }
  return visible.subarray(0, length);
}

/** Index of the module that holds a row; `undefined` at the top. */
export function parentRow(tree: readonly TreePlace[], index: number): number | undefined {
  const depth = tree[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above--) {
    if ((tree[above]?.depth ?? 0) < depth) return above;
  }
  return undefined;
}
