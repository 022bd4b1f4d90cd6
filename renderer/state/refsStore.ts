import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import { latest } from './loadable';
import type { StoreContext } from './storeContext';

/** What is asked for before a branch or tag is made. */
export interface NewRef {
  readonly kind: 'branch' | 'tag';
  readonly commit: CommitHash;
}

export interface RefsState {
  /** The dialog that is open. */
  readonly dialog: NewRef | null;
  /** A request runs. */
  readonly isRunning: boolean;
  /** Why the branch or tag of the open dialog was not made. */
  readonly error: CheckpointError | null;
  /** A branch that could not be switched to. */
  readonly refusedSwitch: { readonly name: string; readonly error: CheckpointError } | null;
  ask(dialog: NewRef): void;
  close(): void;
  createBranch(name: string, options: { readonly switchTo: boolean }): Promise<void>;
  /** @param message `null` or blank: a lightweight tag */
  createTag(name: string, message: string | null): Promise<void>;
  switchTo(name: string): Promise<void>;
  closeSwitch(): void;
}

export type RefsStore = StoreApi<RefsState>;

/** Makes branches and tags, and switches between branches. */
export function createRefsStore({ client, workspace, notices }: StoreContext): RefsStore {
  /** @returns whether it was done; else the error is told by `onError` */
  async function run(work: (repository: string) => Promise<unknown>, onError: (error: CheckpointError) => void): Promise<boolean> {
    const repository = latest(workspace.getState().repository);
    if (repository === undefined || store.getState().isRunning) return false;
    store.setState({ isRunning: true, error: null, refusedSwitch: null });
    try {
      await work(repository.id);
      await workspace.getState().refresh();
      return true;
    } catch (error) {
      onError(CheckpointError.from(error));
      return false;
    } finally {
      store.setState({ isRunning: false });
    }
  }

  const store = createStore<RefsState>()((set, get) => ({
    dialog: null,
    isRunning: false,
    error: null,
    refusedSwitch: null,

    ask(dialog) {
      set({ dialog, error: null });
    },

    close() {
      if (!get().isRunning) set({ dialog: null, error: null });
    },

    async createBranch(name, { switchTo }) {
      const { dialog } = get();
      if (dialog?.kind !== 'branch') return;
      const { commit } = dialog;
      const done = await run(
        (repository) => client.request('branch/create', { repository, name, commit, switch: switchTo }),
        (error) => set({ error }),
      );
      if (!done) return;
      set({ dialog: null });
      notices
        .getState()
        .show({ kind: 'success', title: switchTo ? `On the new branch ${name}` : `Branch ${name} created`, text: `At commit ${commit.slice(0, 8)}` });
    },

    async createTag(name, message) {
      const { dialog } = get();
      if (dialog?.kind !== 'tag') return;
      const { commit } = dialog;
      const text = message === null || message.trim() === '' ? null : message.trim();
      const done = await run(
        (repository) => client.request('tag/create', { repository, name, commit, message: text }),
        (error) => set({ error }),
      );
      if (!done) return;
      set({ dialog: null });
      notices.getState().show({ kind: 'success', title: `Tag ${name} created`, text: `At commit ${commit.slice(0, 8)}` });
    },

    async switchTo(name) {
      const done = await run(
        (repository) => client.request('branch/switch', { repository, name }),
        (error) => set({ refusedSwitch: { name, error } }),
      );
      if (done) notices.getState().show({ kind: 'success', title: `On branch ${name}` });
    },

    closeSwitch() {
      set({ refusedSwitch: null });
    },
  }));

  workspace.subscribe((state, before) => {
    if (latest(state.repository)?.id !== latest(before.repository)?.id) store.setState({ dialog: null, error: null, refusedSwitch: null });
  });
  return store;
}
