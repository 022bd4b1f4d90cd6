import type { GraphView } from '../../shared/model/graph';
import { isShownByUsers } from './graphConstants';
import type { GraphItem } from './graphScene';
import type { NamePattern } from './namePattern';

/** A row of the outline: a group before what it holds, then its operators in the order of the graph. `end` is the index after its last row. */
export interface OutlineRow {
  readonly kind: 'module' | 'item';
  readonly id: string;
  readonly item: GraphItem;
  readonly label: string;
  /** Whole name of the operator, whole path of the group. */
  readonly name: string;
  /** Behind the label: the operator of a node. */
  readonly note: string;
  readonly depth: number;
  readonly end: number;
}

/** All groups and operators as a tree; functions stand beside the main graph. The whole main graph itself has no row. */
export function buildOutline(view: GraphView): readonly OutlineRow[] {
  const groupsIn = listBy(view.groups.length, (add) => {
    view.groups.forEach(({ parent }, group) => {
      if (parent >= 0) add(parent, group);
    });
  });
  const nodesIn = listBy(view.groups.length, (add) => {
    view.nodes.group.forEach((group, node) => {
      if (!isShownByUsers(view, node)) add(group, node);
    });
  });
  const rows: OutlineRow[] = [];
  const open: { readonly group: number; readonly row: number; readonly depth: number; children: readonly GraphItem[]; next: number }[] = [];
  const enter = (group: number, row: number, depth: number) => {
    const children = inOrder(view, groupsIn[group] ?? [], nodesIn[group] ?? []);
    open.push({ group, row, depth, children, next: 0 });
  };
  const roots = view.groups.flatMap((group, index) => (group.parent < 0 ? [index] : []));
  for (const root of roots) {
    if (root === 0) enter(root, -1, 0);
    else {
      rows.push(groupRow(view, root, 0));
      enter(root, rows.length - 1, 1);
    }
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const child = frame.children[frame.next++];
      if (child === undefined) {
        open.pop();
        const row = rows[frame.row];
        if (row !== undefined) rows[frame.row] = { ...row, end: rows.length };
      } else if (child.kind === 'node') rows.push(nodeRow(view, child.ref, { depth: frame.depth, at: rows.length }));
      else {
        rows.push(groupRow(view, child.ref, frame.depth));
        enter(child.ref, rows.length - 1, frame.depth + 1);
      }
    }
  }
  return rows;
}

/** The rows that fit, with the groups around them. */
export function filterOutline(rows: readonly OutlineRow[], fits: (row: OutlineRow) => boolean): readonly OutlineRow[] {
  const kept = new Uint8Array(rows.length);
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (row === undefined) continue;
    // The rows inside have been looked at already.
    if (fits(row) || (row.kind === 'module' && kept.subarray(at + 1, row.end).includes(1))) kept[at] = 1;
  }
  const before = new Uint32Array(rows.length + 1);
  for (let at = 0; at < rows.length; at++) before[at + 1] = (before[at] ?? 0) + (kept[at] ?? 0);
  return rows.flatMap((row, at) => (kept[at] === 1 ? [{ ...row, end: before[row.end] ?? 0 }] : []));
}

/** Rows whose name, operator or both together fit the pattern. */
export function fitsPattern(pattern: NamePattern): (row: OutlineRow) => boolean {
  return ({ name, note }) => pattern.fits(name) || (note !== '' && (pattern.fits(note) || pattern.fits(`${name} ${note}`)));
}

function groupRow(view: GraphView, group: number, depth: number): OutlineRow {
  const { label, path } = view.groups[group] ?? { label: '', path: '' };
  return { kind: 'module', id: `g:${group}`, item: { kind: 'group', ref: group }, label: label || path, name: path || label, note: '', depth, end: 0 };
}

function nodeRow(view: GraphView, node: number, { depth, at }: { readonly depth: number; readonly at: number }): OutlineRow {
  const name = view.nodes.names[node] ?? '';
  const operator = view.operators[view.nodes.operator[node] ?? -1] ?? '';
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.', name.length - 2)) + 1);
  const note = last === operator ? '' : operator;
  return { kind: 'item', id: `n:${node}`, item: { kind: 'node', ref: node }, label: last || operator, name: name || operator, note, depth, end: at + 1 };
}

/** Groups stand where their operators stand on the average: a constant at the very beginning belongs to who uses it, however late. */
function inOrder(view: GraphView, groups: readonly number[], nodes: readonly number[]): readonly GraphItem[] {
  if (groups.length === 0) return nodes.map((ref) => ({ kind: 'node', ref }));
  const middles = middleNodes(view);
  const items: { readonly item: GraphItem; readonly at: number }[] = nodes.map((ref) => ({ item: { kind: 'node', ref }, at: ref }));
  for (const ref of groups) items.push({ item: { kind: 'group', ref }, at: middles[ref] ?? 0 });
  return items.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

const MIDDLE_NODES = new WeakMap<GraphView, Float64Array>();

/** Mean place of the nodes inside each group, at any depth. */
function middleNodes(view: GraphView): Float64Array {
  const known = MIDDLE_NODES.get(view);
  if (known !== undefined) return known;
  const sums = new Float64Array(view.groups.length);
  const counts = new Float64Array(view.groups.length);
  view.nodes.group.forEach((own, node) => {
    for (let group = own, depth = 0; group >= 0 && depth <= view.groups.length; depth++) {
      sums[group] = (sums[group] ?? 0) + node;
      counts[group] = (counts[group] ?? 0) + 1;
      group = view.groups[group]?.parent ?? -1;
    }
  });
  const middles = sums.map((sum, group) => sum / Math.max(1, counts[group] ?? 0));
  MIDDLE_NODES.set(view, middles);
  return middles;
}

function listBy(count: number, fill: (add: (key: number, item: number) => void) => void): readonly (readonly number[])[] {
  const lists: number[][] = Array.from({ length: count }, () => []);
  fill((key, item) => lists[key]?.push(item));
  return lists;
}
