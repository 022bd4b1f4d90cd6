import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import type { Side } from '../../shared/model/side';
import { type NamedNumbers, parseNamedNumbers, type TensorNumber } from '../charts/graphOverlay';
import type { Client } from '../client/client';
import type { GraphStore, OpenedGraph } from './graphStore';
import { latest } from './loadable';

/** What the boxes of a graph are coloured by. `family`: the kind of operator, no number. */
export const OVERLAYS = ['family', 'parameters', 'flops', 'norm', 'sparsity', 'delta', 'table'] as const;
export type Overlay = (typeof OVERLAYS)[number];

export interface GraphOverlayState {
  readonly overlay: Overlay;
  /** Version that ‖Δ‖ is measured against. */
  readonly base: CommitHash | null;
  /** A table of the user's. */
  readonly table: (NamedNumbers & { readonly file: string }) | null;
  /** By parameter group; filled in place: `turn` tells when. */
  readonly numbers: ReadonlyMap<string, TensorNumber>;
  readonly turn: number;
  /** Parameter groups that are still to be measured. */
  readonly waiting: number;
  readonly error: CheckpointError | null;
  choose(overlay: Overlay): void;
  setBase(commit: CommitHash): void;
  /** @throws nothing: a table without any number is an error of the state */
  loadTable(file: File): Promise<void>;
  retry(): void;
}

export type GraphOverlayStore = StoreApi<GraphOverlayState>;

const BATCH = 48;

/** Numbers of the tensors of the graph that is shown, measured batch by batch while somebody looks at them. */
export function createGraphOverlayStore({ client, graph }: { readonly client: Client; readonly graph: GraphStore }): GraphOverlayStore {
  let running: { readonly key: string; readonly controller: AbortController } | null = null;
  let measured = '';

  const store = createStore<GraphOverlayState>()((set, get) => ({
    overlay: 'family',
    base: null,
    table: null,
    numbers: new Map(),
    turn: 0,
    waiting: 0,
    error: null,
    choose(overlay) {
      set({ overlay });
      follow();
    },
    setBase(base) {
      set({ base });
      follow();
    },
    async loadTable(file) {
      const named = parseNamedNumbers(await file.text());
      if (named.numbers.size === 0) {
        const hint = 'Two columns are read: a name (of an operator, a tensor or a group) and a number, separated by a comma.';
        set({ error: new CheckpointError('malformed', 'The table holds no names with numbers.', { place: { file: file.name }, hint }) });
        return;
      }
      set({ table: { ...named, file: file.name }, overlay: 'table', error: null });
      follow();
    },
    retry() {
      measured = '';
      set({ error: null });
      follow();
      if (get().overlay === 'table') set({ error: null });
    },
  }));

  function follow(): void {
    const { overlay, base } = store.getState();
    const opened = latest(graph.getState().graph);
    const key = opened === undefined ? '' : keyFor(overlay, opened, base);
    if (key === measured || key === running?.key) return;
    running?.controller.abort();
    running = null;
    if (key === '' || opened === undefined) {
      measured = '';
      store.setState({ numbers: new Map(), waiting: 0, error: overlay === 'table' ? store.getState().error : null });
      return;
    }
    void measure(opened, key);
  }

  async function measure({ view, side }: OpenedGraph, key: string): Promise<void> {
    const controller = new AbortController();
    running = { key, controller };
    const { overlay, base } = store.getState();
    const names = [...new Set(view.initializers.flatMap(({ group }) => (group === null ? [] : [group])))];
    const numbers = new Map<string, TensorNumber>();
    store.setState({ numbers, waiting: names.length, error: null, turn: store.getState().turn + 1 });
    try {
      const against =
        overlay === 'delta' && base !== null && side.kind === 'version' ? await comparison(client, { side, base, signal: controller.signal }) : null;
      for (let from = 0; from < names.length; from += BATCH) {
        const batch = names.slice(from, from + BATCH);
        const found = await ask(client, { overlay, side, against, names: batch, signal: controller.signal });
        if (controller.signal.aborted) return;
        batch.forEach((name, at) => {
          const number = found[at];
          if (number != null) numbers.set(name, number);
        });
        store.setState({ turn: store.getState().turn + 1, waiting: Math.max(0, names.length - from - BATCH) });
      }
      measured = key;
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ error: CheckpointError.from(error), waiting: 0 });
    } finally {
      if (running?.controller === controller) running = null;
    }
  }

  graph.subscribe((state, before) => {
    if (state.graph !== before.graph && state.graph.kind !== 'loading') follow();
  });
  return store;
}

/** What is measured, in one text; empty when there is nothing to measure. */
function keyFor(overlay: Overlay, { graph, revision, side }: OpenedGraph, base: CommitHash | null): string {
  if (side.kind !== 'version') return '';
  if (overlay === 'norm' || overlay === 'sparsity') return `${overlay}\0${graph}\0${revision}\0${side.commit}`;
  return overlay === 'delta' && base !== null ? `${overlay}\0${graph}\0${revision}\0${side.commit}\0${base}` : '';
}

/** What ‖Δ‖ is measured against: the version, and what the groups that have other names now are called there. */
interface Against {
  readonly a: Side;
  readonly namesInA: ReadonlyMap<string, string>;
}

async function comparison(
  client: Client,
  { side, base, signal }: { readonly side: Extract<Side, { kind: 'version' }>; readonly base: CommitHash; readonly signal: AbortSignal },
): Promise<Against> {
  const a: Side = { ...side, commit: base };
  const { groups } = await client.request('compare/open', { a, b: side }, { signal });
  return { a, namesInA: new Map(groups.flatMap((group) => (group.a === null || group.b === null ? [] : [[group.b.name, group.a.name]]))) };
}

interface Question {
  readonly overlay: Overlay;
  readonly side: Side;
  readonly against: Against | null;
  readonly names: readonly string[];
  readonly signal: AbortSignal;
}

/** Numbers of some groups, in their order; `null` for what cannot be measured. */
async function ask(client: Client, { overlay, side, against, names, signal }: Question): Promise<(TensorNumber | null)[]> {
  if (side.kind !== 'version') return [];
  const { repository, path } = side;
  if (overlay === 'delta') {
    if (against === null) return [];
    const pairs = names.map((name) => ({ a: against.namesInA.get(name) ?? name, b: name }));
    const answers = await client.request('compare/numbers', { a: against.a, b: side, pairs, rtol: 0, atol: 0 }, { signal });
    return answers.map(({ numbers }) => (numbers === null ? null : { value: numbers.norm, weight: numbers.elements }));
  }
  const cells = names.map((group) => ({ commit: side.commit, group }));
  const answers = await client.request('timeline/statistics', { repository, path, cells, histogram: null }, { signal });
  return answers.map(({ stats }) => {
    if (stats === null) return null;
    return overlay === 'norm' ? { value: stats.norm, weight: stats.count } : { value: stats.count === 0 ? 0 : stats.zeros / stats.count, weight: stats.count };
  });
}
