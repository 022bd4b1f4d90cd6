import type { Output } from '../../shared/contract/requests';
import type { Services } from '../services/createServices';
import type { GraphState } from '../services/graphs/graphs';
import type { Handlers } from './handlers';

type GraphMethods = Extract<keyof Handlers, `graph/${string}`>;

/** The computation graph of a model: looked at, searched, edited, saved, compared. */
export function graphHandlers({ graphs }: Services): Pick<Handlers, GraphMethods> {
  return {
    'graph/open': async ({ side }, run) => copyState(await graphs.open(side, run)),
    'graph/close': async ({ graph }) => {
      await graphs.close(graph);
      return null;
    },
    'graph/layout': (request, run) => graphs.layout(request, run),
    'graph/node': async ({ graph, node }, run) => {
      const { attributes, metadata, documentation, unknownFields, ...rest } = await graphs.node(graph, node, run);
      return {
        ...rest,
        attributes: [...attributes],
        metadata: [...metadata],
        unknownFields: [...unknownFields],
        documentation: documentation === null ? null : { ...documentation, inputs: [...documentation.inputs], outputs: [...documentation.outputs] },
      };
    },
    'graph/inspect': ({ graph, group }, run) => graphs.inspect(graph, group, run),
    'graph/search': async (request, run) => {
      const { nodes, truncated } = await graphs.search(request, run);
      return { nodes: [...nodes], truncated };
    },
    'graph/propose': async (request, run) => [...(await graphs.propose(request, run))],
    'graph/review': async ({ graph, edit, withSites }, run) => {
      const { sites, warnings, refusals, conflicts, ...rest } = await graphs.review(graph, edit, run);
      return { ...rest, sites: withSites ? [...sites] : [], warnings: [...warnings], refusals: [...refusals], conflicts: [...conflicts] };
    },
    'graph/replaceNames': async (request, run) => [...(await graphs.replaceNames(request, run))],
    'graph/apply': async (request, run) => copyState(await graphs.apply(request, run)),
    'graph/undo': async ({ graph }, run) => copyState(await graphs.move(graph, -1, run)),
    'graph/redo': async ({ graph }, run) => copyState(await graphs.move(graph, 1, run)),
    'graph/save': (request, run) => graphs.save(request, run),
    'graph/diff': async ({ a, b }, run) => {
      const { state, diff } = await graphs.diff(a, b, run);
      return { ...diff, changes: [...diff.changes], state: copyState(state) };
    },
  };
}

/** The contract's arrays are mutable. */
function copyState({ view, done, undone, ...rest }: GraphState): Output<'graph/open'> {
  const { model, scopes, groups, initializers, operators, nodes, values, findings } = view;
  return {
    ...rest,
    done: [...done],
    undone: [...undone],
    view: {
      model: { ...model, opsets: [...model.opsets], metadata: [...model.metadata] },
      scopes: [...scopes],
      groups: [...groups],
      initializers: initializers.map((each) => ({ ...each, shape: [...each.shape] })),
      operators: [...operators],
      nodes: { ...nodes, names: [...nodes.names] },
      values: { ...values, names: [...values.names], types: [...values.types] },
      findings: [...findings],
    },
  };
}
