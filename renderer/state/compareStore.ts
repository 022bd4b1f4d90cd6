import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { CommitHash } from '../../shared/model/commit';
import type { Side } from '../../shared/model/side';
import { BITS, type Tolerance } from '../charts/closenessBounds';
import type { RowNumbers } from './comparedNumbers';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import { NO_PROGRESS, NumbersLoader, type NumbersProgress } from './numbersLoader';
import { OtherRepositories, resolveSide } from './resolveSide';
import { formatSide, mayMove, type SideChoice } from './sideChoice';
import type { StoreContext } from './storeContext';

export type SideName = 'a' | 'b';

/** What both sides turned out to be, and their groups. */
export interface Comparison extends Output<'compare/open'> {
  readonly sides: { readonly a: Side; readonly b: Side };
}

export interface CompareState {
  readonly a: SideChoice | null;
  readonly b: SideChoice | null;
  /** First of two commits, marked in the history to be compared with another one. */
  readonly marked: CommitHash | null;
  /** Checkpoints that a side could be instead, at the same commit; empty while nobody knows. */
  readonly paths: Readonly<Record<SideName, readonly string[]>>;
  readonly comparison: Loadable<Comparison>;
  /** What `comparison` shows as its last value belongs to other sides. */
  readonly isStale: boolean;
  /** Grows when rows were measured: ask `numbersOf` again. */
  readonly numbersTurn: number;
  readonly progress: NumbersProgress;
  /** Differences up to it do not count. */
  readonly tolerance: Tolerance;
  /** Side whose picker is open. */
  readonly picking: SideName | null;

  /** Chooses both sides and shows the view; without `b` only `a` is chosen, and the picker of `b` opens when there is none. */
  compare(a: SideChoice, b: SideChoice | null): void;
  setSide(side: SideName, choice: SideChoice | null): void;
  /** Sides of a link; they belong to the repository at `folder`. */
  restore(folder: string, sides: { readonly a: SideChoice | null; readonly b: SideChoice | null }): void;
  swap(): void;
  mark(commit: CommitHash | null): void;
  pick(side: SideName | null): void;
  setTolerance(tolerance: Tolerance): void;
  numbersOf(row: number): RowNumbers | undefined;
  /** Rows on the screen: they are measured first. */
  setVisible(rows: readonly number[]): void;
  stopNumbers(): void;
  resumeNumbers(): void;
  retry(): void;
  /** Repositories that versions of the sides are taken from. */
  readonly others: OtherRepositories;
}

export type CompareStore = StoreApi<CompareState>;

/** The slider is let go of before anything is measured again. */
const SETTLE_MS = 400;

export function createCompareStore({ client, workspace }: StoreContext): CompareStore {
  const others = new OtherRepositories(client);
  /** Folder that the sides are about. */
  let owner: string | null = null;
  let shown = '';
  let running: AbortController | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const loader = new NumbersLoader({
    client,
    onChange: (progress) => store.setState({ progress, numbersTurn: store.getState().numbersTurn + 1 }),
  });
  const repositoryNow = () => latest(workspace.getState().repository);

  const store = createStore<CompareState>()((set, get) => ({
    a: null,
    b: null,
    marked: null,
    paths: { a: [], b: [] },
    comparison: idle,
    isStale: false,
    numbersTurn: 0,
    progress: NO_PROGRESS,
    tolerance: BITS,
    picking: null,
    others,

    compare(a, b) {
      owner = repositoryNow()?.path ?? null;
      set({ a, b: b ?? get().b, marked: null, picking: b === null && get().b === null ? 'b' : null });
      workspace.getState().showView('compare');
      follow();
    },
    setSide(side, choice) {
      owner = repositoryNow()?.path ?? null;
      set(side === 'a' ? { a: choice } : { b: choice });
      follow();
    },
    restore(folder, sides) {
      owner = folder;
      set({ a: sides.a, b: sides.b, picking: null });
      follow();
    },
    swap() {
      set({ a: get().b, b: get().a });
      follow();
    },
    mark: (marked) => set({ marked }),
    pick: (picking) => set({ picking }),

    setTolerance(tolerance) {
      set({ tolerance });
      clearTimeout(settling);
      settling = setTimeout(() => loader.setTolerance(store.getState().tolerance), SETTLE_MS);
    },
    numbersOf: (row) => loader.rowAt(row),
    setVisible: (rows) => loader.setVisible(rows),
    stopNumbers: () => loader.stop(),
    resumeNumbers: () => loader.resume(),
    retry() {
      shown = '';
      follow();
    },
  }));

  /** Opens what is chosen, unless it is open already or nobody looks. */
  function follow(): void {
    const repository = repositoryNow();
    const { a, b } = store.getState();
    if (repository === undefined || a === null || b === null || owner !== repository.path) {
      running?.abort();
      shown = '';
      loader.start(null, store.getState().tolerance);
      if (store.getState().comparison.kind !== 'idle') store.setState({ comparison: idle, isStale: false });
      return;
    }
    if (workspace.getState().view !== 'compare') return;
    const wanted = `${repository.id}\n${formatSide(a)}\n${formatSide(b)}`;
    if (wanted === shown) return;
    const isOther = shown !== '' && wanted !== shown;
    shown = wanted;
    void open(a, b, { repository: repository.id, isOther });
  }

  async function open(a: SideChoice, b: SideChoice, { repository, isOther }: { readonly repository: string; readonly isOther: boolean }): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running = controller;
    loader.stop();
    store.setState({ comparison: loading(store.getState().comparison), isStale: isOther || store.getState().isStale });
    try {
      const context = { client, others, repository, signal };
      const sides = { a: await resolveSide(a, context), b: await resolveSide(b, context) };
      void loadPaths(sides, signal);
      const opened = await client.request('compare/open', sides, {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) store.setState({ comparison: loading(store.getState().comparison, progress) });
        },
      });
      if (signal.aborted) return;
      store.setState({ comparison: ready({ ...opened, sides }), isStale: false });
      loader.start({ sides, groups: opened.groups }, store.getState().tolerance);
    } catch (error) {
      if (signal.aborted) return;
      shown = '';
      loader.start(null, store.getState().tolerance);
      // Rows of other sides beside the error of these would mislead.
      store.setState({ comparison: failed(CheckpointError.from(error)), isStale: false });
    }
  }

  /** Without them a side still has the path that was chosen. */
  async function loadPaths(sides: Comparison['sides'], signal: AbortSignal): Promise<void> {
    const pathsOf = async (side: Side): Promise<readonly string[]> => {
      if (side.kind === 'file') return [];
      const { repository } = side;
      if (side.kind === 'version') return client.request('checkpoint/paths', { repository, commit: side.commit }, { signal });
      const { checkpoints } = await client.request('repository/describe', { repository }, { signal });
      return checkpoints.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
    };
    const [a, b] = await Promise.all([sides.a, sides.b].map((side) => pathsOf(side).catch(() => [])));
    if (!signal.aborted) store.setState({ paths: { a: a ?? [], b: b ?? [] } });
  }

  /** Nobody waits any more. */
  function leave(): void {
    loader.stop();
    if (store.getState().comparison.kind !== 'loading') return;
    running?.abort();
    shown = '';
    const last = latest(store.getState().comparison);
    store.setState({ comparison: last === undefined ? idle : ready(last) });
  }

  workspace.subscribe((state, before) => {
    const repository = latest(state.repository);
    const earlier = latest(before.repository);
    if (repository?.id !== earlier?.id) {
      others.forget(repository?.id ?? null);
      shown = '';
      // The same folder comes back under another id after a lost connection.
      if (repository !== undefined && earlier === undefined && owner !== null) owner = repository.path;
      if (repository === undefined ? state.repository.kind === 'idle' && state.opening === null : owner !== repository.path) {
        if (owner !== null && earlier !== undefined) store.setState({ a: null, b: null });
        store.setState({ marked: null, picking: null });
      }
    }
    if (state.view !== before.view && before.view === 'compare') leave();
    if (state.view === 'compare' && (state.view !== before.view || state.revision !== before.revision)) loader.resume();
    // Branches and the working tree may have moved.
    const { a, b } = store.getState();
    if (state.revision !== before.revision && repository?.id === earlier?.id && (mayMove(a) || mayMove(b))) shown = '';
    if (repository?.id !== earlier?.id || (state.view === 'compare' && (state.revision !== before.revision || state.view !== before.view))) follow();
  });
  return store;
}
