import { CheckpointError } from '../../../shared/contract/errors';
import type { GraphView } from '../../../shared/model/graph';
import type { NodeAddress } from '../../../shared/model/graphEdit';

/**
 * Nodes that a user named: by name, by `#12` (position in the graph, from 0), or a whole module by its path.
 * @throws CheckpointError not-found; invalid-request when a name is that of several nodes
 */
export function nodesOf(view: GraphView, scope: string, names: readonly string[]): NodeAddress[] {
  const within = view.scopes.findIndex(({ path }) => path === scope);
  if (within < 0) throw new CheckpointError('not-found', `The model has no graph ${scope}.`);
  return names.flatMap((name) => find(view, within, name).map((node) => ({ graph: scope, index: view.nodes.index[node] ?? 0 })));
}

function find(view: GraphView, scope: number, name: string): number[] {
  const nodes = view.nodes.names.flatMap((_, node) => (view.nodes.scope[node] === scope ? [node] : []));
  const position = /^#(\d+)$/.exec(name)?.[1];
  if (position !== undefined) {
    const found = nodes.filter((node) => view.nodes.index[node] === Number(position));
    if (found.length > 0) return found;
  }
  const named = nodes.filter((node) => view.nodes.names[node] === name);
  if (named.length === 1) return named;
  if (named.length > 1) {
    const places = named.map((node) => `#${view.nodes.index[node]}`).join(', ');
    throw new CheckpointError('invalid-request', `${named.length} nodes are called ${name}: ${places}.`, { hint: 'Name one of them by its number.' });
  }
  const path = name.replace(/^\//, '').replaceAll('.', '/');
  const module = nodes.filter((node) => (view.nodes.names[node] ?? '').replace(/^\//, '').startsWith(`${path}/`));
  if (module.length > 0) return module;
  throw new CheckpointError('not-found', `The graph has no node or module ${name}.`, { hint: 'A node without a name is named by its position: #12.' });
}
