import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { Client } from '../client/client';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import type { NoticeStore } from './noticeStore';

export type RecentRepository = Output<'recent/list'>[number];

export interface RecentState {
  /** Newest first. */
  readonly repositories: Loadable<readonly RecentRepository[]>;
  load(): Promise<void>;
  /** Takes the repository off the list; nothing on disk is touched. */
  forget(path: string): Promise<void>;
}

export type RecentStore = StoreApi<RecentState>;

export function createRecentStore(context: { readonly client: Client; readonly notices: NoticeStore }): RecentStore {
  const { client, notices } = context;
  const store = createStore<RecentState>()((set, get) => ({
    repositories: idle,
    async load() {
      set({ repositories: loading(get().repositories) });
      try {
        const list = await client.request('recent/list', {});
        set({ repositories: ready([...list].sort((a, b) => b.openedAt - a.openedAt)) });
      } catch (error) {
        set({ repositories: failed(CheckpointError.from(error), get().repositories) });
      }
    },
    async forget(path) {
      const before = latest(get().repositories) ?? [];
      set({ repositories: ready(before.filter((repository) => repository.path !== path)) });
      try {
        await client.request('recent/forget', { path });
      } catch (error) {
        set({ repositories: ready(before) });
        notices.getState().show({ kind: 'error', title: 'The repository could not be taken off the list', error: CheckpointError.from(error) });
      }
    },
  }));
  client.onReconnect(() => void store.getState().load());
  return store;
}
