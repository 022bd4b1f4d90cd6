import type { OnnxNode } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, ScopeIndex, ScopeOwner, Use } from '../scopes/scopeIndex';

/**
 * Values whose type or shape may depend on some uses of a value: outputs of the nodes that use it, what those feed, into bodies and out of
 * them. `start` itself is not among them, unless a loop leads back to it.
 */
export function downstreamOf(index: ScopeIndex, uses: readonly Use[]): ReadonlySet<Definition> {
  const reached = new Set<Definition>();
  const waiting: Definition[] = [];
  const reach = (owner: ScopeOwner, name: string) => {
    const definition = name === '' ? null : index.definition(owner, name);
    if (definition === null || reached.has(definition)) return;
    reached.add(definition);
    waiting.push(definition);
  };
  const touch = (owner: ScopeOwner, node: OnnxNode) => {
    for (const { text } of node.outputs) reach(owner, text);
    for (const { graphs } of node.attributes) for (const body of graphs) for (const { name } of body.inputs) reach(body, name);
  };
  const follow = ({ owner, node }: Use) => {
    if (node !== null) touch(owner, node);
    else if (isGraph(owner) && owner.parent !== null) {
      const holder = owner.parent.graph.nodes[owner.parent.node];
      if (holder !== undefined) touch(owner.parent.graph, holder);
    }
  };
  uses.forEach(follow);
  for (let definition = waiting.pop(); definition !== undefined; definition = waiting.pop()) index.uses(definition).forEach(follow);
  return reached;
}

/** Inputs whose value, not only its shape, decides the shape of the output, from the first of these on (operators of ONNX itself). */
const SHAPED_BY: ReadonlyMap<string, number> = new Map([
  ['Reshape', 1],
  ['Expand', 1],
  ['Tile', 1],
  ['Slice', 1],
  ['Pad', 1],
  ['Resize', 1],
  ['Upsample', 1],
  ['Squeeze', 1],
  ['Unsqueeze', 1],
  ['Split', 1],
  ['TopK', 1],
  ['OneHot', 1],
  ['ConstantOfShape', 0],
  ['Range', 0],
  ['CenterCropPad', 1],
  ['ReduceSum', 1],
  ['ReduceMean', 1],
  ['ReduceMax', 1],
  ['ReduceMin', 1],
  ['ReduceProd', 1],
  ['ReduceL1', 1],
  ['ReduceL2', 1],
  ['ReduceLogSum', 1],
  ['ReduceLogSumExp', 1],
  ['ReduceSumSquare', 1],
  ['Loop', 0],
  ['AffineGrid', 1],
  ['MaxUnpool', 2],
]);

/** Whether the output's shape depends on the value itself. */
export function decidesShape({ node, input }: Use): boolean {
  if (node === null || node.domain !== '') return false;
  const first = SHAPED_BY.get(node.op);
  return first !== undefined && input >= first;
}
