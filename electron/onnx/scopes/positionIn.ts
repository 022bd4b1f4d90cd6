import { isGraph } from './outerOf';
import type { ScopeOwner, Use } from './scopeIndex';

/** Position of the node of `owner` that a use lies in, at whatever depth; behind all nodes for an output of the graph, and for training. */
export function positionIn(owner: ScopeOwner, use: Use): number {
  if (use.owner === owner) return use.node?.index ?? Number.POSITIVE_INFINITY;
  for (let at: ScopeOwner = use.owner; isGraph(at) && at.parent !== null; at = at.parent.graph) if (at.parent.graph === owner) return at.parent.node;
  return Number.POSITIVE_INFINITY;
}
