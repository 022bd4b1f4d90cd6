import type { OnnxGraph, OnnxModel } from '../model/onnxModel';
import type { ScopeOwner } from './scopeIndex';

export function isGraph(owner: ScopeOwner): owner is OnnxGraph {
  return 'parent' in owner;
}

/**
 * The scope around one: the graph or function whose node holds the body; the main graph for the graphs of training, which are run joined
 * with it (TrainingInfoProto in onnx.proto); `null` for the main graph and for functions, which see nothing outside.
 */
export function outerOf(model: OnnxModel, owner: ScopeOwner): ScopeOwner | null {
  if (!isGraph(owner) || owner === model.graph) return null;
  return owner.parent?.graph ?? model.graph;
}

/** The scopes around one, nearest first, without itself. */
export function* outwards(model: OnnxModel, owner: ScopeOwner): Generator<ScopeOwner> {
  for (let outer = outerOf(model, owner); outer !== null; outer = outerOf(model, outer)) yield outer;
}
