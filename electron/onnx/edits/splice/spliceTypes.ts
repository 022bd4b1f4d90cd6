import type { NodeAddress } from '../../../../shared/model/graphEdit';
import type { Piece } from '../../../bytes/pieces';
import type { OnnxFunction, OnnxModel } from '../../model/onnxModel';
import type { Definition, ScopeIndex } from '../../scopes/scopeIndex';
import type { NodeSet } from '../nodeSet';
import type { ResolvePayload } from '../planInline';

export interface SpliceOptions {
  /** Nodes of the other model's main graph. */
  readonly nodes: readonly NodeAddress[];
  /** What goes into the piece (names there) and the values of this model's main graph that it takes instead. */
  readonly connect: readonly { readonly from: string; readonly to: string }[];
  /** Outputs of the piece, and the values of this model's main graph whose consumers take them instead. */
  readonly replace: readonly { readonly output: string; readonly value: string }[];
  /** Path of the other model's file, or how bytes of it are had. */
  readonly otherFile: string | ((offset: number, length: number) => Piece);
  /** Values of the other model that are in files of external data; they come into this model. */
  readonly payload?: ResolvePayload | undefined;
}

/** A model with its names. */
export interface Side {
  readonly model: OnnxModel;
  readonly index: ScopeIndex;
}

/** What is taken from the other model. */
export interface SplicedPart {
  /** The chosen nodes and the constants that they need. */
  readonly set: NodeSet;
  /** Initializers, those that are sparse too. */
  readonly stored: readonly Definition[];
  /** Functions that are called, in the order of the file. */
  readonly functions: readonly OnnxFunction[];
  /** What goes in, and the value of this model that it becomes. */
  readonly connected: ReadonlyMap<Definition, Definition>;
  /** Outputs, and the value of this model that each takes the place of. */
  readonly replaced: ReadonlyMap<Definition, Definition>;
}

/** New names of what comes from the other model. */
export interface SplicedNames {
  readonly values: ReadonlyMap<Definition, string>;
  /** By name, only those that change. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<OnnxFunction, string>;
  /** Values of this model that give their name to an output of the piece, because the graph's callers know it. */
  readonly moved: ReadonlyMap<Definition, string>;
}
