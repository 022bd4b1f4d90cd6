import { NO_VALUE } from '../../../shared/model/graph';
import type { OnnxModel, OnnxNode, OnnxTensor, OnnxValueInfo } from '../model/onnxModel';
import { isFunction, type ViewScope } from '../view/collectScopes';
import type { Wiring } from '../view/collectValues';
import { inferContent } from './inferContent';
import { RuleContext } from './ruleContext';
import { ruleFor } from './rules';
import { type Dims, refine, type TensorType } from './tensorType';

/** Elements of small tensors, as `readSmallTensors` gives them. */
export type SmallTensors = ReadonlyMap<OnnxTensor, readonly number[]>;

/** Most nodes take nothing whose elements are known. */
const NOTHING_KNOWN: (Dims | null)[] = [];

export interface InferredTypes {
  /** By value. */
  readonly types: readonly (TensorType | null)[];
  /** Sees every node with the types of its inputs and outputs, in order; the lists are the same ones each time. */
  readonly visit: (each: (node: number, at: { node: OnnxNode; inputs: (TensorType | null)[]; outputs: (TensorType | null)[] }) => void) => void;
}

/**
 * Types of all values: what the model declares, and what follows from it, node by node in the order of the file. Nothing is guessed: what
 * no rule gives stays open. Inputs of bodies have the types that the body declares.
 */
export function inferTypes(model: OnnxModel, scopes: readonly ViewScope[], options: { readonly wiring: Wiring; readonly small: SmallTensors }): InferredTypes {
  const { wiring, small } = options;
  const types: (TensorType | null)[] = new Array<TensorType | null>(wiring.names.length).fill(null);
  const contents = new Map<number, Dims>();
  declare(scopes, wiring, types);
  for (const { value, tensor, sparse, constant } of wiring.stored) {
    if (tensor === null || constant !== null) continue;
    types[value] = refine({ element: tensor.type, dims: sparse?.dims ?? tensor.dims }, types[value] ?? null);
    const content = sparse === null ? small.get(tensor) : undefined;
    // A default that a caller may override says nothing about the run.
    if (content !== undefined && ((wiring.role[value] ?? 0) & 1) === 0) contents.set(value, content);
  }
  for (const { value, tensor, constant } of wiring.stored) {
    const content = tensor === null || constant === null ? undefined : small.get(tensor);
    if (content !== undefined) contents.set(value, content);
  }
  // Plain loops: these are the hottest lines of a large model.
  const typesOf = (starts: Uint32Array, list: Uint32Array, node: number, found: (TensorType | null)[] = []) => {
    found.length = 0;
    for (let i = starts[node] ?? 0; i < (starts[node + 1] ?? 0); i++) {
      const value = list[i] ?? NO_VALUE;
      found.push(value === NO_VALUE ? null : (types[value] ?? null));
    }
    return found;
  };
  const contentsOf = (node: number) => {
    let found: (Dims | null)[] = NOTHING_KNOWN;
    const begin = wiring.inputStarts[node] ?? 0;
    for (let i = begin; i < (wiring.inputStarts[node + 1] ?? 0); i++) {
      const content = contents.get(wiring.inputs[i] ?? NO_VALUE);
      if (content === undefined) continue;
      if (found === NOTHING_KNOWN) found = new Array<Dims | null>((wiring.inputStarts[node + 1] ?? 0) - begin).fill(null);
      found[i - begin] = content;
    }
    return found;
  };
  for (const { owner, firstNode } of scopes) {
    const opsets = opsetsOf(isFunction(owner) ? owner.opsets : model.opsets);
    for (let at = 0; at < owner.nodes.length; at++) {
      const node = owner.nodes[at];
      const rule = node === undefined ? undefined : ruleFor(node.domain, node.op);
      if (node === undefined || rule === undefined) continue;
      const inputs = typesOf(wiring.inputStarts, wiring.inputs, firstNode + at);
      const context = new RuleContext(node, opsets.get(node.domain) ?? 1, inputs, contentsOf(firstNode + at));
      // An attribute that comes with a call may change anything.
      if (context.refers()) continue;
      const found = rule(context);
      const begin = wiring.outputStarts[firstNode + at] ?? 0;
      const end = wiring.outputStarts[firstNode + at + 1] ?? 0;
      for (let i = begin; i < end; i++) {
        const value = wiring.outputs[i] ?? NO_VALUE;
        if (value !== NO_VALUE) types[value] = refine(types[value] ?? null, found[i - begin] ?? null);
      }
      const first = begin < end ? (wiring.outputs[begin] ?? NO_VALUE) : NO_VALUE;
      const content = first === NO_VALUE || contents.has(first) ? null : inferContent(context, types[first] ?? null);
      if (content !== null) contents.set(first, content);
    }
  }
  return {
    types,
    visit(each) {
      const inputs: (TensorType | null)[] = [];
      const outputs: (TensorType | null)[] = [];
      for (const { owner, firstNode } of scopes) {
        for (let at = 0; at < owner.nodes.length; at++) {
          const node = owner.nodes[at];
          if (node === undefined) continue;
          typesOf(wiring.inputStarts, wiring.inputs, firstNode + at, inputs);
          typesOf(wiring.outputStarts, wiring.outputs, firstNode + at, outputs);
          each(firstNode + at, { node, inputs, outputs });
        }
      }
    },
  };
}

function opsetsOf(opsets: OnnxModel['opsets']): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const { domain, version } of opsets) highest.set(domain, Math.max(version, highest.get(domain) ?? 0));
  return highest;
}

function declare(scopes: readonly ViewScope[], wiring: Wiring, types: (TensorType | null)[]): void {
  for (const [scope, { owner }] of scopes.entries()) {
    const infos: readonly (readonly OnnxValueInfo[])[] = isFunction(owner) ? [owner.valueInfos] : [owner.inputs, owner.outputs, owner.valueInfos];
    for (const { name, type } of infos.flat()) {
      const value = wiring.byName[scope]?.get(name);
      if (value === undefined || type === null || type.kind !== 'tensor') continue;
      types[value] = refine(types[value] ?? null, {
        element: type.elementType,
        dims: type.dims?.map((dim) => (dim === '' || (typeof dim === 'number' && dim < 0) ? null : dim)) ?? null,
      });
    }
  }
}
