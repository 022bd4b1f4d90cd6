import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { Client } from '../client/client';
import type { AppStore } from './appStore';
import { latest } from './loadable';
import type { NoticeStore } from './noticeStore';

/** What the window's own picker is open for; it stands in for native dialogs where the host has none. */
export interface PickerRequest {
  readonly kind: 'repository' | 'folder' | 'files';
  readonly title: string;
  /** What to choose, in a sentence. */
  readonly description: string;
  /** Label of the button that takes the choice. */
  readonly action: string;
  /** Several files at once. */
  readonly several: boolean;
}

/** Paths on the host's machine, or files of the machine that the window is on. */
export type Picked = { readonly paths: readonly string[]; readonly files?: undefined } | { readonly paths?: undefined; readonly files: readonly File[] };

export interface PickerState {
  readonly request: PickerRequest | null;
  /** A folder on the host's machine; `null` when nothing was chosen. */
  pickFolder(request: Pick<PickerRequest, 'title' | 'description' | 'action'> & { readonly kind?: 'repository' | 'folder' }): Promise<string | null>;
  pickFiles(request: Pick<PickerRequest, 'title' | 'description' | 'action' | 'several'>): Promise<Picked | null>;
  /** Ends the open picker. */
  settle(picked: Picked | null): void;
}

export type PickerStore = StoreApi<PickerState>;

/** Asks for folders and files: by the host's native dialog where it has one, else by the window's own. */
export function createPickerStore(context: { readonly client: Client; readonly app: AppStore; readonly notices: NoticeStore }): PickerStore {
  const { client, app, notices } = context;
  let resolveOpen: ((picked: Picked | null) => void) | null = null;
  const isNative = () => latest(app.getState().host)?.canUseNativeDialogs === true;

  const store = createStore<PickerState>()((set, get) => ({
    request: null,
    async pickFolder({ title, description, action, kind = 'folder' }) {
      if (!isNative()) return (await open({ kind, title, description, action, several: false }))?.paths?.[0] ?? null;
      try {
        return (await client.request('dialog/pickFolder', { title })).path;
      } catch (error) {
        return fail('No folder could be chosen', error);
      }
    },
    async pickFiles({ several, ...request }) {
      if (!isNative()) return open({ kind: 'files', several, ...request });
      try {
        const { paths } = await client.request('dialog/pickFiles', { title: request.title });
        return paths.length === 0 ? null : { paths: several ? paths : paths.slice(0, 1) };
      } catch (error) {
        return fail('No file could be chosen', error);
      }
    },
    settle(picked) {
      if (get().request === null) return;
      set({ request: null });
      resolveOpen?.(picked);
      resolveOpen = null;
    },
  }));

  function open(request: PickerRequest): Promise<Picked | null> {
    // Only one is open at a time: the earlier one ends without a choice.
    store.getState().settle(null);
    return new Promise((resolve) => {
      resolveOpen = resolve;
      store.setState({ request });
    });
  }

  function fail(title: string, error: unknown): null {
    notices.getState().show({ kind: 'error', title, error: CheckpointError.from(error) });
    return null;
  }
  return store;
}
