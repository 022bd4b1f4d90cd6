import { createStore, type StoreApi } from 'zustand/vanilla';
import { BoundedMap } from '../../shared/base/boundedMap';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { CheckpointWithChanges } from '../../shared/model/checkpoint';
import type { CommitDetail, CommitHash } from '../../shared/model/commit';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { StoreContext } from './storeContext';

export interface CheckpointState {
  /** Message, author and parents of the selected commit; while another loads, the earlier one. */
  readonly commit: Loadable<CommitDetail>;
  /** The chosen checkpoint at the selected commit; while another loads, the earlier one. `idle` when none is chosen. */
  readonly checkpoint: Loadable<CheckpointWithChanges>;
  retry(): void;
}

export type CheckpointStore = StoreApi<CheckpointState>;

/** A description of 40,000 groups takes some 20 MB. */
const REMEMBERED_CHECKPOINTS = 8;
const REMEMBERED_COMMITS = 200;
/** Holding down an arrow key passes a commit every 30 ms: only where it rests is worth a request. */
const REST_MS = 90;

/** Follows the selection of the workspace: what is selected is loaded, what is no longer wanted is cancelled. */
export function createCheckpointStore({ client, workspace }: StoreContext): CheckpointStore {
  const store = createStore<CheckpointState>()(() => ({
    commit: idle,
    checkpoint: idle,
    retry() {
      commits.reload();
      checkpoints.reload();
    },
  }));

  const commits = createSlot<CommitDetail>({
    capacity: REMEMBERED_COMMITS,
    fetch: (target, signal) => client.request('history/commit', { repository: target.repository, commit: target.commit }, { signal }),
    get: () => store.getState().commit,
    set: (commit) => store.setState({ commit }),
  });
  const checkpoints = createSlot<CheckpointWithChanges>({
    capacity: REMEMBERED_CHECKPOINTS,
    fetch: ({ repository, commit, path }, signal, onProgress) =>
      client.request('checkpoint/describe', { repository, commit, path: path ?? '' }, { signal, onProgress }),
    get: () => store.getState().checkpoint,
    set: (checkpoint) => store.setState({ checkpoint }),
  });

  function follow(): void {
    const { repository, commit, path } = workspace.getState();
    const id = latest(repository)?.id;
    if (id === undefined || commit === null) {
      commits.show(null);
      checkpoints.show(null);
      return;
    }
    commits.show({ repository: id, commit, path: null });
    checkpoints.show(path === null ? null : { repository: id, commit, path });
  }

  workspace.subscribe((state, before) => {
    const id = latest(state.repository)?.id;
    if (id !== latest(before.repository)?.id) {
      commits.forget();
      checkpoints.forget();
    }
    // What a version is never changes, but an object that was missing may have come.
    if (state.revision !== before.revision && store.getState().checkpoint.kind === 'failed') checkpoints.reload();
    follow();
  });
  follow();
  return store;
}

interface Target {
  readonly repository: string;
  readonly commit: CommitHash;
  readonly path: string | null;
}

interface Slot {
  show(target: Target | null): void;
  reload(): void;
  forget(): void;
}

/** One place in the window for one value at a time: cached, debounced, cancelled when something else is wanted. */
function createSlot<T>(options: {
  readonly capacity: number;
  readonly fetch: (target: Target, signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<T>;
  readonly get: () => Loadable<T>;
  readonly set: (value: Loadable<T>) => void;
}): Slot {
  const known = new BoundedMap<string, T>(options.capacity);
  let shown: Target | null = null;
  let running: AbortController | null = null;
  let lastStart = 0;

  function start(target: Target): void {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    options.set(loading(options.get()));
    const now = Date.now();
    const wait = now - lastStart < REST_MS ? REST_MS : 0;
    lastStart = now;
    void load(target, controller, wait);
  }

  async function load(target: Target, controller: AbortController, wait: number): Promise<void> {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (controller.signal.aborted) return;
    try {
      const value = await options.fetch(target, controller.signal, (progress) => {
        if (!controller.signal.aborted) options.set(loading(options.get(), progress));
      });
      if (controller.signal.aborted) return;
      known.set(keyOf(target), value);
      options.set(ready(value));
    } catch (error) {
      if (!controller.signal.aborted) options.set(failed(CheckpointError.from(error), options.get()));
    }
  }

  return {
    show(target) {
      if (keyOf(target) === keyOf(shown)) return;
      shown = target;
      running?.abort();
      running = null;
      if (target === null) {
        options.set(idle);
        return;
      }
      const value = known.get(keyOf(target));
      if (value === undefined) start(target);
      else options.set(ready(value));
    },
    reload() {
      if (shown === null) return;
      known.deleteWhere((_, key) => key === keyOf(shown));
      start(shown);
    },
    forget() {
      known.clear();
    },
  };
}

function keyOf(target: Target | null): string {
  return target === null ? '' : `${target.repository}\0${target.commit}\0${target.path ?? ''}`;
}
