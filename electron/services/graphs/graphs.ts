import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import type { Output } from '../../../shared/contract/requests';
import type { GraphLayout, GraphView, NodeDetail } from '../../../shared/model/graph';
import type { EditReview, GraphEdit, NameProposal } from '../../../shared/model/graphEdit';
import type { Side } from '../../../shared/model/side';
import { fileIdentity } from '../../bytes/fileIdentity';
import { type ModelRef, writtenSince } from '../../onnx/model/modelRef';
import type { GraphDiffOutput } from '../../workers/tasks/graph/graphDiff';
import type { GraphPlanOutput } from '../../workers/tasks/graph/graphPlan';
import type { WorkerPool } from '../../workers/workerPool';
import { isPlan } from '../checkpoints/openedCheckpoint';
import type { SideOpener } from '../comparer/openSide';
import { inspectGroup } from '../inspectGroup';
import { LastPlan } from './lastPlan';
import { modelFile } from './modelFile';
import { afterMove, afterStep, type EditHistory, graphRefOf, modelRefOf, type OpenGraph } from './openGraph';
import { resolveEdit } from './resolveEdit';
import { type SavedGraph, saveGraph } from './saveGraph';
import { sourceIdentities } from './sourceIdentities';

/** A window shows one graph, or two side by side; what it forgot to close is closed here. */
const MAX_GRAPHS = 8;

export interface GraphState {
  readonly graph: string;
  readonly revision: number;
  readonly view: GraphView;
  readonly done: readonly string[];
  readonly undone: readonly string[];
}

/** What a caller can give up, and hear of. */
export interface GraphRun {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Graphs {
  open(side: Side, run: GraphRun): Promise<GraphState>;
  diff(a: Side, b: Side, run: GraphRun): Promise<{ readonly state: GraphState; readonly diff: Omit<GraphDiffOutput, 'view'> }>;
  close(id: string): Promise<void>;
  layout(
    request: { readonly graph: string; readonly revision: number; readonly root: number; readonly open: readonly number[] },
    run: GraphRun,
  ): Promise<GraphLayout>;
  node(id: string, node: number, run: GraphRun): Promise<NodeDetail>;
  /** The value of an initializer by its parameter group. @throws CheckpointError conflict when the file has been written since the graph was opened */
  inspect(id: string, group: string, run: GraphRun): Promise<Output<'parameter/inspect'>>;
  search(
    request: { readonly graph: string; readonly text: string; readonly mode: 'text' | 'regex' | 'path'; readonly limit: number },
    run: GraphRun,
  ): Promise<{
    readonly nodes: readonly { readonly node: number; readonly why: string }[];
    readonly truncated: boolean;
  }>;
  propose(
    request: {
      readonly graph: string;
      readonly from: { readonly kind: 'nodes' | 'position' } | { readonly kind: 'checkpoint'; readonly side: Side };
      readonly onlyNumbered: boolean;
    },
    run: GraphRun,
  ): Promise<readonly NameProposal[]>;
  review(id: string, edit: GraphEdit, run: GraphRun): Promise<EditReview>;
  /** What a pattern makes of each name. @throws CheckpointError invalid-request for a pattern without a meaning, too-large for one that takes too long */
  replaceNames(
    request: { readonly names: readonly string[]; readonly find: string; readonly replace: string },
    run: GraphRun,
  ): Promise<readonly (string | null)[]>;
  /** @throws CheckpointError conflict when the edit is refused, or the graph has been edited since `revision` */
  apply(request: { readonly graph: string; readonly revision: number; readonly edit: GraphEdit }, run: GraphRun): Promise<GraphState>;
  move(id: string, by: 1 | -1, run: GraphRun): Promise<GraphState>;
  save(request: { readonly graph: string; readonly path: string; readonly overwrite: boolean }, run: GraphRun): Promise<SavedGraph>;
  /** How another reader opens the model as it is now. */
  modelRef(id: string): ModelRef;
  dispose(): Promise<void>;
}

export interface GraphsOptions {
  /** One worker, which keeps the models that it has read. */
  readonly graphPool: WorkerPool;
  readonly pool: WorkerPool;
  readonly opener: SideOpener;
  /** For reconstructed versions and values; what is in it may be deleted when no program runs. */
  readonly folder: string;
}

/** Graphs that are open, by their ids. */
export function createGraphs({ graphPool, pool, opener, folder }: GraphsOptions): Graphs {
  const graphs = new Map<string, OpenGraph>();
  const lastPlan = new LastPlan();

  const find = (id: string): OpenGraph => {
    const graph = graphs.get(id);
    if (graph === undefined) throw new CheckpointError('not-found', 'The graph is no longer open.', { hint: 'Open it again.' });
    // The one used last is closed last.
    graphs.delete(id);
    graphs.set(id, graph);
    return graph;
  };
  const close = async (id: string): Promise<void> => {
    const graph = graphs.get(id);
    graphs.delete(id);
    lastPlan.clear();
    if (graph !== undefined) await rm(graph.scratch, { recursive: true, force: true });
  };
  const add = async (graph: OpenGraph): Promise<void> => {
    graphs.set(graph.id, graph);
    for (const id of graphs.keys()) if (graphs.size > MAX_GRAPHS) await close(id);
  };
  const begin = async (side: Side, other: Side | null, { signal }: GraphRun): Promise<OpenGraph> => {
    const id = randomUUID();
    const scratch = join(folder, id);
    const options = { opener, pool, signal };
    try {
      const file = await modelFile(side, { ...options, scratch });
      const second = other === null ? null : { side: other, file: await modelFile(other, { ...options, scratch: join(scratch, 'other') }) };
      return { id, side, file, scratch, steps: [], at: 0, revision: 0, other: second };
    } catch (error) {
      await rm(scratch, { recursive: true, force: true });
      throw error;
    }
  };
  const stateOf = (graph: OpenGraph, view: GraphView): GraphState => ({
    graph: graph.id,
    revision: graph.revision,
    view,
    done: graph.steps.slice(0, graph.at).map(({ title }) => title),
    undone: graph.steps.slice(graph.at).map(({ title }) => title),
  });
  const read = async (graph: OpenGraph, { signal }: GraphRun): Promise<GraphState> =>
    stateOf(graph, await graphPool.run('graphView', { model: modelRefOf(graph) }, { signal }));
  /** Takes over a new history when the model after it could be read; one that could not, or was given up, leaves the graph as it was. */
  const proceed = async (graph: OpenGraph, history: EditHistory, run: GraphRun): Promise<GraphState> => {
    const { revision } = graph;
    const state = await read({ ...graph, ...history }, run);
    checkRevision(graph, revision);
    Object.assign(graph, history);
    return state;
  };
  /** @param scratch for values and versions that must be reconstructed */
  const plan = async (graph: OpenGraph, edit: GraphEdit, { scratch, ...run }: GraphRun & { readonly scratch: string }): Promise<GraphPlanOutput> => {
    if (graph.other !== null) throw new CheckpointError('invalid-request', 'A comparison of two models cannot be edited.', { hint: 'Open one of them.' });
    const { signal } = run;
    const modelRef = async (side: Side) => {
      const file = await modelFile(side, { opener, pool, scratch: join(scratch, 'other'), signal });
      return modelRefOf({ id: `${graph.id} splice ${JSON.stringify(side)}`, file, steps: [], at: 0 });
    };
    const model = modelRefOf(graph);
    return lastPlan.of(model.key, edit, async () => {
      const resolved = await resolveEdit(edit, { opener, pool, scratch, signal, modelRef });
      return graphPool.run('graphPlan', { model, edit: resolved }, { signal });
    });
  };

  return {
    async open(side, run) {
      const graph = await begin(side, null, run);
      try {
        const state = await read(graph, run);
        await add(graph);
        return state;
      } catch (error) {
        await rm(graph.scratch, { recursive: true, force: true });
        throw error;
      }
    },
    async diff(a, b, run) {
      const graph = await begin(a, b, run);
      const ref = graphRefOf(graph);
      if (ref.kind !== 'diff') throw new TypeError('a comparison has two sides');
      try {
        const onProgress = (done: number, total: number) => run.onProgress({ phase: 'Comparing values', done, total, unit: 'bytes' });
        const { view, ...diff } = await graphPool.run('graphDiff', { a: ref.a, b: ref.b }, { signal: run.signal, onProgress });
        await add(graph);
        return { state: stateOf(graph, view), diff };
      } catch (error) {
        await rm(graph.scratch, { recursive: true, force: true });
        throw error;
      }
    },
    close,
    async layout({ graph: id, revision, root, open }, { signal, onProgress }) {
      const graph = find(id);
      checkRevision(graph, revision);
      const report = (done: number, total: number) => onProgress({ phase: 'Laying out', done, total, unit: 'groups' });
      return graphPool.run('graphLayout', { graph: graphRefOf(graph), root, open: [...open] }, { signal, onProgress: report });
    },
    async node(id, node, { signal }) {
      return graphPool.run('graphNode', { graph: graphRefOf(find(id)), node }, { signal });
    },
    async inspect(id, group, { signal, onProgress }) {
      const { side, file } = find(id);
      const check = async () => {
        if ((await fileIdentity(file.path)).identity !== file.identity) throw writtenSince(file.name);
      };
      await check();
      const { opened, repository } = await opener.open(side, signal);
      const report = (done: number, total: number) => onProgress({ phase: 'Reading', done, total, unit: 'bytes' });
      const value = await inspectGroup(opened, group, { repository, pool, signal, onProgress: report });
      // Numbers of a file that was written while it was read are nobody's.
      await check();
      return value;
    },
    async search({ graph, ...query }, { signal }) {
      return graphPool.run('graphSearch', { graph: graphRefOf(find(graph)), ...query }, { signal });
    },
    async propose({ graph: id, from, onlyNumbered }, { signal, onProgress }) {
      const graph = find(id);
      const report = (done: number, total: number) => onProgress({ phase: 'Comparing values', done, total, unit: 'bytes' });
      const source = from.kind === 'checkpoint' ? { kind: from.kind, groups: await tensorsOf(from.side, opener, signal) } : from;
      return graphPool.run('graphPropose', { model: modelRefOf(graph), from: source, onlyNumbered }, { signal, onProgress: report });
    },
    async review(id, edit, run) {
      const graph = find(id);
      const scratch = join(graph.scratch, randomUUID());
      try {
        return (await plan(graph, edit, { ...run, scratch })).review;
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
    async replaceNames({ names, find, replace }, { signal }) {
      return pool.run('replaceNames', { names: [...names], find, replace }, { signal });
    },
    async apply({ graph: id, revision, edit }, run) {
      const graph = find(id);
      checkRevision(graph, revision);
      const scratch = join(graph.scratch, randomUUID());
      try {
        const { review, pieces, files } = await plan(graph, edit, { ...run, scratch });
        if (pieces === null) throw new CheckpointError('conflict', review.refusals.join(' '), { place: { file: graph.file.name } });
        checkRevision(graph, revision);
        const sources = await sourceIdentities([pieces, ...files.map((file) => file.pieces)]);
        return await proceed(graph, afterStep(graph, { id: randomUUID(), title: review.title, pieces, files, sources }), run);
      } catch (error) {
        await rm(scratch, { recursive: true, force: true });
        throw error;
      }
    },
    async move(id, by, run) {
      const graph = find(id);
      return proceed(graph, afterMove(graph, by), run);
    },
    async save({ graph, path, overwrite }, run) {
      return saveGraph(find(graph), { path, overwrite, pool, ...run });
    },
    modelRef: (id) => modelRefOf(find(id)),
    async dispose() {
      for (const id of [...graphs.keys()]) await close(id);
      await graphPool.close();
    },
  };
}

function checkRevision(graph: OpenGraph, revision: number): void {
  if (graph.revision !== revision)
    throw new CheckpointError('conflict', 'The graph has been edited meanwhile.', { hint: 'Look at it as it is now, and try again.' });
}

async function tensorsOf(side: Side, opener: SideOpener, signal: AbortSignal) {
  const { opened } = await opener.open(side, signal);
  return [...opened.groups.values()].flatMap(({ group, plan }) =>
    isPlan(plan) ? [{ name: group.name, dtype: group.dtype, shape: [...group.shape], plan }] : [],
  );
}
