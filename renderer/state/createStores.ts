import type { Client } from '../client/client';
import { type AppStore, createAppStore } from './appStore';
import { type CheckpointStore, createCheckpointStore } from './checkpointStore';
import { type CommandStore, createCommandStore } from './commandStore';
import { createExportStore, type ExportStore } from './exportStore';
import { createHistoryStore, type HistoryStore } from './historyStore';
import { createNoticeStore, type NoticeStore } from './noticeStore';
import { createParameterStore, type ParameterStore } from './parameterStore';
import { createRecentStore, type RecentStore } from './recentStore';
import { createSettingsStore, type SettingsStore } from './settingsStore';
import { createWorkspaceStore, type WorkspaceStore } from './workspaceStore';

/** Every store of the window, one per subject. Views reach them through `useStores`. */
export interface Stores {
  readonly app: AppStore;
  readonly workspace: WorkspaceStore;
  readonly settings: SettingsStore;
  readonly recent: RecentStore;
  readonly commands: CommandStore;
  readonly notices: NoticeStore;
  readonly history: HistoryStore;
  readonly checkpoint: CheckpointStore;
  readonly parameter: ParameterStore;
  readonly export: ExportStore;
}

/** Builds all stores once; called by main.tsx. */
export function createStores(client: Client): Stores {
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const context = { client, workspace, notices };
  return {
    app: createAppStore(client),
    workspace,
    settings: createSettingsStore(localStore()),
    recent: createRecentStore({ client, notices }),
    commands: createCommandStore(),
    notices,
    history: createHistoryStore(context),
    checkpoint: createCheckpointStore(context),
    parameter: createParameterStore(context),
    export: createExportStore(context),
  };
}

/** Reading the property throws where the browser denies storage. */
function localStore(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
