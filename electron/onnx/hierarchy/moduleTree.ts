import type { GroupKind } from '../../../shared/model/graph';

/** A group while the hierarchy is built. */
export interface TreeGroup {
  readonly kind: GroupKind;
  label: string;
  readonly path: string;
  readonly scope: number;
  /** Everything directly inside, in the order of the file: nodes, groups. */
  readonly children: (number | TreeGroup)[];
  /** Groups among them; made with the first. */
  byLabel: Map<string, TreeGroup> | null;
}

/** Direct children that a group may have before it is split into runs. */
export const MAX_CHILDREN = 300;
const RUN = 100;
/** How far from its regular place a run may end, so that few edges cross its end. */
const SLACK = 20;

export function treeGroup(kind: GroupKind, label: string, { path, scope }: { readonly path: string; readonly scope: number }): TreeGroup {
  return { kind, label, path, scope, children: [], byLabel: null };
}

/** Walks down from `root`, making groups on the way, which are added to `all` as well. */
export function descend(root: TreeGroup, path: readonly string[], kind: 'module' | 'values', all: TreeGroup[]): TreeGroup {
  let group = root;
  for (const label of path) {
    let next: TreeGroup | undefined = group.byLabel?.get(label);
    if (next === undefined) {
      next = treeGroup(kind, label, { path: group.path === '' ? label : `${group.path}/${label}`, scope: root.scope });
      group.byLabel ??= new Map();
      group.byLabel.set(label, next);
      group.children.push(next);
      all.push(next);
    }
    group = next;
  }
  return group;
}

/**
 * Leaves out groups that hold a single node, and joins those that hold nothing but one other group: `body/conv`. Not recursive in the tree's depth:
 * `groups` are all groups below the root, those further in later.
 */
export function simplify(groups: readonly TreeGroup[]): void {
  for (let at = groups.length - 1; at >= 0; at--) {
    const group = groups[at];
    if (group === undefined) continue;
    for (let i = 0; i < group.children.length; i++) {
      const child = group.children[i];
      if (typeof child !== 'object' || (child.kind !== 'module' && child.kind !== 'values')) continue;
      const [only] = child.children;
      if (child.children.length !== 1 || only === undefined) continue;
      if (typeof only === 'number') group.children[i] = only;
      else if (only.kind === 'module' || only.kind === 'values') {
        only.label = `${child.label}/${only.label}`;
        group.children[i] = only;
      }
    }
  }
}

export interface RunNames {
  /** Operator of a node. */
  readonly operator: (node: number) => string;
  /** Edges that cross from the children before to those from each position on. */
  readonly crossing: (children: readonly (number | TreeGroup)[]) => Float64Array;
}

/**
 * Splits what is too long to be drawn into consecutive runs, `Conv … Relu, 1 to 100`, and the runs again if there are too many. A run ends
 * where few edges cross.
 */
export function splitIntoRuns(group: TreeGroup, names: RunNames): void {
  if (group.children.length <= MAX_CHILDREN) return;
  let children = group.children.slice();
  let level = 0;
  while (children.length > MAX_CHILDREN) {
    const crossing = names.crossing(children);
    const runs: TreeGroup[] = [];
    for (let begin = 0; begin < children.length; ) {
      const end = runEnd(begin, children.length, crossing);
      const run = treeGroup('run', runLabel(children.slice(begin, end), begin, names), {
        path: `${group.path === '' ? '' : `${group.path}/`}${'.'.repeat(level)}${begin + 1} to ${end}`,
        scope: group.scope,
      });
      run.children.push(...children.slice(begin, end));
      runs.push(run);
      begin = end;
    }
    children = runs;
    level++;
  }
  group.children.splice(0, group.children.length, ...children);
}

function runEnd(begin: number, length: number, crossing: Float64Array): number {
  if (length - begin <= RUN + SLACK) return length;
  let best = begin + RUN;
  for (let end = begin + RUN - SLACK; end <= begin + RUN + SLACK; end++) {
    if ((crossing[end] ?? 0) < (crossing[best] ?? 0)) best = end;
  }
  return best;
}

function runLabel(children: readonly (number | TreeGroup)[], begin: number, names: RunNames): string {
  const nameOf = (child: number | TreeGroup | undefined) =>
    typeof child === 'number' ? names.operator(child) : child?.kind === 'run' ? '' : (child?.label ?? '');
  const ends = [nameOf(children[0]), nameOf(children.at(-1))].filter((name) => name !== '');
  return `${ends.length === 2 ? `${ends.join(' … ')}, ` : ''}${begin + 1} to ${begin + children.length}`;
}
