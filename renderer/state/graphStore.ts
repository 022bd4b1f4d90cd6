import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Disposable, toDisposable } from '../../shared/base/disposable';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { Output, RequestInput } from '../../shared/contract/requests';
import type { GraphLayout, GraphView, NodeDetail } from '../../shared/model/graph';
import type { Side } from '../../shared/model/side';
import { drawnItem } from '../charts/graphConstants';
import { type GraphItem, groupsAround } from '../charts/graphScene';
import { carryGroups, carryItem, firstOpen, groupsInside } from './graphPlaces';
import { type GraphSearch, type GraphSearchMode, GraphSearchRunner, NO_GRAPH_SEARCH } from './graphSearchRunner';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { StoreContext } from './storeContext';

/** A graph that the host keeps open, with the titles of its edits. */
export interface OpenedGraph extends Omit<Output<'graph/open'>, 'view'> {
  readonly view: GraphView;
  readonly side: Side;
  /** What was last written to a file; at first what was opened. */
  readonly savedRevision: number;
}

/** What is drawn: a layout with the very view and choices that it was made of, so that its numbers are never read against others. */
export interface DrawnGraph {
  readonly graph: string;
  readonly side: Side;
  readonly view: GraphView;
  readonly layout: GraphLayout;
  readonly root: number;
  readonly open: ReadonlySet<number>;
  /** Keeps its place on the screen: it was opened or closed by hand. */
  readonly anchor: GraphItem | null;
  /** Another picture altogether: all of it is shown. */
  readonly isNew: boolean;
}

/** Which file is looked at: that of the selected commit, or of the working tree. */
export type GraphSource = 'version' | 'worktree';

export interface GraphState {
  readonly source: GraphSource;
  /** While another version loads, the earlier one. */
  readonly graph: Loadable<OpenedGraph>;
  /** While another layout is made, the earlier one. */
  readonly drawn: Loadable<DrawnGraph>;
  /** Group that is looked at: 0, the main graph, or a function. */
  readonly root: number;
  readonly open: ReadonlySet<number>;
  readonly selection: GraphItem | null;
  /** Of the selected node. */
  readonly detail: Loadable<NodeDetail>;
  readonly search: GraphSearch;
  /** To be brought into the middle of the view as soon as it is drawn; `turn` grows with each wish. */
  readonly goal: { readonly item: GraphItem; readonly turn: number } | null;
  /** An edit, an undo or a redo is under way. */
  readonly isChanging: boolean;
  /** Opens the graph and follows the selected version until disposed. The graph itself stays open, for who comes back. */
  watch(): Disposable;
  setSource(source: GraphSource): void;
  setRoot(group: number): void;
  /** @param within with all groups inside; @param anchor keeps its place */
  toggle(group: number, options?: { readonly within?: boolean; readonly anchor?: GraphItem | null }): void;
  openAll(): void;
  closeAll(): void;
  select(item: GraphItem | null): void;
  /** Selects an item, opens the groups that hide it, and brings it into view. */
  goTo(item: GraphItem): void;
  setSearch(text: string, mode: GraphSearchMode): void;
  /** Says whether it was done; what stands against it is shown as a notice. */
  apply(edit: RequestInput<'graph/apply'>['edit']): Promise<boolean>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** The graph as it is now is in a file. `isOpened`: in the very file that it was opened from, which is therefore opened anew. */
  markSaved(isOpened: boolean): void;
  /** Graphs whose edits are in no file: the one that is shown, and those of other versions. */
  unsaved(): readonly OpenedGraph[];
  cancelLayout(): void;
  /** Asks again for what is known of the selected node. */
  readAgain(): void;
  retry(): void;
}

export type GraphStore = StoreApi<GraphState>;

/** Groups that "open all" opens, at most: more boxes than that are no picture. */
const MOST_OPEN = 4000;
/** Holding down an arrow key passes a commit every 30 ms: only where it rests is worth opening. */
const REST_MS = 90;
/** Graphs with edits that wait for their version to be selected again; the host keeps a few more. */
const MOST_PARKED = 5;

type EditedState = Output<'graph/open'>;

export function createGraphStore({ client, workspace, notices }: StoreContext): GraphStore {
  let watchers = 0;
  let opening: { readonly key: string; readonly controller: AbortController } | null = null;
  let layingOut: AbortController | null = null;
  let describing: AbortController | null = null;
  const parked = new Map<string, OpenedGraph>();

  const store = createStore<GraphState>()((set, get) => ({
    source: 'version',
    graph: idle,
    drawn: idle,
    root: 0,
    open: new Set(),
    selection: null,
    detail: idle,
    search: NO_GRAPH_SEARCH,
    goal: null,
    isChanging: false,

    watch() {
      watchers++;
      follow();
      return toDisposable(() => {
        watchers--;
        if (watchers > 0) return;
        opening?.controller.abort();
        opening = null;
        layingOut?.abort();
        describing?.abort();
        const graph = latest(get().graph);
        if (get().graph.kind === 'loading') set({ graph: graph === undefined ? idle : ready(graph) });
        const drawn = latest(get().drawn);
        if (get().drawn.kind === 'loading') set({ drawn: drawn === undefined ? idle : ready(drawn) });
      });
    },

    setSource(source) {
      if (source === get().source) return;
      set({ source });
      follow();
    },

    setRoot(root) {
      const view = latest(get().graph)?.view;
      if (view?.groups[root] === undefined || root === get().root) return;
      set({ root, open: firstOpen(view, root), selection: null, detail: idle });
      void layOut({ isNew: true });
    },

    toggle(group, { within = false, anchor } = {}) {
      const view = latest(get().graph)?.view;
      if (view === undefined) return;
      const open = new Set(get().open);
      const groups = within ? groupsInside(view, group).slice(0, MOST_OPEN) : [group];
      if (open.has(group)) for (const each of groups) open.delete(each);
      else for (const each of groups) open.add(each);
      set({ open });
      void layOut({ anchor: anchor === undefined ? { kind: 'group', ref: group } : anchor });
    },

    openAll() {
      const view = latest(get().graph)?.view;
      if (view === undefined) return;
      const groups = groupsInside(view, get().root).slice(1);
      if (groups.length > MOST_OPEN) {
        const text = 'The first ones are open. Open the rest where you need it.';
        notices.getState().show({ kind: 'warning', title: `${MOST_OPEN} of ${groups.length} groups were opened`, text });
      }
      set({ open: new Set(groups.slice(0, MOST_OPEN)) });
      void layOut({ isNew: true });
    },

    closeAll() {
      set({ open: new Set() });
      void layOut({ isNew: true });
    },

    select(item) {
      const before = get().selection;
      if (item?.kind === before?.kind && item?.ref === before?.ref) return;
      set({ selection: item });
      void readDetail();
    },

    goTo(item) {
      const view = latest(get().graph)?.view;
      if (view === undefined) return;
      get().select(item);
      const target = drawnItem(view, item);
      const [root = 0, ...around] = groupsAround(view, target);
      const isElsewhere = root !== get().root && (item.kind !== 'group' || (view.groups[item.ref]?.parent ?? -1) >= 0);
      const open = isElsewhere ? new Set(around) : new Set([...get().open, ...around]);
      const isHidden = isElsewhere || around.some((group) => !get().open.has(group));
      set({ goal: { item: target, turn: (get().goal?.turn ?? 0) + 1 }, ...(isHidden ? { open } : {}), ...(isElsewhere ? { root } : {}) });
      if (isHidden) void layOut();
    },

    setSearch(text, mode) {
      void searches.run(latest(get().graph)?.graph ?? null, text, mode);
    },

    apply: (edit) =>
      change('The model could not be edited', ({ graph, revision }, signal) => client.request('graph/apply', { graph, revision, edit }, { signal })),
    undo: async () => {
      await change('The edit could not be undone', ({ graph }, signal) => client.request('graph/undo', { graph }, { signal }));
    },
    redo: async () => {
      await change('The edit could not be done again', ({ graph }, signal) => client.request('graph/redo', { graph }, { signal }));
    },

    markSaved(isOpened) {
      const graph = latest(get().graph);
      if (graph === undefined) return;
      set({ graph: ready({ ...graph, savedRevision: graph.revision }) });
      if (isOpened) follow(true);
    },

    unsaved() {
      const shown = latest(get().graph);
      return [...(shown === undefined ? [] : [shown]), ...parked.values()].filter(hasUnsavedEdits);
    },

    cancelLayout() {
      layingOut?.abort();
      const drawn = latest(get().drawn);
      // The groups are as they are drawn again.
      if (drawn === undefined) set({ drawn: failed(cancelledError()) });
      else set({ drawn: ready(drawn), open: drawn.open, root: drawn.root });
    },

    readAgain() {
      void readDetail();
    },

    retry() {
      const { graph } = get();
      if (graph.kind === 'ready') void layOut();
      else follow(true);
    },
  }));

  const searches = new GraphSearchRunner(client, { get: () => store.getState().search, set: (search) => store.setState({ search }) });

  /** What is to be looked at now. */
  function wanted(): Side | null {
    const { repository: described, path, commit } = workspace.getState();
    const repository = latest(described);
    if (repository === undefined || path === null) return null;
    if (repository.checkpoints.some((checkpoint) => checkpoint.path === path && checkpoint.format !== 'onnx' && checkpoint.format !== 'unknown')) return null;
    if (store.getState().source === 'worktree') return { kind: 'worktree', repository: repository.id, path };
    return commit === null ? null : { kind: 'version', repository: repository.id, commit, path };
  }

  function follow(again = false): void {
    const side = wanted();
    if (side === null) {
      leave();
      return;
    }
    if (watchers === 0) return;
    const key = keyOf(side);
    const { graph } = store.getState();
    if (opening?.key === key && !again) return;
    const shown = latest(graph);
    if (!again && graph.kind !== 'failed' && shown !== undefined && keyOf(shown.side) === key && opening === null) {
      if (store.getState().drawn.kind === 'idle') void layOut();
      return;
    }
    const known = parked.get(key);
    if (known !== undefined) {
      parked.delete(key);
      show(known);
    } else void open(side);
  }

  async function open(side: Side): Promise<void> {
    opening?.controller.abort();
    const controller = new AbortController();
    opening = { key: keyOf(side), controller };
    const before = latest(store.getState().graph);
    // Of another checkpoint nothing is kept.
    const kept = before !== undefined && pathOf(before.side) === pathOf(side) ? store.getState().graph : idle;
    if (kept === idle) store.setState({ drawn: idle, selection: null, detail: idle });
    store.setState({ graph: loading(kept) });
    if (before !== undefined && kept === idle) putAside(before);
    try {
      if (before !== undefined) await new Promise((resolve) => setTimeout(resolve, REST_MS));
      const state = await client.request('graph/open', { side }, { signal: controller.signal, onProgress: (progress) => report(controller, progress) });
      if (controller.signal.aborted) closeAtHost(state.graph);
      else show({ ...state, side, savedRevision: state.revision });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ graph: failed(CheckpointError.from(error), store.getState().graph) });
    } finally {
      if (opening?.controller === controller) opening = null;
    }
  }

  function report({ signal }: AbortController, progress: Parameters<typeof loading>[1]): void {
    if (!signal.aborted) store.setState({ graph: loading(store.getState().graph, progress) });
  }

  /** Puts a graph in the place of the one that is shown; what was open and selected there stays so where the new one has it too. */
  function show(next: OpenedGraph): void {
    opening?.controller.abort();
    opening = null;
    const { graph, open: openGroups, selection, root, search } = store.getState();
    const before = latest(graph);
    const isSameFile = before !== undefined && pathOf(before.side) === pathOf(next.side);
    if (before !== undefined && before.graph !== next.graph) {
      if (keyOf(before.side) === keyOf(next.side)) closeAtHost(before.graph);
      else putAside(before);
    }
    const from = isSameFile ? before.view : null;
    const [nextRoot = 0] = from === null ? [] : carryGroups(from, [root], next.view);
    const item = from === null || selection === null ? null : carryItem(from, selection, next.view);
    store.setState({
      graph: ready(next),
      root: nextRoot,
      open: from === null ? firstOpen(next.view, 0) : carryGroups(from, openGroups, next.view),
      selection: item,
    });
    void readDetail();
    void layOut();
    if (search.text !== '') void searches.run(next.graph, search.text, search.mode);
  }

  async function layOut({ anchor = null, isNew = false }: { readonly anchor?: GraphItem | null; readonly isNew?: boolean } = {}): Promise<void> {
    layingOut?.abort();
    const { graph: loadable, root, open: groups } = store.getState();
    const graph = latest(loadable);
    if (graph === undefined) return;
    const controller = new AbortController();
    layingOut = controller;
    store.setState({ drawn: loading(store.getState().drawn) });
    try {
      const layout = await client.request(
        'graph/layout',
        { graph: graph.graph, revision: graph.revision, root, open: [...groups].sort((a, b) => a - b) },
        {
          signal: controller.signal,
          onProgress: (progress) => {
            if (!controller.signal.aborted) store.setState({ drawn: loading(store.getState().drawn, progress) });
          },
        },
      );
      if (controller.signal.aborted) return;
      store.setState({ drawn: ready({ graph: graph.graph, side: graph.side, view: graph.view, layout, root, open: groups, anchor, isNew }) });
    } catch (error) {
      if (controller.signal.aborted) return;
      // The host closed it: too many others were opened meanwhile.
      if (isCheckpointError(error, 'not-found')) void open(graph.side);
      else store.setState({ drawn: failed(CheckpointError.from(error), store.getState().drawn) });
    }
  }

  async function readDetail(): Promise<void> {
    describing?.abort();
    const { selection, graph: loadable } = store.getState();
    const graph = latest(loadable);
    if (selection?.kind !== 'node' || graph === undefined) {
      store.setState({ detail: idle });
      return;
    }
    const controller = new AbortController();
    describing = controller;
    store.setState({ detail: loading() });
    try {
      const detail = await client.request('graph/node', { graph: graph.graph, node: selection.ref }, { signal: controller.signal });
      if (!controller.signal.aborted) store.setState({ detail: ready(detail) });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ detail: failed(CheckpointError.from(error)) });
    }
  }

  async function change(title: string, ask: (graph: OpenedGraph, signal: AbortSignal) => Promise<EditedState>): Promise<boolean> {
    const graph = latest(store.getState().graph);
    if (graph === undefined || store.getState().isChanging) return false;
    store.setState({ isChanging: true });
    try {
      const state = await ask(graph, new AbortController().signal);
      const now = latest(store.getState().graph);
      const changed = { ...state, side: graph.side, savedRevision: graph.savedRevision };
      if (now?.graph === graph.graph) show(changed);
      else if (parked.has(keyOf(graph.side))) parked.set(keyOf(graph.side), changed);
      return true;
    } catch (error) {
      notices.getState().show({ kind: 'error', title, error: CheckpointError.from(error) });
      return false;
    } finally {
      store.setState({ isChanging: false });
    }
  }

  /** A graph with edits waits for its version to be selected again; one without is closed. */
  function putAside(graph: OpenedGraph): void {
    if (graph.done.length + graph.undone.length === 0 || isSaved(graph)) {
      closeAtHost(graph.graph);
      return;
    }
    parked.set(keyOf(graph.side), graph);
    for (const [key, oldest] of parked) {
      if (parked.size <= MOST_PARKED) break;
      parked.delete(key);
      closeAtHost(oldest.graph);
      if (!hasUnsavedEdits(oldest)) continue;
      const title = `Edits of ${oldest.side.path} were given up`;
      notices.getState().show({ kind: 'warning', title, text: `Edits of ${MOST_PARKED} versions are kept; these were not saved: ${oldest.done.join(', ')}.` });
    }
  }

  function leave(): void {
    opening?.controller.abort();
    opening = null;
    layingOut?.abort();
    describing?.abort();
    const graph = latest(store.getState().graph);
    if (graph !== undefined) putAside(graph);
    store.setState({ graph: idle, drawn: idle, root: 0, open: new Set(), selection: null, detail: idle, goal: null, search: NO_GRAPH_SEARCH });
  }

  /** The host closes it some time; that it could not be told is no concern of the user. */
  function closeAtHost(graph: string): void {
    client.request('graph/close', { graph }).catch(() => undefined);
  }

  function forgetAll(): void {
    leave();
    for (const graph of parked.values()) closeAtHost(graph.graph);
    parked.clear();
  }

  workspace.subscribe((state, before) => {
    if (latest(state.repository)?.id !== latest(before.repository)?.id) forgetAll();
    const { graph, source } = store.getState();
    const isRevised = state.revision !== before.revision;
    const shown = latest(graph);
    // The working tree's file may be another one now, and an object that was missing may have come. Edits are not thrown away for that.
    const isOutdated =
      isRevised &&
      (graph.kind === 'failed' || (source === 'worktree' && shown !== undefined && (shown.done.length + shown.undone.length === 0 || isSaved(shown))));
    if (state.repository !== before.repository || state.path !== before.path || state.commit !== before.commit || isRevised) follow(isOutdated);
  });
  client.onReconnect(() => {
    // A host that was started anew knows no graph.
    if (watchers > 0 && latest(store.getState().graph) !== undefined) follow(true);
  });
  return store;
}

/** Whether it was edited and the result is in a file. */
function isSaved({ done, revision, savedRevision }: OpenedGraph): boolean {
  return done.length > 0 && revision === savedRevision;
}

export function hasUnsavedEdits(graph: OpenedGraph): boolean {
  return graph.done.length > 0 && !isSaved(graph);
}

function keyOf(side: Side): string {
  switch (side.kind) {
    case 'version':
      return `version\0${side.repository}\0${side.commit}\0${side.path}`;
    case 'worktree':
      return `worktree\0${side.repository}\0${side.path}`;
    case 'file':
      return `file\0${side.path}`;
  }
}

function pathOf(side: Side): string {
  return side.kind === 'file' ? side.path : `${side.repository}\0${side.path}`;
}
