import type { FieldSite } from '../../encodings/protobuf/frame';
import type { OnnxFunction, OnnxGraph, OnnxNode, OnnxTensor, OnnxTraining } from '../model/onnxModel';

/** What has names of its own: a graph, or a function, which is a closed scope. */
export type ScopeOwner = OnnxGraph | OnnxFunction;

/** `sparse`: `values.name` of a sparse initializer. A formal parameter of a function is an `input`. */
export type DefinitionKind = 'input' | 'initializer' | 'sparse' | 'node-output';

/** One place that gives a value its name. */
export interface DefinitionSite {
  readonly kind: DefinitionKind;
  /** Position among the inputs, initializers or sparse initializers of the graph, or among the outputs of the node. */
  readonly index: number;
  readonly site: FieldSite;
  /** Node that makes it; `null` unless `kind` is `node-output`. */
  readonly node: OnnxNode | null;
  /** The stored value: of an initializer, or the non-zero values of a sparse one. */
  readonly tensor: OnnxTensor | null;
}

/** A value: everything in one graph that defines one name. More than one site is sound only for an initializer that is also an input. */
export interface Definition {
  readonly owner: ScopeOwner;
  readonly name: string;
  /** Kind of each of `sites`. */
  readonly kinds: readonly DefinitionKind[];
  readonly sites: readonly FieldSite[];
  /** The same places with all that is known of them. */
  readonly at: readonly DefinitionSite[];
  /** First node that makes it. */
  readonly node: OnnxNode | null;
  /** First value stored for it. */
  readonly tensor: OnnxTensor | null;
}

/** A node's input, or (`node` null) an output of a graph or function. */
export interface Use {
  readonly owner: ScopeOwner;
  readonly node: OnnxNode | null;
  /** Position among the node's inputs, or among the outputs of the graph. */
  readonly input: number;
  readonly name: string;
  readonly site: FieldSite;
}

/**
 * A place that names a value without computing with it. `indices`: `indices.name` of a sparse initializer, which counts only when it is the
 * name of a value.
 */
export type Mention =
  | {
      readonly kind: 'value-info' | 'annotation' | 'indices';
      readonly owner: OnnxGraph | OnnxFunction;
      readonly index: number;
      readonly name: string;
      readonly site: FieldSite;
    }
  | {
      readonly kind: 'annotation-parameter';
      readonly owner: OnnxGraph;
      /** Position of the annotation. */
      readonly index: number;
      readonly role: string;
      readonly name: string;
      readonly site: FieldSite;
    }
  | { readonly kind: 'sharding'; readonly owner: ScopeOwner; readonly node: OnnxNode; readonly name: string; readonly site: FieldSite }
  | {
      readonly kind: 'binding-key' | 'binding-value';
      /** Graph from which outwards the name is looked up. */
      readonly owner: OnnxGraph;
      readonly training: OnnxTraining;
      /** Position of the training information in the model. */
      readonly trainingIndex: number;
      readonly binding: 'initialization' | 'update';
      readonly index: number;
      readonly name: string;
      readonly site: FieldSite;
    };

export interface ScopeIndex {
  /** All graphs and functions, the main graph first. */
  readonly owners: readonly ScopeOwner[];
  /** Owners of a path: usually one; none when there is no such graph, several when a broken model has two of one path. */
  ownersAt(path: string): readonly ScopeOwner[];
  /** In that very graph. */
  definition(owner: ScopeOwner | string, name: string): Definition | null;
  /** In that graph or the nearest one around it; a function is closed, training sees the main graph. */
  resolve(owner: ScopeOwner | string, name: string): Definition | null;
  /** In this graph and nested ones, up to where a nested graph defines the name itself. In the order of the file. */
  uses(definition: Definition): readonly Use[];
  mentions(definition: Definition): readonly Mention[];
  /** In the order of inputs, initializers, sparse initializers, outputs of nodes. */
  definitions(owner: ScopeOwner | string): readonly Definition[];
  /** All values of that name, in whatever graph or function. */
  named(name: string): readonly Definition[];
  /** Uses that nothing defines. */
  readonly dangling: readonly Use[];
  /** Mentions that nothing defines, those of `indices.name` left out. */
  readonly orphans: readonly Mention[];
}
