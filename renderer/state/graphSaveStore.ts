import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { RepositoryDescription } from '../../shared/contract/requests';
import { headCommit } from '../../shared/model/commit';
import type { Side } from '../../shared/model/side';
import type { GraphEditStore } from './graphEditStore';
import type { GraphStore, OpenedGraph } from './graphStore';
import { latest } from './loadable';
import type { StoreContext } from './storeContext';
import { fileName } from './trackForm';
import type { TrackStore } from './trackStore';

/** A version: over the file of the working tree, then a commit. A file: anywhere. */
export type SaveMode = 'version' | 'file';

export type SaveRun =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly progress: Progress | null; readonly startedAt: number }
  /** Something else is at the destination. */
  | { readonly kind: 'exists' }
  | { readonly kind: 'failed'; readonly error: CheckpointError };

export interface GraphSaveState {
  readonly isOpen: boolean;
  readonly mode: SaveMode;
  /** Complete path of the file on the host's machine. */
  readonly destination: string;
  readonly run: SaveRun;
  /** Work that would be lost, while the user is asked whether it may be. */
  readonly leaving: { readonly losses: readonly string[] } | null;
  open(): void;
  close(): void;
  setMode(mode: SaveMode): void;
  setDestination(path: string): void;
  /** Native dialog of the desktop; keeps the destination when it is closed. */
  pickDestination(): Promise<void>;
  start(options?: { readonly overwrite: boolean }): Promise<void>;
  cancel(): void;
  /** The answer of who was asked. */
  answerLeaving(isAllowed: boolean): void;
  /** What is in no file, each in a sentence. */
  losses(): readonly string[];
}

export type GraphSaveStore = StoreApi<GraphSaveState>;

interface GraphSaveContext extends StoreContext {
  readonly graph: GraphStore;
  readonly graphEdit: GraphEditStore;
  readonly track: TrackStore;
}

/** From an edited graph to a file, or to a commit. */
export function createGraphSaveStore({ client, workspace, notices, graph, graphEdit, track }: GraphSaveContext): GraphSaveStore {
  let running: AbortController | null = null;
  let answer: ((isAllowed: boolean) => void) | null = null;
  const repository = () => latest(workspace.getState().repository);
  const opened = () => latest(graph.getState().graph);

  const store = createStore<GraphSaveState>()((set, get) => ({
    isOpen: false,
    mode: 'version',
    destination: '',
    run: { kind: 'none' },
    leaving: null,

    open() {
      const shown = opened();
      const place = repository();
      if (shown === undefined || place === undefined) return;
      if (get().run.kind === 'running') set({ isOpen: true });
      else
        set({
          isOpen: true,
          run: { kind: 'none' },
          mode: versionPath(place, shown.side) === null ? 'file' : 'version',
          destination: besides(place, shown.side),
        });
    },

    close: () => set({ isOpen: false }),
    setMode: (mode) => set({ mode, run: { kind: 'none' } }),
    setDestination: (destination) => set({ destination, run: { kind: 'none' } }),

    async pickDestination() {
      try {
        const { path } = await client.request('dialog/pickSaveFile', { title: 'Save the model', suggestedPath: get().destination });
        if (path !== null) get().setDestination(path);
      } catch (error) {
        notices.getState().show({ kind: 'error', title: 'The dialog could not be opened', error: CheckpointError.from(error) });
      }
    },

    async start({ overwrite } = { overwrite: false }) {
      const shown = opened();
      const place = repository();
      const { mode, destination, run } = get();
      if (shown === undefined || place === undefined || run.kind === 'running') return;
      const path = mode === 'version' ? versionPath(place, shown.side) : destination.trim();
      if (path === null || path === '') return;
      const written = await write(shown, { path, overwrite: overwrite || mode === 'version' });
      if (!written) return;
      const isOpened = shown.side.kind !== 'version' && fullPath(place, shown.side) === path;
      if (opened()?.graph === shown.graph) graph.getState().markSaved(isOpened);
      if (mode === 'file') notices.getState().show({ kind: 'success', title: 'Model saved', text: path });
      else await offerCommit(path, shown);
    },

    cancel: () => running?.abort(),

    answerLeaving(isAllowed) {
      set({ leaving: null });
      answer?.(isAllowed);
      answer = null;
    },

    losses() {
      const { draft } = graphEdit.getState();
      const edits = graph
        .getState()
        .unsaved()
        .map((each) => `${fileName(each.side.path)}${ofCommit(each.side)}: ${each.done.join(', ')}`);
      const path = opened()?.side.path;
      const names =
        draft.size === 0 || path === undefined
          ? []
          : [`${fileName(path)}: ${draft.size} new ${draft.size === 1 ? 'name that is' : 'names that are'} not applied`];
      return [...edits, ...names];
    },
  }));

  async function write({ graph: id }: OpenedGraph, { path, overwrite }: { readonly path: string; readonly overwrite: boolean }): Promise<boolean> {
    const controller = new AbortController();
    running = controller;
    const startedAt = Date.now();
    store.setState({ run: { kind: 'running', progress: null, startedAt } });
    try {
      const onProgress = (progress: Progress) => {
        if (!controller.signal.aborted) store.setState({ run: { kind: 'running', progress, startedAt } });
      };
      const { files } = await client.request('graph/save', { graph: id, path, overwrite }, { signal: controller.signal, onProgress });
      store.setState({ run: { kind: 'none' }, isOpen: false });
      if (files.length > 0) notices.getState().show({ kind: 'info', title: 'External data was written beside the model', text: files.join(', ') });
      return true;
    } catch (thrown) {
      const error = CheckpointError.from(thrown);
      if (error.code === 'cancelled') store.setState({ run: { kind: 'none' } });
      else if (isCheckpointError(error, 'exists')) store.setState({ run: { kind: 'exists' } });
      else store.setState({ run: { kind: 'failed', error } });
      if (!store.getState().isOpen && error.code !== 'cancelled') notices.getState().show({ kind: 'error', title: 'The model could not be saved', error });
      return false;
    } finally {
      running = null;
    }
  }

  async function offerCommit(path: string, { done, side }: OpenedGraph): Promise<void> {
    await track.getState().track([path]);
    if (track.getState().stage.kind === 'choosing') track.getState().setMessage(commitMessage(done, side.path));
  }

  workspace.getState().guardLeaving(() => {
    const losses = store.getState().losses();
    if (losses.length === 0) return true;
    answer?.(false);
    store.setState({ leaving: { losses } });
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  workspace.subscribe((state, before) => {
    if (latest(state.repository)?.id !== latest(before.repository)?.id) store.setState({ isOpen: false, run: { kind: 'none' } });
  });
  return store;
}

/** One edit is the whole subject; of several, the list stands below. */
export function commitMessage(done: readonly string[], path: string): string {
  const [only] = done;
  if (done.length <= 1) return only ?? '';
  return `Edit ${fileName(path)}\n\n${done.map((title) => `- ${title}`).join('\n')}`;
}

/** Where a new version of this side is written: its file in the working tree. `null`: there is none. */
export function versionPath(repository: Pick<RepositoryDescription, 'bare' | 'path'>, side: Side): string | null {
  return repository.bare || side.kind === 'file' ? null : fullPath(repository, side);
}

function fullPath({ path: root }: Pick<RepositoryDescription, 'path'>, side: Side): string {
  return side.kind === 'file' ? side.path : `${root.replace(/[\\/]$/, '')}/${side.path}`;
}

/** What of the working tree would be replaced without being in a version, or what the user may not expect; `null`: nothing. */
export function overwriteWarning({ checkpoints, head }: Pick<RepositoryDescription, 'checkpoints' | 'head'>, side: Side): string | null {
  if (side.kind !== 'version') return null;
  const status = checkpoints.find(({ path }) => path === side.path)?.status;
  const now = headCommit(head);
  if (status === 'modified' || status === 'conflict')
    return `${side.path} has changes in the working tree that are not committed. Saving replaces them with the edited model.`;
  if (now !== side.commit)
    return `You edited ${side.path} as it was at ${side.commit.slice(0, 8)}, but ${head.kind === 'branch' ? `branch ${head.name}` : 'HEAD'} is at ${now?.slice(0, 8) ?? 'no commit'}. The commit comes after that, and replaces what the file is there.`;
  if (status === 'deleted') return `${side.path} was deleted from the working tree. Saving puts it there again.`;
  return null;
}

function besides(repository: RepositoryDescription, side: Side): string {
  const path = fullPath(repository, side);
  const name = fileName(path);
  const dot = name.lastIndexOf('.');
  const stem = dot <= 0 ? name : name.slice(0, dot);
  return `${path.slice(0, path.length - name.length)}${stem}-edited${dot <= 0 ? '.onnx' : name.slice(dot)}`;
}

function ofCommit(side: Side): string {
  return side.kind === 'version' ? ` at ${side.commit.slice(0, 8)}` : '';
}
