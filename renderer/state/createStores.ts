import type { Client } from '../client/client';
import { type AppStore, createAppStore } from './appStore';
import { type CheckpointStore, createCheckpointStore } from './checkpointStore';
import { type CommandStore, createCommandStore } from './commandStore';
import { type CompareDetailStore, createCompareDetailStore } from './compareDetailStore';
import { type CompareStore, createCompareStore } from './compareStore';
import { createExportStore, type ExportStore } from './exportStore';
import { createGraphDiffStore, type GraphDiffStore } from './graphDiffStore';
import { createGraphEditStore, type GraphEditStore } from './graphEditStore';
import { createGraphOverlayStore, type GraphOverlayStore } from './graphOverlayStore';
import { createGraphSaveStore, type GraphSaveStore } from './graphSaveStore';
import { createGraphStore, type GraphStore } from './graphStore';
import { createHistoryStore, type HistoryStore } from './historyStore';
import { createNewRepositoryStore, type NewRepositoryStore } from './newRepositoryStore';
import { createNoticeStore, type NoticeStore } from './noticeStore';
import { createParameterStore, type ParameterStore } from './parameterStore';
import { createPickerStore, type PickerStore } from './pickerStore';
import { createRecentStore, type RecentStore } from './recentStore';
import { createRefsStore, type RefsStore } from './refsStore';
import { createSettingsStore, type SettingsStore } from './settingsStore';
import { createStoryStore, type StoryStore } from './storyStore';
import { createTimelineStore, type TimelineStore } from './timelineStore';
import { createTrackStore, type TrackStore } from './trackStore';
import { createWorkspaceStore, type WorkspaceStore } from './workspaceStore';
import { createWorktreeStore, type WorktreeStore } from './worktreeStore';

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
  readonly timeline: TimelineStore;
  readonly story: StoryStore;
  readonly compare: CompareStore;
  readonly compareDetail: CompareDetailStore;
  readonly graph: GraphStore;
  readonly graphOverlay: GraphOverlayStore;
  readonly graphDiff: GraphDiffStore;
  readonly graphEdit: GraphEditStore;
  readonly graphSave: GraphSaveStore;
  readonly export: ExportStore;
  readonly picker: PickerStore;
  readonly worktree: WorktreeStore;
  readonly track: TrackStore;
  readonly newRepository: NewRepositoryStore;
  readonly refs: RefsStore;
}

/** Builds all stores once; called by main.tsx. */
export function createStores(client: Client): Stores {
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const context = { client, workspace, notices };
  const settings = createSettingsStore(localStore());
  const app = createAppStore(client);
  const worktree = createWorktreeStore(context);
  const newRepository = createNewRepositoryStore(context);
  const compare = createCompareStore(context);
  const graph = createGraphStore(context);
  const graphEdit = createGraphEditStore({ ...context, graph });
  const track = createTrackStore({ ...context, worktree, newRepository });
  return {
    app,
    workspace,
    settings,
    recent: createRecentStore({ client, notices }),
    commands: createCommandStore(),
    notices,
    history: createHistoryStore(context),
    checkpoint: createCheckpointStore(context),
    parameter: createParameterStore(context),
    timeline: createTimelineStore({ client, workspace, settings }),
    story: createStoryStore(context),
    compare,
    compareDetail: createCompareDetailStore(context),
    graph,
    graphOverlay: createGraphOverlayStore({ client, graph }),
    graphDiff: createGraphDiffStore({ client, workspace, compare }),
    graphEdit,
    graphSave: createGraphSaveStore({ ...context, graph, graphEdit, track }),
    export: createExportStore(context),
    picker: createPickerStore({ client, app, notices }),
    worktree,
    track,
    newRepository,
    refs: createRefsStore(context),
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
