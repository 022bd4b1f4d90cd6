import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Disposable, toDisposable } from '../../shared/base/disposable';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { GraphLayout, GraphView } from '../../shared/model/graph';
import type { Side } from '../../shared/model/side';
import { GraphDiffIndex, kindOf } from '../charts/graphDiff';
import { type ChangeFilter, filterChanges } from '../charts/graphDiffWords';
import { type GraphItem, groupsAround } from '../charts/graphScene';
import type { Client } from '../client/client';
import type { CompareStore } from './compareStore';
import { type InitializerNumbers, measurePairs } from './graphDiffNumbers';
import { carryGroups, carryItem, firstOpen, groupsInside } from './graphPlaces';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import { resolveSide } from './resolveSide';
import { formatSide, mayMove, type SideChoice } from './sideChoice';
import type { WorkspaceStore } from './workspaceStore';

/** The union of two graphs that the host keeps open, with what differs. */
export interface OpenedDiff {
  /** Its id at the host. */
  readonly graph: string;
  readonly revision: number;
  readonly view: GraphView;
  readonly sides: { readonly a: Side; readonly b: Side };
  readonly index: GraphDiffIndex;
  /** What `theta onnx diff` prints. */
  readonly text: string;
}

/** What is drawn: a layout with the very difference and choices that it was made of. */
export interface DrawnDiff {
  readonly diff: OpenedDiff;
  readonly layout: GraphLayout;
  readonly root: number;
  readonly open: ReadonlySet<number>;
  /** Keeps its place on the screen: it was opened or closed by hand. */
  readonly anchor: GraphItem | null;
  /** Another picture altogether: all of it is shown. */
  readonly isNew: boolean;
}

export interface GraphDiffState {
  /** The graph view shows two models instead of one: the sides of the comparison. */
  readonly isShown: boolean;
  /** While other sides are compared, the earlier difference. */
  readonly diff: Loadable<OpenedDiff>;
  readonly drawn: Loadable<DrawnDiff>;
  readonly root: number;
  readonly open: ReadonlySet<number>;
  readonly selection: GraphItem | null;
  /** The chosen change: a place in `index.diff.changes`. */
  readonly change: number | null;
  /** To be brought into the middle of the view as soon as it is drawn; `turn` grows with each wish. */
  readonly goal: { readonly item: GraphItem; readonly turn: number } | null;
  readonly filter: ChangeFilter;
  /** By initializer; filled in place: `turn` tells when. */
  readonly numbers: ReadonlyMap<number, InitializerNumbers>;
  readonly turn: number;
  /** Initializers that are still to be measured. */
  readonly waiting: number;
  readonly numbersError: CheckpointError | null;
  /** Shows the graphs of both sides of the comparison; with `sides`, of these. */
  show(sides?: { readonly a: SideChoice | null; readonly b: SideChoice | null }): void;
  /** Back to one graph. */
  hide(): void;
  /** From a link to the repository at `folder`. */
  restore(folder: string, isShown: boolean): void;
  /** Opens both models and follows the sides until disposed. */
  watch(): Disposable;
  setRoot(group: number): void;
  toggle(group: number): void;
  openAll(): void;
  closeAll(): void;
  select(item: GraphItem | null): void;
  /** Selects an item, opens the groups that hide it, and brings it into view. */
  goTo(item: GraphItem): void;
  /** Chooses a change and goes where it can be seen. */
  choose(change: number): void;
  /** To the next (1) or previous (-1) change that the filter leaves; around at the end. */
  step(by: 1 | -1): void;
  setFilter(filter: Partial<ChangeFilter>): void;
  /** Gives up what is being read or laid out. */
  cancel(): void;
  retry(): void;
  retryNumbers(): void;
}

export type GraphDiffStore = StoreApi<GraphDiffState>;

interface GraphDiffContext {
  readonly client: Client;
  readonly workspace: WorkspaceStore;
  readonly compare: CompareStore;
}

const MOST_OPEN = 4000;
const NO_FILTER: ChangeFilter = { text: '', kind: 'all' };
const NOTHING = { diff: idle, drawn: idle, root: 0, open: new Set<number>(), selection: null, change: null, goal: null, filter: NO_FILTER };

/** The graphs of the two sides of the comparison, as one union. */
export function createGraphDiffStore({ client, workspace, compare }: GraphDiffContext): GraphDiffStore {
  let watchers = 0;
  /** Folder that the choice to show two graphs is about. */
  let owner: string | null = null;
  /** Sides that are shown or being opened. */
  let shown = '';
  let opening: AbortController | null = null;
  let layingOut: AbortController | null = null;
  let measuring: AbortController | null = null;

  const store = createStore<GraphDiffState>()((set, get) => ({
    isShown: false,
    ...NOTHING,
    numbers: new Map(),
    turn: 0,
    waiting: 0,
    numbersError: null,

    show(sides) {
      const folder = latest(workspace.getState().repository)?.path;
      if (folder === undefined) return;
      owner = folder;
      set({ isShown: true });
      if (sides !== undefined) compare.getState().restore(folder, sides);
      follow();
    },
    hide() {
      set({ isShown: false });
      follow();
    },
    restore(folder, isShown) {
      owner = folder;
      set({ isShown });
      follow();
    },
    watch() {
      watchers++;
      follow();
      return toDisposable(() => {
        watchers--;
        if (watchers === 0) rest();
      });
    },

    setRoot(root) {
      const view = latest(get().diff)?.view;
      if (view?.groups[root] === undefined || root === get().root) return;
      set({ root, open: firstOpen(view, root), selection: null });
      void layOut({ isNew: true });
    },
    toggle(group) {
      const open = new Set(get().open);
      if (!open.delete(group)) open.add(group);
      set({ open });
      void layOut({ anchor: { kind: 'group', ref: group } });
    },
    openAll() {
      const view = latest(get().diff)?.view;
      if (view === undefined) return;
      set({ open: new Set(groupsInside(view, get().root).slice(1, MOST_OPEN + 1)) });
      void layOut({ isNew: true });
    },
    closeAll() {
      set({ open: new Set() });
      void layOut({ isNew: true });
    },

    select(selection) {
      const [change] = selection === null ? [] : (latest(get().diff)?.index.changesOf(selection) ?? []);
      set({ selection, change: change ?? null });
    },
    goTo(item) {
      const opened = latest(get().diff);
      if (opened === undefined) return;
      const [root = 0, ...around] = groupsAround(opened.view, item);
      const isElsewhere = root !== get().root;
      const open = isElsewhere ? new Set(around) : new Set([...get().open, ...around]);
      const isHidden = isElsewhere || around.some((group) => !get().open.has(group));
      const change = get().change;
      const isSame = change !== null && opened.index.changesOf(item).includes(change);
      set({
        selection: item,
        change: isSame ? change : (opened.index.changesOf(item)[0] ?? null),
        goal: { item, turn: (get().goal?.turn ?? 0) + 1 },
        ...(isHidden ? { open, root } : {}),
      });
      if (isHidden) void layOut();
    },
    choose(change) {
      const item = latest(get().diff)?.index.itemOf(change) ?? null;
      set({ change, ...(item === null ? { selection: null } : {}) });
      if (item !== null) get().goTo(item);
    },
    step(by) {
      const opened = latest(get().diff);
      if (opened === undefined) return;
      const { index } = opened;
      const listed = filterChanges(index.diff.changes, index.order, get().filter);
      const { change } = get();
      const at = change === null ? -1 : listed.indexOf(change);
      const next = at < 0 ? (by === 1 ? 0 : listed.length - 1) : (at + by + listed.length) % listed.length;
      const found = listed[next];
      if (found !== undefined) get().choose(found);
    },
    setFilter(filter) {
      set({ filter: { ...get().filter, ...filter } });
    },

    cancel() {
      const { diff, drawn } = get();
      opening?.abort();
      layingOut?.abort();
      const [lastDiff, lastDrawn] = [latest(diff), latest(drawn)];
      if (diff.kind === 'loading') {
        set({ diff: failed(cancelledError(), diff) });
        return;
      }
      if (drawn.kind !== 'loading') return;
      if (lastDrawn === undefined || lastDrawn.diff !== lastDiff) set({ drawn: failed(cancelledError(), drawn) });
      else set({ drawn: ready(lastDrawn), open: lastDrawn.open, root: lastDrawn.root });
    },
    retry() {
      if (get().diff.kind === 'ready') void layOut();
      else {
        shown = '';
        follow();
      }
    },
    retryNumbers() {
      const opened = latest(get().diff);
      if (opened !== undefined) void measure(opened);
    },
  }));

  /** Opens what is to be shown, unless it is open already or nobody looks. */
  function follow(): void {
    const repository = latest(workspace.getState().repository);
    const { a, b } = compare.getState();
    if (!store.getState().isShown || repository === undefined || owner !== repository.path || a === null || b === null) {
      leave();
      return;
    }
    const wanted = `${repository.id}\n${formatSide(a)}\n${formatSide(b)}`;
    if (watchers === 0 || wanted === shown) return;
    shown = wanted;
    void open(a, b, repository.id);
  }

  async function open(a: SideChoice, b: SideChoice, repository: string): Promise<void> {
    opening?.abort();
    layingOut?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    opening = controller;
    store.setState({ diff: loading(store.getState().diff) });
    try {
      const context = { client, others: compare.getState().others, repository, signal };
      const sides = { a: await resolveSide(a, context), b: await resolveSide(b, context) };
      const answer = await client.request('graph/diff', sides, {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) store.setState({ diff: loading(store.getState().diff, progress) });
        },
      });
      if (signal.aborted) closeAtHost(answer.state.graph);
      else take(answer, sides);
    } catch (error) {
      if (signal.aborted) return;
      shown = '';
      forgetGraph();
      // A picture of other sides beside the error of these would mislead.
      store.setState({ ...NOTHING, diff: failed(CheckpointError.from(error)) });
    } finally {
      if (opening === controller) opening = null;
    }
  }

  /** What was open and selected stays so where the new union has it too: the sides may only have been swapped. */
  function take({ state, ...found }: Output<'graph/diff'>, sides: OpenedDiff['sides']): void {
    const { open: groups, root, selection } = store.getState();
    const before = latest(store.getState().diff);
    const { view } = state;
    const index = new GraphDiffIndex({ view, nodeChanges: found.nodeChanges, initializerChanges: found.initializerChanges, changes: found.changes });
    const opened: OpenedDiff = { graph: state.graph, revision: state.revision, view, sides, index, text: found.text };
    forgetGraph();
    const item = before === undefined || selection === null ? null : carryItem(before.view, selection, view);
    const [nextRoot = 0] = before === undefined ? [] : carryGroups(before.view, [root], view);
    store.setState({
      diff: ready(opened),
      root: nextRoot,
      open: before === undefined ? firstOpen(view, 0) : carryGroups(before.view, groups, view),
      selection: item,
      change: item === null ? null : (index.changesOf(item)[0] ?? null),
    });
    void layOut({ isNew: before === undefined || pairKey(before.sides) !== pairKey(sides) });
    void measure(opened);
  }

  async function layOut({ anchor = null, isNew = false }: { readonly anchor?: GraphItem | null; readonly isNew?: boolean } = {}): Promise<void> {
    layingOut?.abort();
    const { diff: loadable, root, open: groups } = store.getState();
    const diff = latest(loadable);
    if (diff === undefined) return;
    const controller = new AbortController();
    layingOut = controller;
    const { signal } = controller;
    store.setState({ drawn: loading(store.getState().drawn) });
    try {
      const request = { graph: diff.graph, revision: diff.revision, root, open: [...groups].sort((x, y) => x - y) };
      const layout = await client.request('graph/layout', request, {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) store.setState({ drawn: loading(store.getState().drawn, progress) });
        },
      });
      if (!signal.aborted) store.setState({ drawn: ready({ diff, layout, root, open: groups, anchor, isNew }) });
    } catch (error) {
      if (signal.aborted) return;
      // The host closed it: too many others were opened meanwhile.
      if (isCheckpointError(error, 'not-found') && watchers > 0) {
        shown = '';
        follow();
      } else store.setState({ drawn: failed(CheckpointError.from(error), store.getState().drawn) });
    }
  }

  /** Numbers of the initializers that differ in values alone. */
  async function measure({ index, sides }: OpenedDiff): Promise<void> {
    measuring?.abort();
    const controller = new AbortController();
    measuring = controller;
    const { view, initializerChanges } = index.diff;
    const questions = view.initializers.flatMap(({ group }, initializer) =>
      group !== null && kindOf(initializerChanges[initializer]) === 'value' ? [{ initializer, group }] : [],
    );
    const numbers = new Map<number, InitializerNumbers>();
    let waiting = questions.length;
    const publish = () => store.setState({ numbers, waiting, turn: store.getState().turn + 1, numbersError: null });
    publish();
    try {
      await measurePairs(questions, {
        client,
        sides,
        signal: controller.signal,
        onNumbers(found) {
          for (const [initializer, measured] of found) numbers.set(initializer, measured);
          waiting -= found.length;
          publish();
        },
      });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ waiting: 0, numbersError: CheckpointError.from(error) });
    }
  }

  /** Nobody looks for now: what is open stays open for who comes back, what is under way is given up. */
  function rest(): void {
    const { diff, drawn, waiting } = store.getState();
    opening?.abort();
    layingOut?.abort();
    measuring?.abort();
    // Whoever comes back finds all of it, or begins again.
    if (diff.kind !== 'ready' || drawn.kind !== 'ready' || waiting > 0) shown = '';
    const [lastDiff, lastDrawn] = [latest(diff), latest(drawn)];
    if (diff.kind === 'loading') store.setState({ diff: lastDiff === undefined ? idle : ready(lastDiff) });
    if (drawn.kind === 'loading') store.setState({ drawn: lastDrawn === undefined ? idle : ready(lastDrawn) });
  }

  /** Nothing is shown any more. */
  function leave(): void {
    opening?.abort();
    layingOut?.abort();
    measuring?.abort();
    shown = '';
    if (store.getState().diff.kind === 'idle' && store.getState().drawn.kind === 'idle') return;
    forgetGraph();
    store.setState({ ...NOTHING, numbers: new Map(), waiting: 0, numbersError: null });
  }

  function forgetGraph(): void {
    const opened = latest(store.getState().diff);
    if (opened !== undefined) closeAtHost(opened.graph);
  }

  /** The host closes it some time; that it could not be told is no concern of the user. */
  function closeAtHost(graph: string): void {
    client.request('graph/close', { graph }).catch(() => undefined);
  }

  workspace.subscribe((state, before) => {
    const [repository, earlier] = [latest(state.repository), latest(before.repository)];
    if (repository?.id !== earlier?.id) {
      // Another folder has its own graphs; the same one comes back under another id after a lost connection.
      if (repository !== undefined && owner !== repository.path && store.getState().isShown) store.setState({ isShown: false });
      follow();
      return;
    }
    // Who chooses another checkpoint or commit wants to see that one.
    if (store.getState().isShown && repository !== undefined && (state.path !== before.path || state.commit !== before.commit)) {
      store.getState().hide();
      return;
    }
    const { a, b } = compare.getState();
    if (state.revision !== before.revision && (mayMove(a) || mayMove(b) || store.getState().diff.kind === 'failed')) {
      shown = '';
      follow();
    }
  });
  compare.subscribe((state, before) => {
    if (state.a !== before.a || state.b !== before.b) follow();
  });
  return store;
}

/** The same for two sides and for them swapped. */
function pairKey({ a, b }: OpenedDiff['sides']): string {
  return [JSON.stringify(a), JSON.stringify(b)].sort().join();
}
