import { createStore, type StoreApi } from 'zustand/vanilla';
import { BoundedMap } from '../../shared/base/boundedMap';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { CommitHash } from '../../shared/model/commit';
import type { RequestOptions } from '../client/client';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { StoreContext } from './storeContext';

export type Inspection = Output<'parameter/inspect'>;

/** A group of a version. */
export interface VersionTarget {
  readonly commit: CommitHash;
  readonly path: string;
  readonly group: string;
}

/** A group of the model that a graph was opened from, which need be no version: by the id that the host has given the graph. */
export interface GraphTarget {
  readonly graph: string;
  readonly group: string;
}

export type InspectionTarget = VersionTarget | GraphTarget;

export interface ParameterState {
  readonly target: InspectionTarget | null;
  readonly inspection: Loadable<Inspection>;
  /** What `inspection` shows as its last value belongs to another group. */
  readonly isStale: boolean;
  /** Reconstructs a group; what ran for another one is cancelled. Not called `inspect`, which tools that print objects would call. */
  show(target: InspectionTarget): void;
  /** Stops; the group can be asked for again with `retry`. */
  cancel(): void;
  retry(): void;
  /** Leaves the group: cancels what runs and shows nothing. */
  leave(): void;
}

export type ParameterStore = StoreApi<ParameterState>;

/** An inspection holds at most 256 × 256 values and a histogram: some 300 kB. */
const REMEMBERED = 40;

export function createParameterStore({ client, workspace }: StoreContext): ParameterStore {
  const known = new BoundedMap<string, Inspection>(REMEMBERED);
  let running: AbortController | null = null;

  const store = createStore<ParameterState>()((set, get) => ({
    target: null,
    inspection: idle,
    isStale: false,

    show(target) {
      const before = get();
      if (before.target !== null && keyOf(before.target) === keyOf(target) && before.inspection.kind !== 'idle') return;
      running?.abort();
      const value = known.get(keyOf(target));
      if (value !== undefined) set({ target, inspection: ready(value), isStale: false });
      else void start(target);
    },

    cancel() {
      running?.abort();
      running = null;
      const { inspection } = get();
      if (inspection.kind === 'loading') set({ inspection: failed(cancelledError()), isStale: false });
    },

    retry() {
      const { target } = get();
      if (target !== null) void start(target);
    },

    leave() {
      running?.abort();
      running = null;
      set({ target: null, inspection: idle, isStale: false });
    },
  }));

  async function start(target: InspectionTarget): Promise<void> {
    const repository = latest(workspace.getState().repository);
    if (repository === undefined) return;
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const { inspection, target: earlier } = store.getState();
    store.setState({ target, inspection: loading(inspection), isStale: earlier === null || keyOf(earlier) !== keyOf(target) });
    try {
      const run: RequestOptions = {
        signal: controller.signal,
        onProgress: (progress) => {
          if (!controller.signal.aborted) store.setState({ inspection: loading(store.getState().inspection, progress) });
        },
      };
      const value = await ('graph' in target
        ? client.request('graph/inspect', target, run)
        : client.request('parameter/inspect', { repository: repository.id, ...target }, run));
      if (controller.signal.aborted) return;
      known.set(keyOf(target), value);
      store.setState({ inspection: ready(value), isStale: false });
    } catch (error) {
      // Values of another group beside the error of this one would mislead.
      if (!controller.signal.aborted) store.setState({ inspection: failed(CheckpointError.from(error)), isStale: false });
    }
  }

  workspace.subscribe((state, before) => {
    if (latest(state.repository)?.id !== latest(before.repository)?.id) known.clear();
    // An object that was missing may have come.
    const { inspection } = store.getState();
    if (state.revision !== before.revision && inspection.kind === 'failed' && inspection.error.code !== 'cancelled') store.getState().retry();
  });
  return store;
}

function keyOf(target: InspectionTarget): string {
  if ('graph' in target) return `graph ${target.graph}\0${target.group}`;
  return `${target.commit}\0${target.path}\0${target.group}`;
}
