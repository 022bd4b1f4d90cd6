import type { OnnxNode } from '../../model/onnxModel';
import { isGraph } from '../../scopes/outerOf';
import type { Use } from '../../scopes/scopeIndex';
import { placeOfNode, shownName } from '../places';
import type { PlanDraft } from '../planDraft';
import type { Side, SplicedPart } from './spliceTypes';

export interface SplicePlace {
  /** The piece stands in front of the node at this position of the main graph; behind all at the number of nodes. */
  readonly position: number;
  /** Nodes from before that position that must come behind the piece, because they take what it gives. */
  readonly moved: readonly OnnxNode[];
}

/**
 * Where a piece stands so that every node still comes behind what it takes: behind all that goes into it. Nodes in front of that which take
 * what it gives move behind it, with those that depend on them. What would go in a circle is refused.
 */
export function splicePlace(draft: PlanDraft, here: Side, part: SplicedPart): SplicePlace {
  const { model, index } = here;
  const makers = new Map<OnnxNode, string>();
  for (const to of part.connected.values()) if (to.node !== null && to.owner === model.graph) makers.set(to.node, to.name);
  const position = Math.max(0, ...[...makers.keys()].map((node) => node.index + 1));
  const depending = new Set<OnnxNode>();
  const waiting: OnnxNode[] = [];
  const follow = (use: Use) => {
    const node = topNode(here, use);
    if (node === null || depending.has(node)) return;
    depending.add(node);
    waiting.push(node);
  };
  for (const value of part.replaced.values()) index.uses(value).forEach(follow);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const name = makers.get(node);
    if (name !== undefined)
      draft.refusals.push(`The nodes would take ${shownName(name)}, which ${placeOfNode(node)} makes from what they give: that would go in a circle.`);
    for (const { text } of node.outputs) {
      const output = index.definition(model.graph, text);
      if (output !== null) index.uses(output).forEach(follow);
    }
  }
  return { position, moved: [...depending].filter((node) => node.index < position).sort((a, b) => a.index - b.index) };
}

/** The node of the main graph that a use lies in; `null` for outputs of the graph and for training. */
function topNode({ model }: Side, { owner, node }: Use): OnnxNode | null {
  let at = owner;
  let top = node;
  while (at !== model.graph) {
    if (!isGraph(at) || at.parent === null) return null;
    top = at.parent.graph.nodes[at.parent.node] ?? null;
    at = at.parent.graph;
  }
  return top;
}
