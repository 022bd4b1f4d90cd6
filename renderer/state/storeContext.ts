import type { Client } from '../client/client';
import type { NoticeStore } from './noticeStore';
import type { WorkspaceStore } from './workspaceStore';

/** What a store of a view is given. */
export interface StoreContext {
  readonly client: Client;
  readonly workspace: WorkspaceStore;
  readonly notices: NoticeStore;
}
