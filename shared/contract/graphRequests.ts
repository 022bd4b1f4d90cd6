import * as v from 'valibot';
import { BOX_KINDS, GROUP_KINDS, SCOPE_KINDS, TENSOR_PLACES } from '../model/graph';
import { GRAPH_CHANGES, PROPOSAL_SOURCES } from '../model/graphEdit';
import { side } from './compareRequests';
import { count, hostPath, tensorReading } from './schemas';

/** Requests about the computation graph of an ONNX model. A graph is opened once and kept by the host with its edits until it is closed. */

const graphId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const name = v.pipe(v.string(), v.maxLength(65_536));
const typed = { uint32: v.instance(Uint32Array<ArrayBuffer>), float32: v.instance(Float32Array<ArrayBuffer>), float64: v.instance(Float64Array<ArrayBuffer>) };
const pair = v.object({ key: v.string(), value: v.string() });
const nullableCount = v.nullable(count);

export const graphView = v.object({
  model: v.object({
    name: v.string(),
    irVersion: v.number(),
    producer: v.string(),
    opsets: v.array(v.object({ domain: v.string(), version: v.number() })),
    metadata: v.array(pair),
    doc: v.string(),
  }),
  scopes: v.array(v.object({ kind: v.picklist(SCOPE_KINDS), path: v.string(), name: v.string(), parent: v.nullable(v.object({ scope: count, node: count })) })),
  groups: v.array(
    v.object({
      kind: v.picklist(GROUP_KINDS),
      label: v.string(),
      path: v.string(),
      parent: v.number(),
      scope: count,
      nodes: count,
      parameters: v.number(),
      flops: v.nullable(v.number()),
    }),
  ),
  initializers: v.array(
    v.object({
      name: v.string(),
      scope: count,
      value: count,
      type: v.string(),
      shape: v.array(v.number()),
      bytes: count,
      place: v.picklist(TENSOR_PLACES),
      group: v.nullable(v.string()),
      isInput: v.boolean(),
      uses: count,
      usedInGraphs: count,
      problem: v.nullable(v.string()),
    }),
  ),
  operators: v.array(v.string()),
  nodes: v.object({
    names: v.array(v.string()),
    operator: typed.uint32,
    scope: typed.uint32,
    index: typed.uint32,
    group: typed.uint32,
    inputStarts: typed.uint32,
    inputs: typed.uint32,
    outputStarts: typed.uint32,
    outputs: typed.uint32,
    flops: typed.float64,
    parameters: typed.float64,
  }),
  values: v.object({
    names: v.array(v.string()),
    scope: typed.uint32,
    producer: typed.uint32,
    initializer: typed.uint32,
    role: v.instance(Uint8Array<ArrayBuffer>),
    types: v.array(v.string()),
  }),
  findings: v.array(v.object({ severity: v.picklist(['error', 'warning']), text: v.string(), scope: count, node: nullableCount })),
});

export const graphLayout = v.object({
  width: v.number(),
  height: v.number(),
  boxes: v.object({
    /** Index into BOX_KINDS. */
    kind: v.pipe(
      v.instance(Uint8Array<ArrayBuffer>),
      v.check((kinds) => kinds.every((kind) => kind < BOX_KINDS.length), 'not a kind of box'),
    ),
    ref: typed.uint32,
    x: typed.float32,
    y: typed.float32,
    width: typed.float32,
    height: typed.float32,
    parent: v.instance(Int32Array<ArrayBuffer>),
  }),
  edges: v.object({
    from: typed.uint32,
    to: typed.uint32,
    value: typed.uint32,
    count: typed.uint32,
    pointStarts: typed.uint32,
    points: typed.float32,
  }),
});

export const nodeDetail = v.object({
  node: count,
  attributes: v.array(v.object({ name: v.string(), type: v.string(), text: v.string(), scope: nullableCount })),
  doc: v.string(),
  metadata: v.array(pair),
  documentation: v.nullable(v.object({ summary: v.string(), inputs: v.array(v.string()), outputs: v.array(v.string()), since: count })),
  unknownFields: v.array(count),
});

const valueAddress = v.object({ graph: name, name });
const nodeAddress = v.object({ graph: name, index: count });
const nodeAddresses = v.pipe(v.array(nodeAddress), v.maxLength(1_000_000));
const renames = <Entry extends v.GenericSchema>(entry: Entry) => v.pipe(v.array(entry), v.maxLength(1_000_000));
export const valueSource = v.variant('kind', [
  v.object({ kind: v.literal('constant'), text: v.pipe(v.string(), v.minLength(1), v.maxLength(100)) }),
  v.object({ kind: v.literal('side'), side, group: v.nullable(name) }),
]);
const fileName = v.pipe(v.string(), v.minLength(1), v.maxLength(255));

export const graphEdit = v.variant('kind', [
  v.object({ kind: v.literal('rename'), renames: renames(v.object({ graph: name, name, to: name })) }),
  v.object({ kind: v.literal('rename-nodes'), renames: renames(v.object({ graph: name, index: count, to: name })) }),
  v.object({ kind: v.literal('set-value'), address: valueAddress, value: valueSource, allowChange: v.boolean() }),
  v.object({ kind: v.literal('add-initializer'), address: valueAddress, value: valueSource }),
  v.object({ kind: v.literal('remove-initializer'), address: valueAddress }),
  v.object({ kind: v.literal('remove-nodes'), nodes: nodeAddresses, bypass: v.boolean() }),
  v.object({
    kind: v.literal('splice'),
    from: side,
    nodes: nodeAddresses,
    connect: v.array(v.object({ from: name, to: name })),
    replace: v.array(v.object({ output: name, value: name })),
  }),
  v.object({ kind: v.literal('externalise'), file: fileName, atLeast: count }),
  v.object({ kind: v.literal('inline') }),
]);

export const editReview = v.object({
  title: v.string(),
  sites: v.array(v.object({ graph: v.string(), place: v.string(), before: v.string(), after: v.string() })),
  warnings: v.array(v.string()),
  refusals: v.array(v.string()),
  conflicts: v.array(v.object({ address: valueAddress, text: v.string() })),
  bytesTouched: count,
});

const inGraph = { graph: graphId };
/** An opened graph after an edit, an undo or a redo. `edits` are the titles of what was done since it was opened. */
const graphState = v.object({
  graph: graphId,
  /** Grows with every change. */
  revision: count,
  view: graphView,
  done: v.array(v.string()),
  undone: v.array(v.string()),
});

export const graphChange = v.object({
  what: v.picklist(['node', 'initializer', 'input', 'output', 'model']),
  change: v.picklist(GRAPH_CHANGES),
  a: v.number(),
  b: v.number(),
  text: v.string(),
});

export const graphRequests = {
  /** Parses the model of a side; tensors' payloads are not read. */
  'graph/open': { input: v.object({ side }), output: graphState },
  'graph/close': { input: v.object(inGraph), output: v.null() },
  /** Where everything stands with these groups open; `root` is 0 or the function that is looked at. */
  'graph/layout': { input: v.object({ ...inGraph, revision: count, root: count, open: v.array(count) }), output: graphLayout },
  'graph/node': { input: v.object({ ...inGraph, node: count }), output: nodeDetail },
  /**
   * The value of an initializer, by the parameter group that it is, as it was when the graph was opened. @throws conflict when the file has been written since
   */
  'graph/inspect': { input: v.object({ ...inGraph, group: name }), output: tensorReading },
  /**
   * Nodes, in the order of the graph: by name, operator, value or attribute; `path`: a chain of operators such as `MatMul -> * -> Softmax`
   * (`*` is one node of any kind).
   */
  'graph/search': {
    input: v.object({
      ...inGraph,
      text: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
      mode: v.picklist(['text', 'regex', 'path']),
      limit: v.pipe(count, v.maxValue(100_000)),
    }),
    output: v.object({ nodes: v.array(v.object({ node: count, why: v.string() })), truncated: v.boolean() }),
  },
  'graph/propose': {
    input: v.object({
      ...inGraph,
      from: v.variant('kind', [
        v.object({ kind: v.literal('nodes') }),
        v.object({ kind: v.literal('position') }),
        v.object({ kind: v.literal('checkpoint'), side }),
      ]),
      /** Only initializers without a name of their own: empty, numeric, `onnx::MatMul_98`. */
      onlyNumbered: v.boolean(),
    }),
    output: v.array(v.object({ address: valueAddress, to: v.string(), source: v.picklist(PROPOSAL_SOURCES), reason: v.string() })),
  },
  /** What an edit would do; nothing changes. `withSites` false: only what stands against it, for a check while somebody types. */
  'graph/review': { input: v.object({ ...inGraph, edit: graphEdit, withSites: v.optional(v.boolean(), true) }), output: editReview },
  /**
   * What names become when all that a regular expression finds in them is replaced, by the rules of JavaScript (`$1`, `$<name>`); `null` where
   * it finds nothing. A pattern that takes too long is stopped.
   */
  'graph/replaceNames': {
    input: v.object({
      names: v.pipe(v.array(name), v.maxLength(1_000_000)),
      find: v.pipe(v.string(), v.maxLength(1000)),
      replace: v.pipe(v.string(), v.maxLength(1000)),
    }),
    output: v.array(v.nullable(v.string())),
  },
  /** @throws conflict with every refusal when it cannot be done */
  'graph/apply': { input: v.object({ ...inGraph, revision: count, edit: graphEdit }), output: graphState },
  'graph/undo': { input: v.object(inGraph), output: graphState },
  'graph/redo': { input: v.object(inGraph), output: graphState },
  /** Writes the edited model, and new external data beside it. `path`: a file on the host, or one of the working tree that it came from. */
  'graph/save': {
    input: v.object({ ...inGraph, path: hostPath, overwrite: v.boolean() }),
    output: v.object({ path: v.string(), bytes: count, files: v.array(v.string()) }),
  },
  /** Two models on one layout: the union graph of both, with what became of each node and initializer. */
  'graph/diff': {
    input: v.object({ a: side, b: side }),
    output: v.object({
      /** Opened like a graph: 'graph/layout', 'graph/node' and 'graph/search' work on it; edits do not. */
      state: graphState,
      /** For each node and initializer of the union: index into GRAPH_CHANGES, 255 unchanged. */
      nodeChanges: v.instance(Uint8Array<ArrayBuffer>),
      initializerChanges: v.instance(Uint8Array<ArrayBuffer>),
      /** `a` and `b` are indices in the union; -1 where it is not. */
      changes: v.array(graphChange),
      /** The same as `theta onnx diff` prints. */
      text: v.string(),
    }),
  },
} as const;
