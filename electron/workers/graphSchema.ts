import * as v from 'valibot';
import { editReview, graphChange, graphLayout, graphView, nodeDetail } from '../../shared/contract/graphRequests';
import { count, dtype, shape } from '../../shared/contract/schemas';
import { PROPOSAL_SOURCES } from '../../shared/model/graphEdit';
import { sourceRef, tensorPlan } from './planSchema';

/** Schemas of the tasks that look at the graph of a model. */

const piece = v.variant('kind', [
  v.object({ kind: v.literal('copy'), offset: count, length: count }),
  v.object({ kind: v.literal('file'), path: v.string(), offset: count, length: count }),
  v.object({ kind: v.literal('new'), bytes: v.instance(Uint8Array) }),
]);
const model = v.object({
  key: v.string(),
  baseKey: v.string(),
  file: v.string(),
  base: sourceRef,
  identity: v.nullable(v.string()),
  pieces: v.nullable(v.array(piece)),
  external: v.array(v.object({ group: v.string(), path: v.string() })),
});
const graph = v.variant('kind', [v.object({ kind: v.literal('model'), model }), v.object({ kind: v.literal('diff'), a: model, b: model })]);
const bytes = v.instance(Uint8Array<ArrayBuffer>);

const address = v.object({ graph: v.string(), name: v.string() });
const node = v.object({ graph: v.string(), index: count });
const tensor = v.object({
  type: v.number(),
  dims: v.array(count),
  data: v.union([piece, v.object({ kind: v.literal('repeat'), unit: v.instance(Uint8Array) })]),
});
const value = v.variant('kind', [v.object({ kind: v.literal('constant'), text: v.string() }), v.object({ kind: v.literal('tensor'), tensor })]);
const edit = v.variant('kind', [
  v.object({ kind: v.literal('rename'), renames: v.array(v.object({ graph: v.string(), name: v.string(), to: v.string() })) }),
  v.object({ kind: v.literal('rename-nodes'), renames: v.array(v.object({ graph: v.string(), index: count, to: v.string() })) }),
  v.object({ kind: v.literal('set-value'), address, value, allowChange: v.boolean() }),
  v.object({ kind: v.literal('add-initializer'), address, value }),
  v.object({ kind: v.literal('remove-initializer'), address }),
  v.object({ kind: v.literal('remove-nodes'), nodes: v.array(node), bypass: v.boolean() }),
  v.object({
    kind: v.literal('splice'),
    from: model,
    nodes: v.array(node),
    connect: v.array(v.object({ from: v.string(), to: v.string() })),
    replace: v.array(v.object({ output: v.string(), value: v.string() })),
  }),
  v.object({ kind: v.literal('externalise'), file: v.string(), atLeast: count }),
  v.object({ kind: v.literal('inline') }),
]);

export const graphSchemas = {
  graphView: { input: v.object({ model }), output: graphView },
  graphLayout: { input: v.object({ graph, root: count, open: v.array(count) }), output: graphLayout },
  graphNode: { input: v.object({ graph, node: count }), output: nodeDetail },
  graphSearch: {
    input: v.object({ graph, text: v.string(), mode: v.picklist(['text', 'regex', 'path']), limit: count }),
    output: v.object({ nodes: v.array(v.object({ node: count, why: v.string() })), truncated: v.boolean() }),
  },
  graphPlan: {
    input: v.object({ model, edit }),
    output: v.object({
      review: editReview,
      pieces: v.nullable(v.array(piece)),
      files: v.array(v.object({ name: v.string(), pieces: v.array(piece) })),
    }),
  },
  replaceNames: {
    input: v.object({ names: v.array(v.string()), find: v.string(), replace: v.string() }),
    output: v.array(v.nullable(v.string())),
  },
  graphPropose: {
    input: v.object({
      model,
      from: v.variant('kind', [
        v.object({ kind: v.literal('nodes') }),
        v.object({ kind: v.literal('position') }),
        v.object({ kind: v.literal('checkpoint'), groups: v.array(v.object({ name: v.string(), dtype, shape, plan: tensorPlan })) }),
      ]),
      onlyNumbered: v.boolean(),
    }),
    output: v.array(v.object({ address, to: v.string(), source: v.picklist(PROPOSAL_SOURCES), reason: v.string() })),
  },
  graphDiff: {
    input: v.object({ a: model, b: model }),
    output: v.object({
      view: graphView,
      nodeChanges: bytes,
      initializerChanges: bytes,
      changes: v.array(graphChange),
      text: v.string(),
    }),
  },
};
