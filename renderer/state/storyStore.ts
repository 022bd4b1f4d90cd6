import { createStore, type StoreApi } from 'zustand/vanilla';
import { BoundedMap } from '../../shared/base/boundedMap';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { CommitHash } from '../../shared/model/commit';
import { elementCount, type Shape } from '../../shared/model/shape';
import type { TensorPreview } from '../../shared/model/tensorStats';
import { firstView } from '../charts/sliceWindow';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { StoreContext } from './storeContext';

export type VersionStatistics = Output<'timeline/statistics'>[number];
export type VersionDifference = Output<'timeline/differences'>[number];
export type Blame = Output<'timeline/blame'>;
export type Bisection = Output<'timeline/bisect'>;

/** Elements that are followed one by one: so many rows and columns from the upper left corner. */
export interface BlameWindow {
  readonly rows: number;
  readonly columns: number;
}

/** A group of the chosen checkpoint with the commits that changed it, oldest first. */
export interface StoryTarget {
  readonly group: string;
  readonly commits: readonly CommitHash[];
}

export interface Ridges {
  readonly range: { readonly min: number; readonly max: number };
  readonly histograms: ReadonlyMap<CommitHash, VersionStatistics['histogram']>;
}

export interface StoryState {
  readonly target: StoryTarget | null;
  readonly statistics: ReadonlyMap<CommitHash, VersionStatistics>;
  readonly differences: ReadonlyMap<CommitHash, VersionDifference>;
  /** Versions that are still to be measured. */
  readonly waiting: number;
  readonly error: CheckpointError | null;
  readonly ridges: Loadable<Ridges>;
  readonly picture: Loadable<{ readonly commit: CommitHash; readonly preview: TensorPreview }>;
  readonly blame: Loadable<Blame & { readonly commit: CommitHash; readonly window: BlameWindow }>;
  readonly bisection: Loadable<Bisection & { readonly condition: string }>;
  show(target: StoryTarget): void;
  leave(): void;
  retry(): void;
  /** Histograms of all versions over one range; `commits` are those to be drawn. */
  loadRidges(commits: readonly CommitHash[], range: Ridges['range']): void;
  loadPicture(commit: CommitHash, shape: Shape): void;
  /** Rows of the group as a matrix (leading axes × last axis), and the elements of its upper left corner. */
  loadBlame(commit: CommitHash, shape: Shape): void;
  bisect(condition: string, scope: 'head' | 'all'): void;
  cancelBisection(): void;
}

export type StoryStore = StoreApi<StoryState>;

const BATCH = 32;
/** Rows and columns that a picture of single elements shows. */
const BLAMED = 512;
export const RIDGE_BINS = 80;
/** Cells of a picture, each way. */
const PICTURE = 256;
/** Pictures that are remembered, so that playing a second time asks for nothing. */
const PICTURES = 120;

const NOTHING = {
  statistics: new Map<CommitHash, VersionStatistics>(),
  differences: new Map<CommitHash, VersionDifference>(),
  waiting: 0,
  error: null,
  ridges: idle,
  picture: idle,
  blame: idle,
  bisection: idle,
} as const;

/** One parameter group through its versions: numbers, histograms, pictures, and which commit changed what. */
export function createStoryStore({ client, workspace }: Omit<StoreContext, 'notices'>): StoryStore {
  const pictures = new BoundedMap<string, TensorPreview>(PICTURES);
  let controllers: { [K in 'measure' | 'ridges' | 'picture' | 'blame' | 'bisection']?: AbortController } = {};
  let place = '';

  const store = createStore<StoryState>()((set, get) => ({
    target: null,
    ...NOTHING,

    show(target) {
      const { target: before } = get();
      const here = placeOf(target.group);
      if (here === place && before !== null && sameCommits(before, target)) return;
      if (here !== place) {
        abortAll();
        place = here;
        set({ ...NOTHING });
      }
      set({ target });
      void measure(target);
    },

    leave() {
      abortAll();
      place = '';
      set({ target: null, ...NOTHING });
    },

    retry() {
      const { target } = get();
      set({ error: null });
      if (target !== null) void measure(target);
    },

    loadRidges(commits, range) {
      void run('ridges', {
        from: get().ridges,
        to: (ridges) => set({ ridges }),
        work: async ({ within, group }, signal) => {
          const histograms = new Map<CommitHash, VersionStatistics['histogram']>();
          for (const batch of batches(commits)) {
            const cells = batch.map((commit) => ({ commit, group }));
            const found = await client.request('timeline/statistics', { ...within, cells, histogram: { bins: RIDGE_BINS, range } }, { signal });
            batch.forEach((commit, index) => {
              histograms.set(commit, found[index]?.histogram ?? null);
            });
          }
          return { range, histograms };
        },
      });
    },

    loadPicture(commit, shape) {
      const known = pictures.get(`${place}\0${commit}`);
      if (known !== undefined) {
        controllers.picture?.abort();
        set({ picture: ready({ commit, preview: known }) });
        return;
      }
      void run('picture', {
        from: get().picture,
        to: (picture) => set({ picture }),
        work: async ({ within, group }, signal) => {
          const { repository, path } = within;
          const { preview } = await client.request(
            'side/slice',
            { side: { kind: 'version', repository, commit, path }, group, view: viewOf(shape), maxRows: PICTURE, maxColumns: PICTURE },
            { signal },
          );
          pictures.set(`${place}\0${commit}`, preview);
          return { commit, preview };
        },
      });
    },

    loadBlame(commit, shape) {
      const columns = shape.at(-1) ?? 1;
      const rows = columns === 0 ? 0 : elementCount(shape) / columns;
      const window = { rows: Math.min(rows, BLAMED), columns: Math.min(columns, BLAMED) };
      void run('blame', {
        from: get().blame,
        to: (blame) => set({ blame }),
        work: async ({ within, group }, signal) => ({
          ...(await client.request(
            'timeline/blame',
            { ...within, commit, group, window: { rows: [0, window.rows], columns: [0, window.columns] } },
            { signal },
          )),
          commit,
          window,
        }),
      });
    },

    bisect(condition, scope) {
      void run('bisection', {
        from: idle as StoryState['bisection'],
        to: (bisection) => set({ bisection }),
        work: async ({ within, group }, signal) => ({
          ...(await client.request('timeline/bisect', { ...within, group, condition, scope: { kind: scope } }, { signal })),
          condition,
        }),
      });
    },

    cancelBisection() {
      controllers.bisection?.abort();
      set({ bisection: idle });
    },
  }));

  function abortAll(): void {
    for (const controller of Object.values(controllers)) controller.abort();
    controllers = {};
  }

  function placeOf(group: string): string {
    const { repository, path } = workspace.getState();
    return `${latest(repository)?.id}\0${path}\0${group}`;
  }

  /** Repository and path of the requests; `null` when there is nothing to ask about. */
  function within(): { readonly repository: string; readonly path: string } | null {
    const { repository: described, path } = workspace.getState();
    const repository = latest(described)?.id;
    return repository === undefined || path === null ? null : { repository, path };
  }

  interface Run<T> {
    readonly from: Loadable<T>;
    readonly to: (value: Loadable<T>) => void;
    readonly work: (
      where: { readonly within: { readonly repository: string; readonly path: string }; readonly group: string },
      signal: AbortSignal,
    ) => Promise<T>;
  }

  /** One request of a kind at a time: the newest. */
  async function run<T>(kind: keyof typeof controllers, { from, to, work }: Run<T>): Promise<void> {
    const here = within();
    const { target } = store.getState();
    if (here === null || target === null) return;
    controllers[kind]?.abort();
    const controller = new AbortController();
    controllers[kind] = controller;
    to(loading(from));
    try {
      const value = await work({ within: here, group: target.group }, controller.signal);
      if (!controller.signal.aborted) to(ready(value));
    } catch (error) {
      if (!controller.signal.aborted) to(failed(CheckpointError.from(error), from));
    }
  }

  /** Numbers of all versions, newest first; what is known already is kept. */
  async function measure({ group, commits }: StoryTarget): Promise<void> {
    const here = within();
    if (here === null) return;
    controllers.measure?.abort();
    const controller = new AbortController();
    controllers.measure = controller;
    const { signal } = controller;
    const missing = commits.toReversed().filter((commit) => !store.getState().differences.has(commit));
    let waiting = missing.length;
    store.setState({ waiting, error: null });
    try {
      for (const batch of batches(missing)) {
        const cells = batch.map((commit) => ({ commit, group }));
        const [statistics, differences] = await Promise.all([
          client.request('timeline/statistics', { ...here, cells, histogram: null }, { signal }),
          client.request('timeline/differences', { ...here, cells }, { signal }),
        ]);
        if (signal.aborted) return;
        waiting -= batch.length;
        const { statistics: known, differences: compared } = store.getState();
        store.setState({ waiting, statistics: joined(known, batch, statistics), differences: joined(compared, batch, differences) });
      }
    } catch (error) {
      if (!signal.aborted) store.setState({ waiting: 0, error: CheckpointError.from(error) });
    }
  }

  workspace.subscribe((state, before) => {
    if (latest(state.repository)?.id === latest(before.repository)?.id) return;
    pictures.clear();
    store.getState().leave();
  });
  return store;
}

function joined<T>(known: ReadonlyMap<CommitHash, T>, commits: readonly CommitHash[], values: readonly T[]): ReadonlyMap<CommitHash, T> {
  const all = new Map(known);
  commits.forEach((commit, index) => {
    const value = values[index];
    if (value !== undefined) all.set(commit, value);
  });
  return all;
}

function* batches(commits: readonly CommitHash[]): Generator<readonly CommitHash[]> {
  for (let at = 0; at < commits.length; at += BATCH) yield commits.slice(at, at + BATCH);
}

function sameCommits(a: StoryTarget, b: StoryTarget): boolean {
  return a.commits.length === b.commits.length && a.commits.every((commit, index) => commit === b.commits[index]);
}

/** The contract's arrays are mutable. */
function viewOf(shape: Shape) {
  const { fixed, rows, columns, ...axes } = firstView(shape);
  return { ...axes, fixed: [...fixed], rows: pair(rows), columns: pair(columns) };
}

function pair([from, to]: readonly [number, number]): [number, number] {
  return [from, to];
}
