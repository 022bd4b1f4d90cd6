import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Disposable, toDisposable } from '../../shared/base/disposable';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { RepositoryDescription } from '../../shared/contract/requests';
import { type CommitHash, headCommit } from '../../shared/model/commit';
import type { Client } from '../client/client';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { NoticeStore } from './noticeStore';

/** What is looked at inside a repository; part of a link. */
export interface Place {
  readonly path: string | null;
  readonly commit: CommitHash | null;
  readonly group: string | null;
}

/** What the main area shows; part of a link as well. */
export const VIEWS = ['history', 'parameters', 'compare', 'graph'] as const;
export type View = (typeof VIEWS)[number];

export type LeavingGuard = () => true | Promise<boolean>;

export interface ExportRequest {
  readonly commit: CommitHash;
  readonly path: string;
}

export interface WorkspaceState extends Place {
  readonly view: View;
  readonly repository: Loadable<RepositoryDescription>;
  /** Folder that is being opened right now, or that could not be opened. */
  readonly opening: string | null;
  /** Grows whenever refs, HEAD or the working tree may have moved: reload what depends on them. */
  readonly revision: number;
  /** Version for which the export dialog is open. */
  readonly exportRequest: ExportRequest | null;
  /** Opens the repository that holds the folder or file. `place` restores a link; else the history at HEAD and the first checkpoint are chosen. */
  openRepository(path: string, place?: Partial<Place> & { readonly view?: View }): Promise<void>;
  /** Asked before the repository is left. `true`: nothing would be lost; else the answer of the user. */
  guardLeaving(guard: LeavingGuard): Disposable;
  cancelOpening(): void;
  closeRepository(): void;
  showView(view: View): void;
  /** Chooses a checkpoint; a group of another checkpoint is no longer selected. */
  choosePath(path: string): void;
  selectCommit(commit: CommitHash | null): void;
  selectGroup(name: string | null): void;
  requestExport(commit: CommitHash, path: string): void;
  closeExport(): void;
  /** Describes the repository again; the old description stays until the new one is there. */
  refresh(): Promise<void>;
}

export type WorkspaceStore = StoreApi<WorkspaceState>;

const NOWHERE: Place = { path: null, commit: null, group: null };

export function createWorkspaceStore(context: { readonly client: Client; readonly notices: NoticeStore }): WorkspaceStore {
  const { client, notices } = context;
  let running: AbortController | null = null;
  let refreshing = 0;
  const guards = new Set<LeavingGuard>();

  /** Another folder than the one that is open; the same one opened again loses nothing. */
  function mayLeave(path: string | null): true | Promise<boolean> {
    const { repository } = store.getState();
    if (repository.kind === 'idle' || latest(repository)?.path === path) return true;
    const answers = [...guards].map((guard) => guard()).filter((answer) => answer !== true);
    return answers.length === 0 || Promise.all(answers).then((all) => all.every(Boolean));
  }

  const store = createStore<WorkspaceState>()((set, get) => ({
    ...NOWHERE,
    view: 'history',
    repository: idle,
    opening: null,
    revision: 0,
    exportRequest: null,

    async openRepository(path, place = {}) {
      const may = mayLeave(path);
      if (may !== true && !(await may)) return;
      running?.abort();
      const controller = new AbortController();
      running = controller;
      const before = latest(get().repository);
      set({ opening: path, repository: loading(get().repository) });
      try {
        const repository = await client.request('repository/open', { path }, { signal: controller.signal });
        if (running !== controller) return;
        set({
          repository: ready(repository),
          opening: null,
          revision: get().revision + 1,
          exportRequest: null,
          view: place.view ?? 'history',
          ...firstPlace(repository, path, place),
        });
        if (before !== undefined && before.id !== repository.id) forget(client, before.id);
      } catch (thrown) {
        if (running !== controller) return;
        const error = CheckpointError.from(thrown);
        if (before !== undefined) {
          set({ repository: ready(before), opening: null });
          if (error.code !== 'cancelled') notices.getState().show({ kind: 'error', title: 'The folder could not be opened', error });
        } else if (error.code === 'cancelled') set({ repository: idle, opening: null });
        else set({ repository: failed(error) });
      } finally {
        if (running === controller) running = null;
      }
    },

    guardLeaving(guard) {
      guards.add(guard);
      return toDisposable(() => guards.delete(guard));
    },

    cancelOpening() {
      running?.abort();
    },

    closeRepository() {
      const may = mayLeave(null);
      if (may === true) leave();
      else void may.then((isAllowed) => (isAllowed ? leave() : undefined));
    },

    showView(view) {
      set({ view });
    },

    choosePath(path) {
      if (path !== get().path) set({ path, group: null });
    },

    selectCommit(commit) {
      set({ commit });
    },

    selectGroup(group) {
      set({ group });
    },

    requestExport(commit, path) {
      set({ exportRequest: { commit, path } });
    },

    closeExport() {
      set({ exportRequest: null });
    },

    async refresh() {
      const repository = latest(get().repository);
      if (repository === undefined || running !== null) return;
      const turn = ++refreshing;
      set({ repository: loading(get().repository) });
      await replace(turn, () => client.request('repository/describe', { repository: repository.id }));
    },
  }));

  function leave(): void {
    running?.abort();
    running = null;
    const repository = latest(store.getState().repository);
    store.setState({ ...NOWHERE, view: 'history', repository: idle, opening: null, exportRequest: null });
    if (repository !== undefined) forget(client, repository.id);
  }

  /** Puts a new description in the place of the old one, unless something newer came between. */
  async function replace(turn: number, fetch: () => Promise<RepositoryDescription>): Promise<void> {
    const { getState: get, setState: set } = store;
    try {
      const repository = await fetch();
      if (turn !== refreshing || running !== null || get().repository.kind === 'idle') return;
      set({ repository: ready(repository), revision: get().revision + 1 });
    } catch (thrown) {
      const current = get().repository;
      if (turn !== refreshing || running !== null || current.kind === 'idle') return;
      const last = latest(current);
      // A lost connection has its own banner, and coming back reopens the repository.
      if (isCheckpointError(thrown, 'disconnected') && last !== undefined) set({ repository: ready(last) });
      else set({ repository: failed(CheckpointError.from(thrown), current) });
    }
  }

  client.on('repository/changed', (data) => {
    if (data.repository === latest(store.getState().repository)?.id) void store.getState().refresh();
  });
  client.onReconnect(() => {
    const { repository: current, opening, openRepository } = store.getState();
    const repository = latest(current);
    if (running !== null) return;
    if (repository === undefined) {
      if (opening !== null && current.kind === 'failed' && current.error.code === 'disconnected') void openRepository(opening);
      return;
    }
    const turn = ++refreshing;
    store.setState({ repository: loading(store.getState().repository) });
    void replace(turn, () => client.request('repository/open', { path: repository.path }));
  });
  return store;
}

/** What to show first: the link's place, a checkpoint that was opened as a file, else the first one at HEAD that git-theta keeps, else the first. */
export function firstPlace(repository: RepositoryDescription, opened: string, place: Partial<Place>): Place {
  const tracked = repository.checkpoints.map((checkpoint) => checkpoint.path);
  const root = `${slashes(repository.path).replace(/\/$/, '')}/`;
  const file = slashes(opened);
  const inside = file.startsWith(root) ? file.slice(root.length) : null;
  const kept = repository.checkpoints.find((checkpoint) => checkpoint.storage === 'theta')?.path;
  const path = place.path ?? tracked.find((candidate) => candidate === inside) ?? kept ?? tracked[0] ?? null;
  return { path, commit: place.commit ?? headCommit(repository.head), group: place.group ?? null };
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** The host closes it some time; that it could not be told is no concern of the user. */
function forget(client: Client, repository: string): void {
  client.request('repository/close', { repository }).catch(() => undefined);
}
