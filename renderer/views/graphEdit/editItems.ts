import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import type { NodeAddress } from '../../../shared/model/graphEdit';
import type { GraphItem } from '../../charts/graphScene';
import { inputsOf } from '../../charts/graphScene';
import type { MenuItem } from '../../components/Menu';
import type { GraphEditStore } from '../../state/graphEditStore';
import type { OpenedGraph } from '../../state/graphStore';
import { addressOf } from '../../state/renameDraft';

interface EditSituation {
  readonly opened: OpenedGraph;
  readonly selection: GraphItem | null;
  readonly graphEdit: GraphEditStore;
}

/** Most initializers of a node that get menu items of their own. */
const MOST_TENSORS = 4;

/** What can be done with what is chosen, then with the whole model. */
export function editItems({ opened: { view }, selection, graphEdit }: EditSituation): readonly MenuItem[] {
  const { ask, startReview } = graphEdit.getState();
  const tensors = tensorsOf(view, selection);
  const nodes = nodesOf(view, selection);
  const module = modulePath(view, selection);
  const unnamed = unnamedNodes(view);
  const isMany = tensors.length > 1;
  const forTensor = (index: number): MenuItem[] => {
    const address = addressOf(view, index);
    if (address === null) return [];
    const which = isMany ? ` ${short(address.name)}` : '';
    return [
      { id: `rename-${index}`, label: `Rename initializer${which}…`, startsGroup: isMany, onSelect: () => ask({ kind: 'rename', initializer: index }) },
      { id: `value-${index}`, label: `Set value${isMany ? ' of' : ''}${which}…`, onSelect: () => ask({ kind: 'set-value', initializer: index }) },
      { id: `remove-${index}`, label: `Remove initializer${which}…`, onSelect: () => startReview({ kind: 'remove-initializer', address }) },
    ];
  };
  const isExternal = view.initializers.some(({ place }) => place === 'external');
  const named = namesForNodes(view, unnamed);
  return [
    ...tensors.slice(0, MOST_TENSORS).flatMap(forTensor),
    {
      id: 'remove-nodes',
      label: module !== '' ? `Remove module ${short(module)}…` : nodes.length > 1 ? `Remove ${nodes.length} nodes…` : 'Remove node…',
      startsGroup: tensors.length > 0,
      disabled: nodes.length === 0,
      onSelect: () => ask({ kind: 'remove-nodes', nodes, module }),
    },
    { id: 'splice', label: 'Add nodes of another model…', startsGroup: true, onSelect: () => ask({ kind: 'splice', like: module }) },
    { id: 'add-initializer', label: 'Add an initializer…', onSelect: () => ask({ kind: 'add-initializer' }) },
    {
      id: 'name-nodes',
      label: unnamed.length === 0 ? 'All nodes have names' : `Name ${unnamed.length} unnamed ${unnamed.length === 1 ? 'node' : 'nodes'}…`,
      startsGroup: true,
      disabled: unnamed.length === 0,
      onSelect: () => startReview({ kind: 'rename-nodes', renames: named }),
    },
    { id: 'externalise', label: 'Move values to a file…', onSelect: () => ask({ kind: 'externalise' }) },
    { id: 'inline', label: 'Take values of files into the model…', disabled: !isExternal, onSelect: () => startReview({ kind: 'inline' }) },
  ];
}

/** The chosen module, for which another model may have a like. */
function modulePath(view: GraphView, selection: GraphItem | null): string {
  const group = selection?.kind === 'group' ? view.groups[selection.ref] : undefined;
  return group?.kind === 'module' || group?.kind === 'values' ? group.path : '';
}

function tensorsOf(view: GraphView, selection: GraphItem | null): readonly number[] {
  if (selection?.kind === 'value') return indexOf(view, selection.ref);
  if (selection?.kind !== 'node') return [];
  return [...new Set([...inputsOf(view, selection.ref)].flatMap((value) => indexOf(view, value)))];
}

function indexOf(view: GraphView, value: number): readonly number[] {
  const index = value === NO_VALUE ? NO_VALUE : (view.values.initializer[value] ?? NO_VALUE);
  return index === NO_VALUE ? [] : [index];
}

/** The node that is chosen, or all nodes of the chosen group that stand in its own graph: bodies go with the node that holds them. */
function nodesOf(view: GraphView, selection: GraphItem | null): readonly number[] {
  if (selection?.kind === 'node') return [selection.ref];
  if (selection?.kind !== 'group' || selection.ref === 0) return [];
  const scope = view.groups[selection.ref]?.scope;
  const isInside = (group: number) => {
    for (let at = group; at >= 0; at = view.groups[at]?.parent ?? -1) if (at === selection.ref) return true;
    return false;
  };
  const inside = view.groups.map((_, group) => isInside(group));
  return [...view.nodes.group.keys()].filter((node) => inside[view.nodes.group[node] ?? 0] === true && view.nodes.scope[node] === scope);
}

function unnamedNodes(view: GraphView): readonly number[] {
  return view.nodes.names.flatMap((name, node) => (name === '' ? [node] : []));
}

/** A name for each node without one: its operator and a number that no node has yet, as exporters do. */
export function namesForNodes(view: GraphView, nodes: readonly number[]): readonly (NodeAddress & { readonly to: string })[] {
  const taken = new Set(view.nodes.names);
  const next = new Map<string, number>();
  return nodes.map((node) => {
    const operator = (view.operators[view.nodes.operator[node] ?? -1] ?? 'node').replace(/^.*\./, '');
    let at = next.get(operator) ?? 0;
    while (taken.has(`${operator}_${at}`)) at++;
    next.set(operator, at + 1);
    return { graph: view.scopes[view.nodes.scope[node] ?? 0]?.path ?? '', index: view.nodes.index[node] ?? 0, to: `${operator}_${at}` };
  });
}

function short(name: string): string {
  return name.length > 40 ? `${name.slice(0, 12)}…${name.slice(-24)}` : name;
}
