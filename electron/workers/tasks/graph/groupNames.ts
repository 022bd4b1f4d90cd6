import type { GraphView } from '../../../../shared/model/graph';
import { baseOffsets, type Piece } from '../../../bytes/pieces';
import type { OnnxModel } from '../../../onnx/model/onnxModel';
import type { ReadGraph } from './sharedModel';

/** Name of the parameter group that a checkpoint has for a tensor of a graph: see formats/onnx. */
export function groupName(graphPath: string, name: string): string {
  return graphPath === '' ? name : `${graphPath}/${name}`;
}

/**
 * The view of an edited model, whose initializers are known by the groups that the file still has: one that was renamed keeps its statistics,
 * one with new values has none.
 */
export function withGroupsOfBase(edited: ReadGraph, base: ReadGraph, pieces: readonly Piece[]): GraphView {
  const groups = new Map<string, string>();
  for (const [key, index] of payloads(base)) {
    const group = base.view.initializers[index]?.group;
    if (group !== null && group !== undefined) groups.set(key, group);
  }
  const baseOffset = baseOffsets(pieces);
  const initializers = edited.view.initializers.map((initializer) => ({ ...initializer, group: null as string | null }));
  for (const [key, index] of payloads(edited)) {
    const [kind, offset] = key.split(' ');
    const before = kind === 'raw' ? baseOffset(Number(offset)) : null;
    const initializer = initializers[index];
    if (initializer !== undefined) initializer.group = groups.get(before === null ? key : `raw ${before}`) ?? null;
  }
  return { ...edited.view, initializers };
}

/** Where the values of each initializer of the view lie, as a text; those without a payload of their own by their name. */
function payloads({ model, view }: ReadGraph): [string, number][] {
  const raw = new Map<string, number>();
  for (const graph of model.graphs) for (const { name, raw: data } of graph.initializers) if (data !== null) raw.set(groupName(graph.path, name), data.offset);
  return view.initializers.map(({ name, scope }, index) => {
    const key = groupName(view.scopes[scope]?.path ?? '', name);
    const offset = raw.get(key);
    return [offset === undefined ? `name ${key}` : `raw ${offset}`, index];
  });
}

/** Names of the groups that a checkpoint has for the tensors of a model. */
export function groupNames(model: OnnxModel): Set<string> {
  const names = new Set<string>();
  // Sparse ones are two groups of a checkpoint, and have no statistics as one.
  for (const { path, initializers } of model.graphs) for (const { name } of initializers) names.add(groupName(path, name));
  for (const { path, nodes } of [...model.graphs, ...model.functions]) {
    for (const { op, domain, outputs } of nodes) if (op === 'Constant' && domain === '') for (const { text } of outputs) names.add(groupName(path, text));
  }
  return names;
}
