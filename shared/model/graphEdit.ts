import type { Side } from './side';

/** A value by the graph that defines it (`GraphScope.path`) and its name there. */
export interface ValueAddress {
  readonly graph: string;
  readonly name: string;
}

/** A node by its graph's path and its position there. */
export interface NodeAddress {
  readonly graph: string;
  readonly index: number;
}

/** Where a new value comes from. `constant`: every element is this number (`-1.5e-3`, `nan`, `true`). */
export type ValueSource =
  | { readonly kind: 'constant'; readonly text: string }
  /** A group of a checkpoint, or all of an .npy file (`group` null). */
  | { readonly kind: 'side'; readonly side: Side; readonly group: string | null };

/** One change to a model. All of it happens or none. */
export type GraphEdit =
  /** Initializers, inputs, outputs of nodes; swaps and cycles are allowed. */
  | { readonly kind: 'rename'; readonly renames: readonly (ValueAddress & { readonly to: string })[] }
  | { readonly kind: 'rename-nodes'; readonly renames: readonly (NodeAddress & { readonly to: string })[] }
  /** `allowChange`: another shape or type than now is meant. */
  | { readonly kind: 'set-value'; readonly address: ValueAddress; readonly value: ValueSource; readonly allowChange: boolean }
  | { readonly kind: 'add-initializer'; readonly address: ValueAddress; readonly value: ValueSource }
  | { readonly kind: 'remove-initializer'; readonly address: ValueAddress }
  /** `bypass`: consumers take the input of what is removed; only where types agree. */
  | { readonly kind: 'remove-nodes'; readonly nodes: readonly NodeAddress[]; readonly bypass: boolean }
  /**
   * Nodes of another model's main graph with their initializers. `connect`: inputs of the piece (names in the other model) to values of
   * this one. `replace`: outputs of the piece whose consumers here so far use the value named.
   */
  | {
      readonly kind: 'splice';
      readonly from: Side;
      readonly nodes: readonly NodeAddress[];
      readonly connect: readonly { readonly from: string; readonly to: string }[];
      readonly replace: readonly { readonly output: string; readonly value: string }[];
    }
  /** Values of at least so many bytes into one new file beside the model. */
  | { readonly kind: 'externalise'; readonly file: string; readonly atLeast: number }
  | { readonly kind: 'inline' };

/** One place in the model that a change touches. */
export interface EditSite {
  /** Path of the graph (`GraphScope.path`). */
  readonly graph: string;
  /** Where, for people: `node 12 Conv "/stem/conv/Conv", input 2`. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** Why a value cannot have its new name, in a sentence. */
export interface RenameConflict {
  readonly address: ValueAddress;
  readonly text: string;
}

/** What an edit would do. With any refusal nothing can be applied. */
export interface EditReview {
  /** `Rename 3 initializers`. */
  readonly title: string;
  readonly sites: readonly EditSite[];
  /** What the user should know, each in a sentence. */
  readonly warnings: readonly string[];
  /** Why it cannot be done, each in a sentence. */
  readonly refusals: readonly string[];
  /** Of a rename: those of the refusals that concern one value, without a limit. */
  readonly conflicts: readonly RenameConflict[];
  /** Bytes of the model that are written anew. */
  readonly bytesTouched: number;
}

/** How a proposed name was found. */
export const PROPOSAL_SOURCES = ['node', 'content', 'content-transposed', 'batch-norm-folded', 'position'] as const;
export type ProposalSource = (typeof PROPOSAL_SOURCES)[number];

export interface NameProposal {
  readonly address: ValueAddress;
  readonly to: string;
  readonly source: ProposalSource;
  /** Why, in words: `equal to fc1.weight, transposed`. */
  readonly reason: string;
}

export const GRAPH_CHANGES = ['added', 'removed', 'changed', 'renamed', 'moved', 'value'] as const;
/** `value`: an initializer whose values changed and nothing else. */
export type GraphChangeKind = (typeof GRAPH_CHANGES)[number];

/** One line of a graph diff. `a` and `b` are indices of nodes or initializers in the two views; -1 where it is not. */
export interface GraphChange {
  readonly what: 'node' | 'initializer' | 'input' | 'output' | 'model';
  readonly change: GraphChangeKind;
  readonly a: number;
  readonly b: number;
  /** For people: what it is and what changed. */
  readonly text: string;
}
