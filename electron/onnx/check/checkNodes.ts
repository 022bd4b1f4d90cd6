import { placeInGraph, placeOfGraph, placeOfNode, shownName } from '../edits/places';
import type { OnnxNode } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { ScopeOwner } from '../scopes/scopeIndex';
import type { CheckContext } from './checkContext';

/** Names of nodes, operators and attributes. */
export function checkNodes(context: CheckContext): void {
  for (const owner of context.index.owners) {
    const first = new Map<string, OnnxNode>();
    const inFunction = isInFunction(owner);
    for (const node of owner.nodes) {
      checkNode(context, { owner, node, inFunction });
      const other = first.get(node.name);
      if (node.name === '') continue;
      if (other === undefined) first.set(node.name, node);
      else {
        const text = `Nodes ${other.index} and ${node.index} of ${placeOfGraph(owner)} are both called ${shownName(node.name)}: ONNX Runtime does not load such a model.`;
        context.warn('node-names', text, { owner, node });
      }
    }
  }
}

function checkNode(
  context: CheckContext,
  { owner, node, inFunction }: { readonly owner: ScopeOwner; readonly node: OnnxNode; readonly inFunction: boolean },
): void {
  const at = { owner, node };
  if (node.op === '') context.error('names', `${placeInGraph(`Node ${node.index}`, owner)} has no operator.`, at);
  if (node.inputs.length === 0 && node.outputs.length === 0) {
    context.warn('names', `${placeInGraph(placeOfNode(node), owner)} has neither inputs nor outputs.`, at);
  }
  if (node.attributes.length === 0) return;
  const names = new Set<string>();
  for (const { name, ref } of node.attributes) {
    if (name === '') context.error('attributes', `${placeInGraph(placeOfNode(node), owner)} has an attribute without a name.`, at);
    else if (names.has(name)) context.error('attributes', `${placeInGraph(placeOfNode(node), owner)} has two attributes ${shownName(name)}.`, at);
    names.add(name);
    if (ref !== '' && !inFunction) {
      const text = `The attribute ${shownName(name)} of ${placeInGraph(placeOfNode(node), owner)} takes its value from the call of a function, but is not in one.`;
      context.error('attributes', text, at);
    }
  }
}

function isInFunction(owner: ScopeOwner): boolean {
  for (let at = owner; isGraph(at); at = at.parent.graph) if (at.parent === null) return false;
  return true;
}
