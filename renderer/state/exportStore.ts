import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { Output } from '../../shared/contract/requests';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { StoreContext } from './storeContext';
import type { ExportRequest } from './workspaceStore';

export type ExportOptions = Output<'export/options'>;
export type ExportFormatChoice = ExportOptions['formats'][number];
export type ExportResult = Output<'export/run'>;

/** Work on one file; it goes on when the dialog is closed. */
export type ExportRun =
  | { readonly kind: 'none' }
  /** `phaseStartedAt` in ms since 1970: the pace of writing says nothing about that of verifying. */
  | { readonly kind: 'running'; readonly job: ExportJob; readonly progress: Progress | null; readonly phaseStartedAt: number }
  /** The file is there; it is replaced only when the user says so. */
  | { readonly kind: 'exists'; readonly job: ExportJob }
  | { readonly kind: 'done'; readonly job: ExportJob; readonly result: ExportResult }
  | { readonly kind: 'failed'; readonly job: ExportJob; readonly error: CheckpointError };

export interface ExportJob extends ExportRequest {
  readonly repository: string;
  readonly destination: string;
  readonly format: ExportFormatChoice['format'];
}

export interface ExportState {
  readonly options: Loadable<ExportOptions>;
  readonly format: ExportFormatChoice['format'] | null;
  readonly destination: string;
  readonly run: ExportRun;
  chooseFormat(format: ExportFormatChoice['format']): void;
  setDestination(path: string): void;
  /** Native dialog of the desktop; keeps the destination when it is closed. */
  pickDestination(title: string): Promise<void>;
  start(choice?: { readonly overwrite: boolean }): Promise<void>;
  cancel(): void;
  reveal(): Promise<void>;
  /** Back to the choices, after success, failure, or a file that is there. */
  reset(): void;
  retryOptions(): void;
}

export type ExportStore = StoreApi<ExportState>;

export function createExportStore({ client, workspace, notices }: StoreContext): ExportStore {
  let optionsOf: AbortController | null = null;
  let optionsFor: ExportRequest | null = null;
  let running: AbortController | null = null;

  const store = createStore<ExportState>()((set, get) => ({
    options: idle,
    format: null,
    destination: '',
    run: { kind: 'none' },

    chooseFormat(format) {
      const formats = latest(get().options)?.formats ?? [];
      const from = formats.find((choice) => choice.format === get().format);
      const to = formats.find((choice) => choice.format === format);
      set({ format, ...(from === undefined || to === undefined ? {} : { destination: withExtension(get().destination, from.extension, to.extension) }) });
    },

    setDestination(path) {
      set({ destination: path });
      if (get().run.kind === 'exists' || get().run.kind === 'failed') set({ run: { kind: 'none' } });
    },

    async pickDestination(title) {
      try {
        const { path } = await client.request('dialog/pickSaveFile', { title, suggestedPath: get().destination });
        if (path !== null) get().setDestination(path);
      } catch (error) {
        notices.getState().show({ kind: 'error', title: 'The dialog could not be opened', error: CheckpointError.from(error) });
      }
    },

    async start({ overwrite } = { overwrite: false }) {
      const { format, destination, run } = get();
      const request = workspace.getState().exportRequest;
      const repository = latest(workspace.getState().repository);
      if (request === null || repository === undefined || format === null || destination.trim() === '' || run.kind === 'running') return;
      await write({ ...request, repository: repository.id, destination: destination.trim(), format }, overwrite);
    },

    cancel() {
      running?.abort();
    },

    async reveal() {
      const { run } = get();
      if (run.kind !== 'done') return;
      try {
        await client.request('shell/reveal', { path: run.result.path });
      } catch (error) {
        notices.getState().show({ kind: 'error', title: 'The file could not be shown in its folder', error: CheckpointError.from(error) });
      }
    },

    reset() {
      if (get().run.kind === 'running') return;
      set({ run: { kind: 'none' } });
      // The dialog may have been opened while another version was written.
      if (optionsFor !== workspace.getState().exportRequest) void loadOptions();
    },

    retryOptions() {
      void loadOptions();
    },
  }));

  async function write(job: ExportJob, overwrite: boolean): Promise<void> {
    const controller = new AbortController();
    running = controller;
    store.setState({ run: { kind: 'running', job, progress: null, phaseStartedAt: Date.now() } });
    try {
      const { repository, commit, path, destination, format } = job;
      const result = await client.request(
        'export/run',
        { repository, commit, path, destination, format, overwrite },
        {
          signal: controller.signal,
          onProgress: (progress) => {
            if (!controller.signal.aborted) store.setState({ run: advance(store.getState().run, job, progress) });
          },
        },
      );
      store.setState({ run: { kind: 'done', job, result } });
      if (workspace.getState().exportRequest === null) notices.getState().show({ kind: 'success', title: 'Export finished', text: result.path });
    } catch (thrown) {
      const error = CheckpointError.from(thrown);
      if (error.code === 'cancelled') {
        store.setState({ run: { kind: 'none' } });
        notices.getState().show({ kind: 'info', title: 'Export cancelled', text: `Nothing was written to ${job.destination}` });
      } else if (isCheckpointError(error, 'exists')) store.setState({ run: { kind: 'exists', job } });
      else {
        store.setState({ run: { kind: 'failed', job, error } });
        if (workspace.getState().exportRequest === null) notices.getState().show({ kind: 'error', title: 'Export failed', error });
      }
    } finally {
      if (running === controller) running = null;
    }
  }

  async function loadOptions(): Promise<void> {
    optionsOf?.abort();
    const request = workspace.getState().exportRequest;
    const repository = latest(workspace.getState().repository);
    if (request === null || repository === undefined) return;
    const controller = new AbortController();
    optionsOf = controller;
    optionsFor = request;
    store.setState({ options: loading<ExportOptions>(), format: null, destination: '' });
    try {
      const options = await client.request('export/options', { repository: repository.id, ...request }, { signal: controller.signal });
      if (controller.signal.aborted) return;
      store.setState({ options: ready(options), format: options.formats[0]?.format ?? null, destination: options.suggestedPath });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ options: failed(CheckpointError.from(error)) });
    }
  }

  workspace.subscribe((state, before) => {
    if (state.exportRequest === before.exportRequest) return;
    optionsOf?.abort();
    if (state.exportRequest === null) return;
    // While a file is being written the dialog shows that one.
    if (store.getState().run.kind === 'running') return;
    store.setState({ run: { kind: 'none' } });
    void loadOptions();
  });
  return store;
}

function advance(run: ExportRun, job: ExportJob, progress: Progress): ExportRun {
  const isSamePhase = run.kind === 'running' && run.progress?.phase === progress.phase;
  return { kind: 'running', job, progress, phaseStartedAt: isSamePhase ? run.phaseStartedAt : Date.now() };
}

/** Another extension for a path that ends in the earlier one; a path with a name of its own stays. */
export function withExtension(path: string, from: string, to: string): string {
  const [old, next] = [dotted(from), dotted(to)];
  return path.toLowerCase().endsWith(old.toLowerCase()) && old !== '.' ? path.slice(0, path.length - old.length) + next : path;
}

function dotted(extension: string): string {
  return extension.startsWith('.') ? extension : `.${extension}`;
}
