import { GitCompareArrows } from 'lucide-react';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { SkeletonRows } from '../../components/Skeleton';
import { compareWithParent, parentOf } from '../../state/compareActions';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { CompareHeader } from './CompareHeader';
import styles from './CompareView.module.css';
import { ComparisonPanes } from './ComparisonPanes';
import { SidePicker } from './SidePicker';

/** Any two versions or files side by side: what differs group by group, and how. */
export function CompareView() {
  const { compare } = useStores();
  const picking = useStore(compare, (state) => state.picking);
  return (
    <section className={styles.view} aria-label="Compare" data-region>
      <CompareHeader />
      <Content />
      {picking === null ? null : <SidePicker side={picking} onClose={() => compare.getState().pick(null)} />}
    </section>
  );
}

function Content() {
  const { compare } = useStores();
  const comparison = useStore(compare, (state) => state.comparison);
  const isStale = useStore(compare, (state) => state.isStale);
  const hasSides = useStore(compare, (state) => state.a !== null && state.b !== null);
  const value = latest(comparison);
  if (!hasSides) return <NoSides />;
  if (comparison.kind === 'failed') {
    return (
      <div className={styles.notice}>
        <ErrorNotice
          title="The two sides could not be compared"
          error={comparison.error}
          action={<Button onClick={() => compare.getState().retry()}>Try again</Button>}
        />
      </div>
    );
  }
  return (
    <>
      {comparison.kind === 'loading' && comparison.progress !== undefined ? (
        <div className={styles.progress}>
          <ProgressBar label="Reading both sides" progress={comparison.progress} />
        </div>
      ) : null}
      {value === undefined ? <SkeletonRows count={12} label="Reading both sides" /> : <ComparisonPanes comparison={value} isStale={isStale} />}
    </>
  );
}

/** How to begin. */
function NoSides() {
  const stores = useStores();
  const { compare, workspace } = stores;
  const hasOne = useStore(compare, (state) => state.a !== null || state.b !== null);
  const commit = useStore(workspace, (state) => (state.path === null ? null : state.commit));
  // The history may load after the view.
  useStore(stores.history, (state) => state.loaded);
  const parent = commit === null ? null : parentOf(stores, commit);
  const missing = useStore(compare, (state) => (state.a === null ? 'a' : 'b'));
  return (
    <EmptyState
      icon={<GitCompareArrows size={24} />}
      title={hasOne ? 'Choose the other side' : 'Choose two sides to compare'}
      text="A commit, a branch or tag, the working tree, a file, or a version in another repository. Or drop a checkpoint file here. In the history, Ctrl- or Cmd-click a second commit."
      action={
        <div className={styles.actions}>
          <Button look="primary" onClick={() => compare.getState().pick(missing)}>
            {missing === 'a' ? 'Choose side A…' : 'Choose side B…'}
          </Button>
          {commit === null || parent === null || hasOne ? null : (
            <Button onClick={() => compareWithParent(stores, { commit, parent })}>
              Compare <code>{commit.slice(0, 8)}</code> with its parent
            </Button>
          )}
        </div>
      }
    />
  );
}
