import { createStore, type StoreApi } from 'zustand/vanilla';
import { formatBytes } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { Output } from '../../shared/contract/requests';
import { headCommit } from '../../shared/model/commit';
import type { UpdateChoice } from '../../shared/model/track';
import type { RequestOptions } from '../client/client';
import { idle, latest } from './loadable';
import type { NewRepositoryStore } from './newRepositoryStore';
import { createPreviewQueue } from './previewQueue';
import type { StoreContext } from './storeContext';
import {
  type CommitChoices,
  commitProblem,
  filesToCommit,
  folderOf,
  type Identity,
  problemOfPlace,
  type Refused,
  suggestedMessage,
  type TrackFile,
  toItem,
} from './trackForm';
import type { WorktreeStore } from './worktreeStore';

export type TrackStage =
  | { readonly kind: 'none' }
  /** Files are sent to the host; `phaseStartedAt` in ms since 1970. */
  | {
      readonly kind: 'receiving';
      readonly file: string;
      readonly index: number;
      readonly count: number;
      readonly progress: Progress | null;
      readonly phaseStartedAt: number;
    }
  | { readonly kind: 'recognising'; readonly count: number }
  /** Nothing of what was given is a checkpoint, or it could not be looked at. */
  | { readonly kind: 'unusable'; readonly error: CheckpointError | null }
  /** `note`: what just happened, for the foot of the dialog. */
  | { readonly kind: 'choosing'; readonly error: CheckpointError | null; readonly note?: string }
  | { readonly kind: 'committing'; readonly progress: Progress | null; readonly phaseStartedAt: number };

export interface TrackState extends CommitChoices {
  /** Closing the dialog while it commits does not stop the commit. */
  readonly isOpen: boolean;
  readonly stage: TrackStage;
  readonly files: readonly TrackFile[];
  readonly refused: readonly Refused[];
  /** Source of the file that is shown. */
  readonly shown: string | null;
  /** The message was written by hand, so it stays when the files change. */
  readonly isMessageOwn: boolean;
  /** Files of the host's machine; a folder stands for the checkpoints in it. */
  track(sources: readonly string[]): Promise<void>;
  /** Files of this machine, sent to the host where that is another one. */
  trackFiles(files: readonly File[]): Promise<void>;
  show(source: string): void;
  remove(source: string): void;
  setPlace(source: string, place: string): void;
  setUpdate(source: string, update: UpdateChoice): void;
  setUpdateData(source: string, updateData: string | null): void;
  /** Update data of this machine. */
  sendUpdateData(source: string, file: File): Promise<void>;
  retryPreview(source: string): void;
  setMessage(message: string): void;
  setAuthor(author: Identity | null): void;
  setNewBranch(name: string | null): void;
  setConvertLfs(convert: boolean): void;
  commit(): Promise<void>;
  /** Ends what runs: sending, recognising, the commit. */
  cancel(): void;
  close(): void;
  reopen(): void;
}

export type TrackStore = StoreApi<TrackState>;

interface TrackContext extends StoreContext {
  readonly worktree: WorktreeStore;
  readonly newRepository: NewRepositoryStore;
}

const NOTHING = {
  isOpen: false,
  stage: { kind: 'none' },
  files: [],
  refused: [],
  shown: null,
  isMessageOwn: false,
  message: '',
  author: null,
  newBranch: null,
  convertLfs: false,
} as const satisfies Partial<TrackState>;

/** From files to a commit: what they are, where they go, what would be stored, and the commit itself. */
export function createTrackStore({ client, workspace, notices, worktree, newRepository }: TrackContext): TrackStore {
  let running: AbortController | null = null;
  /** Paths of files that the host keeps for this dialog only. */
  const sent = new Set<string>();
  const repository = () => latest(workspace.getState().repository);
  const get = () => store.getState();

  const previews = createPreviewQueue({
    client,
    repository: () => repository()?.id,
    shown: () => get().shown,
    file: (source) => {
      const file = get().files.find((candidate) => candidate.source === source);
      return file === undefined || file.candidate.problem !== null || problemOfPlace(file, get().files) !== null ? undefined : file;
    },
    set: (source, change) => {
      changeFile(source, change);
      // What turns out to be unchanged is not counted.
      if (change.preview.kind === 'ready') suggest();
    },
  });

  const store = createStore<TrackState>()((set) => ({
    ...NOTHING,

    async track(sources) {
      const controller = begin({ kind: 'recognising', count: sources.length });
      if (controller !== null) await recognise(sources, controller, folderOf(sources[0] ?? ''));
    },

    async trackFiles(files) {
      const [first] = files;
      if (first === undefined) return;
      const controller = begin({ kind: 'receiving', file: first.name, index: 0, count: files.length, progress: null, phaseStartedAt: Date.now() });
      if (controller === null) return;
      const sources: string[] = [];
      for (const [index, file] of files.entries()) {
        const stage = { kind: 'receiving', file: file.name, index, count: files.length, phaseStartedAt: Date.now() } as const;
        set({ stage: { ...stage, progress: null } });
        try {
          const onProgress = (progress: Progress) => {
            if (!controller.signal.aborted) set({ stage: { ...stage, progress } });
          };
          sources.push(await receive(file, { signal: controller.signal, onProgress }));
        } catch (error) {
          if (!controller.signal.aborted) settle(CheckpointError.from(error));
          return;
        }
      }
      set({ stage: { kind: 'recognising', count: sources.length } });
      // Where the host put what was sent to it is no place for a repository.
      await recognise(sources, controller, client.pathForFile(first) === null ? null : folderOf(sources[0] ?? ''));
    },

    show: (source) => set({ shown: source }),

    remove(source) {
      const files = get().files.filter((file) => file.source !== source);
      const at = get().files.findIndex((file) => file.source === source);
      set({ files, shown: get().shown === source ? (files[Math.min(at, files.length - 1)]?.source ?? null) : get().shown });
      previews.drop(source);
      suggest();
      if (files.length === 0) get().close();
    },

    setPlace(source, place) {
      changeFile(source, { place });
      suggest();
      previews.request(source, true);
    },

    setUpdate(source, update) {
      changeFile(source, { update });
      previews.request(source, true);
    },

    setUpdateData(source, updateData) {
      changeFile(source, { updateData });
      previews.request(source);
    },

    async sendUpdateData(source, file) {
      try {
        get().setUpdateData(source, await receive(file));
      } catch (error) {
        notices.getState().show({ kind: 'error', title: 'The update data could not be sent', error: CheckpointError.from(error) });
      }
    },

    retryPreview: (source) => previews.request(source),
    setMessage: (message) => set({ message, isMessageOwn: true }),
    setAuthor: (author) => set({ author }),
    setNewBranch: (newBranch) => set({ newBranch }),
    setConvertLfs: (convertLfs) => set({ convertLfs }),

    async commit() {
      const { files, message, author, newBranch, convertLfs, stage } = get();
      const opened = repository();
      const status = latest(worktree.getState().status);
      if (opened === undefined || stage.kind !== 'choosing') return;
      if (commitProblem({ files, choices: get(), repository: opened, status }) !== null) return;
      const items = filesToCommit(files).map(toItem);
      previews.clear();
      const controller = new AbortController();
      running = controller;
      set({ stage: { kind: 'committing', progress: null, phaseStartedAt: Date.now() } });
      try {
        const result = await client.request(
          'track/commit',
          { repository: opened.id, items, message: message.trim(), author, newBranch, convertLfs },
          { signal: controller.signal, onProgress: advance },
        );
        store.setState(NOTHING);
        forgetSent();
        await showCommit(result, opened.id, items[0]?.path ?? null);
      } catch (thrown) {
        endCommit(CheckpointError.from(thrown));
      } finally {
        if (running === controller) running = null;
      }
    },

    cancel() {
      const { stage } = get();
      running?.abort();
      if (stage.kind !== 'receiving' && stage.kind !== 'recognising') return;
      if (get().files.length > 0) settle(null);
      else get().close();
    },

    close() {
      if (get().stage.kind === 'committing') {
        set({ isOpen: false });
        return;
      }
      running?.abort();
      running = null;
      previews.clear();
      set(NOTHING);
      forgetSent();
    },

    reopen: () => set({ isOpen: true }),
  }));

  async function receive(file: File, options: RequestOptions = {}): Promise<string> {
    const path = await client.hostPathFor(file, options);
    if (client.pathForFile(file) === null) sent.add(path);
    return path;
  }

  function forgetSent(): void {
    client.forgetUploads(sent);
    sent.clear();
  }

  /** `null` while a commit runs: the dialog shows that one. */
  function begin(stage: TrackStage): AbortController | null {
    if (get().stage.kind === 'committing') {
      store.setState({ isOpen: true });
      return null;
    }
    running?.abort();
    previews.clear();
    const controller = new AbortController();
    running = controller;
    // More files for the same commit: what was chosen so far stays.
    store.setState({ ...(get().files.length > 0 ? {} : NOTHING), isOpen: true, stage });
    return controller;
  }

  /** Back to what is chosen already, or to an explanation where that is nothing. */
  function settle(error: CheckpointError | null, refused: readonly Refused[] = []): void {
    store.setState({ stage: get().files.length > 0 ? { kind: 'choosing', error } : { kind: 'unusable', error }, refused });
    requestMissing();
  }

  function requestMissing(): void {
    for (const { source, preview } of get().files) if (preview.kind !== 'ready' && preview.kind !== 'failed') previews.request(source);
  }

  /** @param folder where a repository would be made when none is open; `null`: the user has to say */
  async function recognise(sources: readonly string[], controller: AbortController, folder: string | null): Promise<void> {
    const id = repository()?.id ?? null;
    try {
      const { candidates, refused } = await client.request('track/recognise', { repository: id, sources: [...sources] }, { signal: controller.signal });
      if (controller.signal.aborted) return;
      const notTaken = refused.map(({ source, error }) => ({ source, error: CheckpointError.fromData(error) }));
      if (candidates.length === 0) {
        settle(null, notTaken);
        return;
      }
      if (id === null) {
        store.setState(NOTHING);
        newRepository.getState().offer({ sources: candidates.map(({ source }) => source), folder });
        return;
      }
      const added = candidates.map(
        (candidate): TrackFile => ({
          source: candidate.source,
          candidate,
          place: candidate.path,
          update: 'auto',
          updateData: null,
          preview: idle,
          previewStartedAt: 0,
        }),
      );
      const files = [...get().files.filter(({ source }) => added.every((other) => other.source !== source)), ...added];
      store.setState({ stage: { kind: 'choosing', error: null }, files, refused: notTaken, shown: added[0]?.source ?? null });
      suggest();
      requestMissing();
      void worktree.getState().reload();
    } catch (error) {
      if (!controller.signal.aborted) settle(CheckpointError.from(error));
    }
  }

  function changeFile(source: string, change: Partial<TrackFile>): void {
    store.setState({ files: get().files.map((file) => (file.source === source ? { ...file, ...change } : file)) });
  }

  function suggest(): void {
    const opened = repository();
    if (opened !== undefined && !get().isMessageOwn) store.setState({ message: suggestedMessage(filesToCommit(get().files), opened) });
  }

  function advance(progress: Progress): void {
    const { stage } = get();
    if (stage.kind !== 'committing') return;
    // The pace of one phase says nothing about the next.
    const phaseStartedAt = stage.progress?.phase === progress.phase ? stage.phaseStartedAt : Date.now();
    store.setState({ stage: { kind: 'committing', progress, phaseStartedAt } });
  }

  async function showCommit(result: Output<'track/commit'>, id: string, path: string | null): Promise<void> {
    const { commit, addedBytes, fullBytes, notes } = result;
    const text = [`${commit.slice(0, 8)} adds ${formatBytes(addedBytes)}; a full copy would have ${formatBytes(fullBytes)}.`, ...notes].join(' ');
    notices.getState().show({ kind: 'success', title: 'Committed', text });
    if (repository()?.id !== id) return;
    await workspace.getState().refresh();
    if (repository()?.id !== id) return;
    if (path !== null) workspace.getState().choosePath(path);
    workspace.getState().selectCommit(commit);
  }

  function endCommit(error: CheckpointError): void {
    const isCancelled = error.code === 'cancelled';
    const note = 'Commit cancelled: the repository is as it was before.';
    if (isCancelled && !get().isOpen) notices.getState().show({ kind: 'info', title: 'Commit cancelled', text: 'The repository is as it was before.' });
    else if (!get().isOpen) notices.getState().show({ kind: 'error', title: 'Nothing was committed', error });
    store.setState({ stage: isCancelled ? { kind: 'choosing', error: null, note } : { kind: 'choosing', error } });
    requestMissing();
    // Nobody looks at it any more.
    if (!get().isOpen) get().close();
  }

  // Declined: nobody needs what was sent for it. (While the repository is made the offer goes too, but the files are still wanted.)
  newRepository.subscribe((state, before) => {
    if (before.offered !== null && state.offered === null && !state.isRunning) forgetSent();
  });
  workspace.subscribe((state, before) => {
    const [now, earlier] = [latest(state.repository), latest(before.repository)];
    if (now?.id !== earlier?.id) {
      if (get().stage.kind === 'choosing') get().close();
      return;
    }
    if (now === undefined || earlier === undefined || get().stage.kind !== 'choosing') return;
    // What would be stored depends on what is committed.
    if (headCommit(now.head) !== headCommit(earlier.head)) for (const { source } of get().files) previews.request(source);
  });
  return store;
}
