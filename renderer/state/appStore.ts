import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { ConnectionStatus } from '../../shared/contract/transport';
import type { Client } from '../client/client';
import { failed, idle, type Loadable, loading, ready } from './loadable';

export type HostDescription = Output<'app/describe'>;

export interface AppState {
  readonly host: Loadable<HostDescription>;
  readonly connection: ConnectionStatus;
  readonly paletteOpen: boolean;
  /** Files are dragged over the window. */
  readonly dragging: boolean;
  readonly preparingSample: boolean;
  readonly helpOpen: boolean;
  loadHost(): Promise<void>;
  openPalette(open: boolean): void;
  setDragging(dragging: boolean): void;
  openHelp(open: boolean): void;
}

export type AppStore = StoreApi<AppState>;

/** The host and the frame of the window: connection, and which of the shell's own dialogs is open. */
export function createAppStore(client: Client): AppStore {
  const store = createStore<AppState>()((set, get) => ({
    host: idle,
    connection: client.status,
    paletteOpen: false,
    dragging: false,
    preparingSample: false,
    helpOpen: false,
    async loadHost() {
      set({ host: loading(get().host) });
      try {
        set({ host: ready(await client.request('app/describe', {})) });
      } catch (error) {
        set({ host: failed(CheckpointError.from(error), get().host) });
      }
    },
    openPalette: (open) => set({ paletteOpen: open }),
    setDragging: (dragging) => set({ dragging }),
    openHelp: (open) => set({ helpOpen: open }),
  }));
  client.onStatus((connection) => store.setState({ connection }));
  client.onReconnect(() => void store.getState().loadHost());
  return store;
}
