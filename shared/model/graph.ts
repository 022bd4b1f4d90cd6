/**
 * The computation graph of an ONNX model as the window sees it: columns, so that graphs of some ten thousand nodes cross in one piece.
 * An index into a column is called by what stands there: a node, a value, an initializer, a scope, a group.
 */

/** In `inputs` and `outputs`: an optional one that is left out (an empty name). */
export const NO_VALUE = 0xffffffff;

/** `main`: the graph of the model. `subgraph`: a body of If, Loop, Scan ... `function`: a function of the model, a closed scope. */
export const SCOPE_KINDS = ['main', 'subgraph', 'function'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

export interface GraphScope {
  readonly kind: ScopeKind;
  /**
   * Address of the graph inside the model: `''` the main graph, `#12.then_branch` the attribute of its 12th node (from 0),
   * `#12.then_branch/#3.body` deeper, `fn:domain.name` or `fn:domain.name:overload` a function.
   */
  readonly path: string;
  /** The graph's or the function's own name. */
  readonly name: string;
  /** Scope and node that hold it; `null` for the main graph and functions. */
  readonly parent: { readonly scope: number; readonly node: number } | null;
}

/** Where a node's place in the hierarchy comes from. `run`: a stretch of a group that is too long to be drawn at once. */
export const GROUP_KINDS = ['root', 'module', 'function', 'subgraph', 'values', 'run'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/** A box that folds: a module path, a body, a function. Group 0 is the whole main graph. */
export interface GraphGroup {
  readonly kind: GroupKind;
  /** Last component of the path: `conv`. */
  readonly label: string;
  /** Whole path: `encoder/body/conv`. */
  readonly path: string;
  /** Group that holds it; -1 for group 0 and for functions. */
  readonly parent: number;
  readonly scope: number;
  /** Nodes inside, at any depth. */
  readonly nodes: number;
  /** Elements of the initializers and constants used inside, each counted once. */
  readonly parameters: number;
  /** Multiplications and additions of one run, both counted, symbolic dimensions (`batch`) taken as 1; `null` when a shape that is needed is not known. */
  readonly flops: number | null;
}

/** Where a tensor of the model lies. */
export const TENSOR_PLACES = ['raw', 'typed', 'external', 'sparse', 'constant'] as const;
export type TensorPlace = (typeof TENSOR_PLACES)[number];

export interface GraphInitializer {
  readonly name: string;
  readonly scope: number;
  /** Index of its value. */
  readonly value: number;
  /** ONNX's own spelling in lower case: `float`, `bfloat16`, `int4`, `float8e4m3fn`; `type 27` for one that we do not know. */
  readonly type: string;
  readonly shape: readonly number[];
  /** Bytes of the stored data. */
  readonly bytes: number;
  readonly place: TensorPlace;
  /** Name of the parameter group that the checkpoint has for it; `null` when it has none. */
  readonly group: string | null;
  /** Also an input of its graph: a default that a caller may override. */
  readonly isInput: boolean;
  /** Uses in this graph and in nested ones. */
  readonly uses: number;
  /** Graphs that use it, this one included. */
  readonly usedInGraphs: number;
  /** What is wrong with it, in a sentence. */
  readonly problem: string | null;
}

export interface GraphView {
  readonly model: {
    readonly name: string;
    readonly irVersion: number;
    readonly producer: string;
    readonly opsets: readonly { readonly domain: string; readonly version: number }[];
    readonly metadata: readonly { readonly key: string; readonly value: string }[];
    readonly doc: string;
  };
  readonly scopes: readonly GraphScope[];
  readonly groups: readonly GraphGroup[];
  readonly initializers: readonly GraphInitializer[];
  /** `Conv`, `com.microsoft.Gelu`: the domain stands before names that are not ONNX's own. */
  readonly operators: readonly string[];
  readonly nodes: {
    /** May be empty or duplicated: a node is its index. */
    readonly names: readonly string[];
    readonly operator: Uint32Array<ArrayBuffer>;
    readonly scope: Uint32Array<ArrayBuffer>;
    /** Position in its graph's own list. */
    readonly index: Uint32Array<ArrayBuffer>;
    /** Innermost group that holds the node. */
    readonly group: Uint32Array<ArrayBuffer>;
    /** The inputs of node i: `inputs[inputStarts[i]]` up to, not including, `inputs[inputStarts[i + 1]]`. */
    readonly inputStarts: Uint32Array<ArrayBuffer>;
    readonly inputs: Uint32Array<ArrayBuffer>;
    readonly outputStarts: Uint32Array<ArrayBuffer>;
    readonly outputs: Uint32Array<ArrayBuffer>;
    /** As for groups; NaN where unknown. */
    readonly flops: Float64Array<ArrayBuffer>;
    /** Elements of the initializers and constants that are its inputs. */
    readonly parameters: Float64Array<ArrayBuffer>;
  };
  readonly values: {
    readonly names: readonly string[];
    readonly scope: Uint32Array<ArrayBuffer>;
    /** Node that makes it; `NO_VALUE` for inputs and initializers. */
    readonly producer: Uint32Array<ArrayBuffer>;
    /** Index among the initializers; `NO_VALUE` for others. */
    readonly initializer: Uint32Array<ArrayBuffer>;
    /** Bits: 1 input of its graph, 2 output of its graph. */
    readonly role: Uint8Array<ArrayBuffer>;
    /** `float32[batch, 3, 8, 8]` as an edge shows it; empty when nothing is known. */
    readonly types: readonly string[];
  };
  /** What the checker of the model found, worst first. */
  readonly findings: readonly GraphFinding[];
}

export interface GraphFinding {
  readonly severity: 'error' | 'warning';
  /** What is wrong and where, in a sentence. */
  readonly text: string;
  readonly scope: number;
  /** Node that it concerns; `null` for the graph as a whole. */
  readonly node: number | null;
}

/** `node` one operator; `folded` a group that is closed; `open` the frame of one that is open; `stub` a named end of an edge that is not drawn; `value` an input or output of the graph. */
export const BOX_KINDS = ['node', 'folded', 'open', 'stub', 'value'] as const;
export type BoxKind = (typeof BOX_KINDS)[number];

/** Where everything stands, in units of a pixel at zoom 1, y downwards along the flow. Boxes of an open group follow its frame. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: {
    /** Index into BOX_KINDS. */
    readonly kind: Uint8Array<ArrayBuffer>;
    /** Node, group or (stub, value) value. */
    readonly ref: Uint32Array<ArrayBuffer>;
    readonly x: Float32Array<ArrayBuffer>;
    readonly y: Float32Array<ArrayBuffer>;
    readonly width: Float32Array<ArrayBuffer>;
    readonly height: Float32Array<ArrayBuffer>;
    /** Box of the frame that holds it; -1 at the top. */
    readonly parent: Int32Array<ArrayBuffer>;
  };
  readonly edges: {
    /** Boxes. */
    readonly from: Uint32Array<ArrayBuffer>;
    readonly to: Uint32Array<ArrayBuffer>;
    /** The value that flows; of several, the first. */
    readonly value: Uint32Array<ArrayBuffer>;
    /** Values that flow along this edge. */
    readonly count: Uint32Array<ArrayBuffer>;
    /** Points of edge i: x, y pairs from `points[2 * pointStarts[i]]`. */
    readonly pointStarts: Uint32Array<ArrayBuffer>;
    readonly points: Float32Array<ArrayBuffer>;
  };
}

export interface NodeAttribute {
  readonly name: string;
  /** `int`, `floats`, `tensor`, `graph` ... */
  readonly type: string;
  /** For people; long ones are cut. */
  readonly text: string;
  /** Scope of a body. */
  readonly scope: number | null;
}

export interface NodeDetail {
  readonly node: number;
  readonly attributes: readonly NodeAttribute[];
  readonly doc: string;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** What the operator does, in a sentence or two; `null` for operators that we do not know. */
  readonly documentation: { readonly summary: string; readonly inputs: readonly string[]; readonly outputs: readonly string[]; readonly since: number } | null;
  /** What is in the node that this program does not know: numbers of protobuf fields. Kept as they are. */
  readonly unknownFields: readonly number[];
}
