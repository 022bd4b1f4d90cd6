import { Grid2x2 } from 'lucide-react';
import { lazy, type Ref, Suspense, useRef } from 'react';
import { EmptyState } from '../components/EmptyState';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { type Pane, SplitPanes } from '../components/SplitPanes';
import { latest } from '../state/loadable';
import { useStore, useStores } from '../state/storesContext';
import { CompareView } from '../views/compare/CompareView';
import { SidePicker } from '../views/compare/SidePicker';
import { GraphView } from '../views/graph/GraphView';
import { EditBar } from '../views/graphEdit/EditBar';
import { HistoryView } from '../views/history/HistoryView';
import { CommitPanel } from '../views/parameters/CommitPanel';
import { GroupDetail } from '../views/parameters/GroupDetail';
import { TensorReading } from '../views/parameters/TensorReading';
import { Sidebar } from '../views/sidebar/Sidebar';
import { TimelineView } from '../views/timeline/TimelineView';
import { WorktreePanel } from '../views/worktree/WorktreePanel';
import { focusInto } from './cycleRegions';
import { GroupTabs } from './GroupTabs';
import { RefreshFailure } from './RefreshFailure';
import { SIDEBAR_HIDDEN } from './shellCommands';
import { useIsWide } from './useIsWide';
import styles from './Workspace.module.css';

/** Loaded when it is opened first: most windows only look. */
const NamesPanel = lazy(async () => ({ default: (await import('../views/graphEdit/NamesPanel')).NamesPanel }));

/** The opened repository: the sidebar and the chosen view. */
export function Workspace() {
  const { settings, workspace } = useStores();
  const name = useStore(workspace, (state) => latest(state.repository)?.name);
  const isHidden = useStore(settings, (state) => state.values[SIDEBAR_HIDDEN] === true);
  const content = (
    <div className={styles.content}>
      <RefreshFailure />
      <div className={styles.views}>
        <ChosenView />
      </div>
    </div>
  );
  return (
    <main className={styles.workspace}>
      <h1 className="visually-hidden">{name}</h1>
      {isHidden ? (
        content
      ) : (
        <RememberedPanes
          id="shell"
          panes={[
            {
              id: 'sidebar',
              label: 'Resize the sidebar',
              defaultSize: '280px',
              minSize: '180px',
              maxSize: '520px',
              fixed: true,
              content: (
                <ErrorBoundary name="sidebar">
                  <Sidebar top={<WorktreePanel />} />
                </ErrorBoundary>
              ),
            },
            { id: 'views', label: '', minSize: '320px', content },
          ]}
        />
      )}
    </main>
  );
}

function ChosenView() {
  const { workspace } = useStores();
  const view = useStore(workspace, (state) => state.view);
  switch (view) {
    case 'history':
      return <HistoryPanes />;
    case 'parameters':
      return <ParameterPanes />;
    case 'compare':
      return (
        <ErrorBoundary name="comparison">
          <CompareView />
        </ErrorBoundary>
      );
    case 'graph':
      return (
        <ErrorBoundary name="graph">
          <EditableGraph />
          <ChooseSide />
        </ErrorBoundary>
      );
  }
}

/** The graph with its names and edits, which are loaded with it. */
function EditableGraph() {
  const { graphEdit } = useStores();
  const isNamesOpen = useStore(graphEdit, (state) => state.isNamesOpen);
  return (
    <GraphView
      renderTensor={(group, of) => <TensorReading group={group} graph={of} />}
      editBar={<EditBar />}
      names={
        isNamesOpen ? (
          <ErrorBoundary name="names">
            <Suspense>
              <NamesPanel />
            </Suspense>
          </ErrorBoundary>
        ) : null
      }
      onRename={(initializer) => graphEdit.getState().ask({ kind: 'rename', initializer })}
    />
  );
}

/** The sides of two graphs are chosen as those of any comparison are. */
function ChooseSide() {
  const { compare } = useStores();
  const picking = useStore(compare, (state) => state.picking);
  return picking === null ? null : <SidePicker side={picking} onClose={() => compare.getState().pick(null)} />;
}

/** The grid of all versions; the chosen group beside it where there is room, else below. */
function ParameterPanes() {
  const isWide = useIsWide();
  const group = useRef<HTMLDivElement>(null);
  const timeline = (
    <ErrorBoundary name="parameters">
      <TimelineView onOpenGroup={() => focusInto(group.current)} />
    </ErrorBoundary>
  );
  const panes: readonly Pane[] = [
    { id: 'timeline', label: 'Resize the grid of versions', defaultSize: isWide ? '66%' : '62%', minSize: isWide ? '400px' : '160px', content: timeline },
    { id: 'group', label: '', minSize: isWide ? '240px' : '112px', content: <GroupPane ref={group} withStory /> },
  ];
  return <RememberedPanes key={String(isWide)} id={isWide ? 'timeline-wide' : 'timeline'} orientation={isWide ? 'horizontal' : 'vertical'} panes={panes} />;
}

/** History, commit and group side by side where there is room, else the history on top. */
function HistoryPanes() {
  const isWide = useIsWide();
  const commit = useRef<HTMLDivElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const history = (
    <ErrorBoundary name="history">
      <HistoryView onOpenCommit={() => focusInto(commit.current)} />
    </ErrorBoundary>
  );
  const commitPane: Pane = {
    id: 'commit',
    label: 'Resize the commit',
    minSize: '200px',
    content: (
      <div ref={commit} className={styles.pane}>
        <ErrorBoundary name="commit">
          <CommitPanel onOpenGroup={() => focusInto(group.current)} />
        </ErrorBoundary>
      </div>
    ),
  };
  const groupPane: Pane = {
    id: 'group',
    label: '',
    minSize: '200px',
    content: <GroupPane ref={group} />,
  };
  if (isWide) {
    const historyPane = { id: 'history', label: 'Resize the history', defaultSize: '46%', minSize: '320px', content: history };
    return <RememberedPanes id="wide" panes={[historyPane, commitPane, groupPane]} />;
  }
  return (
    <RememberedPanes
      id="stacked"
      orientation="vertical"
      panes={[
        { id: 'history', label: 'Resize the history', defaultSize: '42%', minSize: '112px', content: history },
        { id: 'details', label: '', minSize: '112px', content: <RememberedPanes id="details" panes={[commitPane, groupPane]} /> },
      ]}
    />
  );
}

function GroupPane({ ref, withStory = false }: { readonly ref: Ref<HTMLDivElement>; readonly withStory?: boolean }) {
  return (
    <div ref={ref} className={styles.pane}>
      <ErrorBoundary name="parameter group">
        <ChosenGroup withStory={withStory} />
      </ErrorBoundary>
    </div>
  );
}

function ChosenGroup({ withStory }: { readonly withStory: boolean }) {
  const { workspace } = useStores();
  const hasCommit = useStore(workspace, (state) => state.commit !== null && state.path !== null);
  const isChosen = useStore(workspace, (state) => state.group !== null);
  if (isChosen) return withStory ? <GroupTabs /> : <GroupDetail />;
  return (
    <EmptyState
      icon={<Grid2x2 size={24} />}
      title="No parameter group chosen"
      text={hasCommit ? 'Choose one to see its statistics, its histogram and how it was stored.' : 'Select a commit first.'}
    />
  );
}

interface RememberedPanesProps {
  readonly id: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly panes: readonly Pane[];
}

function RememberedPanes({ id, ...rest }: RememberedPanesProps) {
  const { settings } = useStores();
  const sizes = useStore(settings, (state) => state.panes[id]);
  return <SplitPanes id={id} sizes={sizes} onSizes={(next) => settings.getState().setPanes(id, next)} {...rest} />;
}
