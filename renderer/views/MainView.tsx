import { useRef } from 'react';
import { SplitPanes } from '../components/SplitPanes';
import { useElementSize } from '../components/useElementSize';
import { useStore, useStores } from '../state/storesContext';
import { HistoryView } from './history/HistoryView';
import styles from './MainView.module.css';
import { CommitPanel } from './parameters/CommitPanel';
import { GroupDetail } from './parameters/GroupDetail';

/** From here on the group stands beside the commit instead of below it. */
const THREE_COLUMNS = 1700;

/** History, the selected commit, and the chosen parameter group. Knows of all three, which know nothing of each other. */
export function MainView() {
  const { settings, workspace } = useStores();
  const panes = useStore(settings, (state) => state.panes);
  const hasGroup = useStore(workspace, (state) => state.group !== null);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(box);
  const save = (id: string) => (sizes: Readonly<Record<string, number>>) => settings.getState().setPanes(id, sizes);

  const history = {
    id: 'history',
    label: 'Resize the history',
    defaultSize: '50%',
    minSize: '280px',
    content: <HistoryView onOpenCommit={() => focusRegion(box.current, 'Commit')} />,
  };
  const commit = {
    id: 'commit',
    label: 'Resize the commit',
    defaultSize: '46%',
    minSize: '220px',
    content: <CommitPanel onOpenGroup={() => focusRegion(box.current, 'Parameter group')} />,
  };
  const group = { id: 'group', label: '', minSize: '160px', content: <GroupDetail /> };
  const isWide = width >= THREE_COLUMNS;

  return (
    <div ref={box} className={styles.box}>
      {width === 0 ? null : isWide && hasGroup ? (
        <SplitPanes
          id="main-wide"
          sizes={panes['main-wide']}
          onSizes={save('main-wide')}
          panes={[{ ...history, defaultSize: '40%' }, { ...commit, defaultSize: '32%' }, group]}
        />
      ) : (
        <SplitPanes
          id="main"
          sizes={panes.main}
          onSizes={save('main')}
          panes={[
            history,
            {
              id: 'details',
              label: '',
              minSize: '280px',
              content: hasGroup ? (
                <SplitPanes id="details" orientation="vertical" sizes={panes.details} onSizes={save('details')} panes={[commit, group]} />
              ) : (
                commit.content
              ),
            },
          ]}
        />
      )}
    </div>
  );
}

/** Into a part of the view: its tree when it has one, else its first control. */
function focusRegion(box: HTMLElement | null, name: string): void {
  // The part may be rendered only now, by the very choice that leads to it.
  requestAnimationFrame(() => {
    const region = box?.querySelector(`section[aria-label="${name}"]`);
    const target = region?.querySelector<HTMLElement>('[role="treegrid"]') ?? region?.querySelector<HTMLElement>('[tabindex="0"], button');
    target?.focus();
  });
}
