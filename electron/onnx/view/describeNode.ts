import { CheckpointError } from '../../../shared/contract/errors';
import type { GraphView, NodeAttribute, NodeDetail } from '../../../shared/model/graph';
import type { OnnxAttribute, OnnxModel, OnnxNode } from '../model/onnxModel';
import { documentationOf } from '../operators/documentationOf';
import { attributeText } from './attributeText';
import { collectScopes } from './collectScopes';

const owners = new WeakMap<GraphView, readonly (readonly OnnxNode[])[]>();

/** The node of the model that a node of its view is. @throws CheckpointError not-found */
export function nodeOfView(model: OnnxModel, view: GraphView, node: number): OnnxNode {
  const lists = owners.get(view) ?? collectScopes(model).map(({ owner }) => owner.nodes);
  owners.set(view, lists);
  const found = lists[view.nodes.scope[node] ?? -1]?.[view.nodes.index[node] ?? -1];
  if (found === undefined) throw new CheckpointError('not-found', `The graph has no node ${node}.`);
  return found;
}

/** Everything about one node that the view does not hold. @throws CheckpointError not-found */
export function describeNode(model: OnnxModel, view: GraphView, node: number): NodeDetail {
  const found = nodeOfView(model, view, node);
  const { path } = view.scopes[view.nodes.scope[node] ?? 0] ?? { path: '' };
  const bodies = new Map(view.scopes.map((scope, index) => [scope.path, index]));
  return {
    node,
    attributes: found.attributes.map((attribute) => describeAttribute(attribute, { bodies, path, index: found.index })),
    doc: found.doc,
    metadata: found.metadata,
    documentation: documentationOf(found.domain, found.op) ?? functionDocumentation(model, found),
    unknownFields: found.unknownFields,
  };
}

function describeAttribute(attribute: OnnxAttribute, at: { bodies: ReadonlyMap<string, number>; path: string; index: number }): NodeAttribute {
  const [body] = attribute.graphs;
  const scope = body === undefined ? undefined : at.bodies.get(body.path);
  return { name: attribute.name, type: attribute.type, text: attributeText(attribute), scope: scope ?? null };
}

/** A call of a function of the model is documented by the function. */
function functionDocumentation(model: OnnxModel, { domain, op, overload }: OnnxNode): NodeDetail['documentation'] {
  const func = model.functions.find((each) => each.domain === domain && each.name === op && each.overload === overload);
  if (func === undefined) return null;
  const inside = `A function of this model with ${func.nodes.length} ${func.nodes.length === 1 ? 'node' : 'nodes'}.`;
  return {
    summary: func.doc === '' ? inside : `${inside} ${func.doc}`,
    inputs: func.inputs.map(({ text }) => text),
    outputs: func.outputs.map(({ text }) => text),
    since: 1,
  };
}
