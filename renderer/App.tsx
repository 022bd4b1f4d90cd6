import styles from './App.module.css';
import { HelpDialog } from './shell/HelpDialog';
import { NoticeList } from './shell/NoticeList';
import { Toolbar } from './shell/Toolbar';
import { Workspace } from './shell/Workspace';
import { latest } from './state/loadable';
import { useStore, useStores } from './state/storesContext';
import { ConnectionBanner } from './views/connection/ConnectionBanner';
import { DropOverlay } from './views/connection/DropOverlay';
import { ExportDialog } from './views/export/ExportDialog';
import { FolderPicker } from './views/folderPicker/FolderPicker';
import { EditDialogHost } from './views/graphEdit/EditDialogHost';
import { LeaveDialog } from './views/graphEdit/LeaveDialog';
import { CommandPalette } from './views/palette/CommandPalette';
import { RefDialogs } from './views/refs/RefDialogs';
import { NewRepositoryDialog } from './views/track/NewRepositoryDialog';
import { TrackHost } from './views/track/TrackHost';
import { Opening } from './views/welcome/Opening';
import { Welcome } from './views/welcome/Welcome';
import { DiscardDialog } from './views/worktree/DiscardDialog';

/** The window: toolbar, the opened repository or Welcome, and the dialogs on top. */
export function App() {
  return (
    <div className={styles.window}>
      <Toolbar />
      <ConnectionBanner />
      <Content />
      <ExportDialog />
      <TrackHost />
      <NewRepositoryDialog />
      <RefDialogs />
      <DiscardDialog />
      <EditDialogHost />
      <LeaveDialog />
      <FolderPicker />
      <CommandPalette />
      <HelpDialog />
      <NoticeList />
      <DropOverlay />
    </div>
  );
}

function Content() {
  const { app, workspace } = useStores();
  const isOpen = useStore(workspace, (state) => latest(state.repository) !== undefined);
  const isOpening = useStore(workspace, (state) => state.repository.kind === 'loading');
  // What the host was started with decides between Welcome and a repository.
  const isHostKnown = useStore(app, (state) => state.host.kind === 'failed' || latest(state.host) !== undefined);
  if (isOpen) return <Workspace />;
  if (isOpening) return <Opening />;
  return isHostKnown ? <Welcome /> : <main className={styles.blank} aria-busy="true" aria-label="Starting" />;
}
