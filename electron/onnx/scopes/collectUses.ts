import type { NameSite, OnnxModel } from '../model/onnxModel';
import { isGraph } from './outerOf';
import type { Mention, ScopeOwner, Use } from './scopeIndex';

/** Inputs of nodes and outputs of the graph or function; an empty name is an optional input that is left out. */
export function* usesOf(owner: ScopeOwner): Generator<Use> {
  for (const node of owner.nodes) {
    for (const [input, { text, site }] of node.inputs.entries()) if (text !== '') yield { owner, node, input, name: text, site };
  }
  if (isGraph(owner)) {
    for (const [input, { name, nameSite }] of owner.outputs.entries()) {
      if (name !== '' && nameSite !== null) yield { owner, node: null, input, name, site: nameSite };
    }
  } else {
    for (const [input, { text, site }] of owner.outputs.entries()) if (text !== '') yield { owner, node: null, input, name: text, site };
  }
}

/** What names values in a graph or function without computing with them. */
export function* mentionsOf(owner: ScopeOwner): Generator<Mention> {
  for (const [index, { name, nameSite }] of owner.valueInfos.entries()) {
    if (name !== '' && nameSite !== null) yield { kind: 'value-info', owner, index, name, site: nameSite };
  }
  for (const node of owner.nodes) {
    for (const { text, site } of node.sharding) if (text !== '') yield { kind: 'sharding', owner, node, name: text, site };
  }
  if (!isGraph(owner)) return;
  for (const [index, { tensor, parameters }] of owner.annotations.entries()) {
    if (named(tensor)) yield { kind: 'annotation', owner, index, name: tensor.text, site: tensor.site };
    for (const { role, name } of parameters) if (named(name)) yield { kind: 'annotation-parameter', owner, index, role, name: name.text, site: name.site };
  }
  for (const [index, { indices }] of owner.sparse.entries()) {
    if (indices !== null && indices.name !== '' && indices.nameSite !== null)
      yield { kind: 'indices', owner, index, name: indices.name, site: indices.nameSite };
  }
}

/**
 * Keys and values of the bindings of training: keys name initializers of the algorithm or the main graph, values name outputs of the graph
 * that is run (TrainingInfoProto in onnx.proto).
 */
export function* bindingsOf(model: OnnxModel): Generator<Mention> {
  for (const [trainingIndex, training] of model.training.entries()) {
    for (const binding of ['initialization', 'update'] as const) {
      const run = (binding === 'initialization' ? training.initialization : training.algorithm) ?? model.graph;
      const bindings = binding === 'initialization' ? training.initializationBindings : training.updateBindings;
      for (const [index, { key, value }] of bindings.entries()) {
        const common = { training, trainingIndex, binding, index };
        if (named(key)) yield { kind: 'binding-key', owner: training.algorithm ?? model.graph, ...common, name: key.text, site: key.site };
        if (named(value)) yield { kind: 'binding-value', owner: run, ...common, name: value.text, site: value.site };
      }
    }
  }
}

function named(name: NameSite | null): name is NameSite {
  return name !== null && name.text !== '';
}
