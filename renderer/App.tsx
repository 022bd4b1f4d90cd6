import styles from './App.module.css';
import { ErrorBoundary } from './components/ErrorBoundary';
import { SplitPanes } from './components/SplitPanes';
import { NoticeList } from './shell/NoticeList';
import { RefreshFailure } from './shell/RefreshFailure';
import { SIDEBAR_HIDDEN } from './shell/shellCommands';
import { Toolbar } from './shell/Toolbar';
import { latest } from './state/loadable';
import { useStore, useStores } from './state/storesContext';
import { ConnectionBanner } from './views/connection/ConnectionBanner';
import { DropOverlay } from './views/connection/DropOverlay';
import { ExportDialog } from './views/export/ExportDialog';
import { FolderPicker } from './views/folderPicker/FolderPicker';
import { HistoryView } from './views/history/HistoryView';
import { CommandPalette } from './views/palette/CommandPalette';
import { Sidebar } from './views/sidebar/Sidebar';
import { Opening } from './views/welcome/Opening';
import { Welcome } from './views/welcome/Welcome';

/** The window: toolbar, sidebar and history of the opened repository, or Welcome; the dialogs of the shell on top. */
export function App() {
  const { app, workspace } = useStores();
  const isOpen = useStore(workspace, (state) => latest(state.repository) !== undefined);
  const isOpening = useStore(workspace, (state) => state.repository.kind === 'loading' && latest(state.repository) === undefined);
  const isKnown = useStore(app, (state) => state.host.kind !== 'idle' && (state.host.kind !== 'loading' || state.host.last !== undefined));
  return (
    <div className={styles.window}>
      <Toolbar />
      <ConnectionBanner />
      {isOpen ? <Workspace /> : isOpening ? <Opening /> : isKnown ? <Welcome /> : <main className={styles.blank} aria-busy="true" aria-label="Starting" />}
      <ExportDialog />
      <FolderPicker />
      <CommandPalette />
      <NoticeList />
      <DropOverlay />
    </div>
  );
}

function Workspace() {
  const { settings } = useStores();
  const hidden = useStore(settings, (state) => state.values[SIDEBAR_HIDDEN] === true);
  const sizes = useStore(settings, (state) => state.panes.shell);
  const main = (
    <main className={styles.main} data-region="main">
      <RefreshFailure />
      <div className={styles.view}>
        <ErrorBoundary name="history">
          <HistoryView />
        </ErrorBoundary>
      </div>
    </main>
  );
  if (hidden) return <div className={styles.body}>{main}</div>;
  const sidebar = (
    <ErrorBoundary name="sidebar">
      <Sidebar />
    </ErrorBoundary>
  );
  return (
    <div className={styles.body}>
      <SplitPanes
        id="shell"
        sizes={sizes}
        onSizes={(next) => settings.getState().setPanes('shell', next)}
        panes={[
          { id: 'sidebar', label: 'Resize the sidebar', defaultSize: '264px', minSize: '180px', maxSize: '520px', fixed: true, content: sidebar },
          { id: 'main', label: '', minSize: '320px', content: main },
        ]}
      />
    </div>
  );
}
