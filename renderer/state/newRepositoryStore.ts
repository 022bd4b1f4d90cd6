import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { StoreContext } from './storeContext';

export interface NewRepositoryOffer {
  /** Checkpoints on the host's machine that are to be tracked in it. */
  readonly sources: readonly string[];
  /** Where it would be made; `null` until the user has said so. */
  readonly folder: string | null;
}

export interface NewRepositoryState {
  readonly offered: NewRepositoryOffer | null;
  readonly isRunning: boolean;
  readonly error: CheckpointError | null;
  offer(offered: NewRepositoryOffer): void;
  setFolder(folder: string): void;
  /** Makes the repository, opens it, and goes on to `then` with the checkpoints. */
  create(then: (sources: readonly string[]) => Promise<void>): Promise<void>;
  close(): void;
}

export type NewRepositoryStore = StoreApi<NewRepositoryState>;

/** A repository for checkpoints that lie in none. */
export function createNewRepositoryStore({ client, workspace }: Pick<StoreContext, 'client' | 'workspace'>): NewRepositoryStore {
  return createStore<NewRepositoryState>()((set, get) => ({
    offered: null,
    isRunning: false,
    error: null,
    offer: (offered) => set({ offered, error: null }),
    setFolder(folder) {
      const { offered } = get();
      if (offered !== null) set({ offered: { ...offered, folder }, error: null });
    },
    async create(then) {
      const { offered, isRunning } = get();
      if (offered === null || offered.folder === null || isRunning) return;
      set({ isRunning: true, error: null });
      try {
        const path = await initialise(offered.folder);
        await workspace.getState().openRepository(path);
        const { repository } = workspace.getState();
        if (repository.kind === 'failed') throw repository.error;
        set({ offered: null });
        await then(offered.sources);
      } catch (error) {
        set({ error: CheckpointError.from(error) });
      } finally {
        set({ isRunning: false });
      }
    },
    close() {
      if (!get().isRunning) set({ offered: null, error: null });
    },
  }));

  /** A folder that is a repository by now is just opened. */
  async function initialise(folder: string): Promise<string> {
    try {
      return (await client.request('repository/init', { folder })).path;
    } catch (error) {
      if (isCheckpointError(error, 'exists')) return folder;
      throw error;
    }
  }
}
