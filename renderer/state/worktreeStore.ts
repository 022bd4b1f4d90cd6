import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { StoreContext } from './storeContext';

export type WorktreeStatus = Output<'worktree/status'>;

/** Files whose changes are to be thrown away: first asked about, then done. */
export interface Discard {
  readonly paths: readonly string[];
  readonly isRunning: boolean;
  readonly error: CheckpointError | null;
}

export interface WorktreeState {
  /** `idle` without a repository, and for a bare one, which has no working tree. */
  readonly status: Loadable<WorktreeStatus>;
  readonly discard: Discard | null;
  /** Reads the working tree again; the old status stays until the new one is there. */
  reload(): Promise<void>;
  askDiscard(paths: readonly string[]): void;
  closeDiscard(): void;
  confirmDiscard(): Promise<void>;
}

export type WorktreeStore = StoreApi<WorktreeState>;

/** What differs from HEAD in the working tree, read again whenever the repository may have changed. */
export function createWorktreeStore({ client, workspace, notices }: StoreContext): WorktreeStore {
  let running: AbortController | null = null;

  const store = createStore<WorktreeState>()((set, get) => ({
    status: idle,
    discard: null,

    async reload() {
      const repository = latest(workspace.getState().repository);
      if (repository === undefined || repository.bare) return;
      running?.abort();
      const controller = new AbortController();
      running = controller;
      set({ status: loading(get().status) });
      try {
        const status = await client.request('worktree/status', { repository: repository.id }, { signal: controller.signal });
        if (!controller.signal.aborted) set({ status: ready(status) });
      } catch (error) {
        if (!controller.signal.aborted) set({ status: failed(CheckpointError.from(error), get().status) });
      }
    },

    askDiscard(paths) {
      if (paths.length > 0) set({ discard: { paths, isRunning: false, error: null } });
    },

    closeDiscard() {
      if (get().discard?.isRunning !== true) set({ discard: null });
    },

    async confirmDiscard() {
      const { discard } = get();
      const repository = latest(workspace.getState().repository);
      if (discard === null || discard.isRunning || repository === undefined) return;
      const { paths } = discard;
      set({ discard: { paths, isRunning: true, error: null } });
      try {
        await client.request('worktree/discard', { repository: repository.id, paths: [...paths] });
        set({ discard: null });
        const what = paths.length === 1 ? (paths[0] ?? '') : `${paths.length} files`;
        notices.getState().show({ kind: 'success', title: 'Changes discarded', text: `${what} restored as of HEAD.` });
        await get().reload();
      } catch (error) {
        set({ discard: { paths, isRunning: false, error: CheckpointError.from(error) } });
      }
    },
  }));

  workspace.subscribe((state, before) => {
    const repository = latest(state.repository);
    if (repository?.id !== latest(before.repository)?.id) {
      running?.abort();
      store.setState({ status: idle, discard: null });
    }
    if (repository !== undefined && state.revision !== before.revision) void store.getState().reload();
  });
  return store;
}
