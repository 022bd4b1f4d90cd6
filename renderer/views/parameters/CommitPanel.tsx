import { GitCommitHorizontal, PackageOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/Button';
import { commitMenuItems } from '../../components/commitMenuItems';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { Skeleton } from '../../components/Skeleton';
import { commitActions } from '../../state/commitActions';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { CheckpointGroups } from './CheckpointGroups';
import { CommitHeader } from './CommitHeader';
import styles from './CommitPanel.module.css';

interface CommitPanelProps {
  /** Enter on a group: on to its detail. */
  readonly onOpenGroup: () => void;
}

/** The selected commit and the parameter groups of the chosen checkpoint at it. */
export function CommitPanel({ onOpenGroup }: CommitPanelProps) {
  const { workspace } = useStores();
  const selected = useStore(workspace, (state) => state.commit);
  return (
    <section className={styles.panel} aria-label="Commit" data-region>
      {selected === null ? (
        <EmptyState
          icon={<GitCommitHorizontal size={24} />}
          title="No commit selected"
          text="Select a commit in the history to see what it did to the checkpoint."
        />
      ) : (
        <>
          <Message />
          <Checkpoint onOpenGroup={onOpenGroup} />
          <Comparing />
        </>
      )}
    </section>
  );
}

function Message() {
  const stores = useStores();
  const { checkpoint, workspace } = stores;
  const repository = useStore(workspace, (state) => latest(state.repository));
  const commit = useStore(checkpoint, (state) => state.commit);
  const marked = useStore(stores.compare, (state) => state.marked);
  const path = useStore(workspace, (state) => state.path);
  const value = latest(commit);
  if (commit.kind === 'failed') {
    return (
      <div className={styles.notice}>
        <ErrorNotice title="The commit could not be read" error={commit.error} action={<Retry />} />
      </div>
    );
  }
  if (value === undefined) {
    return (
      <div className={styles.waiting} role="status" aria-label="Reading the commit">
        <Skeleton width="60%" height="16px" />
        <Skeleton width="80%" />
        <Skeleton width="40%" />
      </div>
    );
  }
  const parent = value.parents[0] ?? null;
  const menu =
    repository === undefined
      ? []
      : commitMenuItems({ commit: value.hash, ...repository, parent, other: marked, canCompare: path !== null }, commitActions(stores));
  return <CommitHeader commit={value} isStale={commit.kind === 'loading'} onGoTo={(hash) => workspace.getState().selectCommit(hash)} menu={menu} />;
}

function Checkpoint({ onOpenGroup }: CommitPanelProps) {
  const { checkpoint, workspace } = useStores();
  const loadable = useStore(checkpoint, (state) => state.checkpoint);
  const path = useStore(workspace, (state) => state.path);
  const commit = useStore(workspace, (state) => state.commit);
  const tracked = useStore(workspace, (state) => latest(state.repository)?.checkpoints.length ?? 0);
  const value = latest(loadable);

  if (path === null) {
    return (
      <Frame>
        <EmptyState
          icon={<PackageOpen size={24} />}
          title={tracked === 0 ? 'No checkpoint in this repository' : 'No checkpoint chosen'}
          text={
            tracked === 0
              ? 'No file at HEAD is tracked with git-theta or Git LFS, or has the content of a checkpoint that Theta Desktop reads.'
              : 'Choose a checkpoint in the sidebar.'
          }
        />
      </Frame>
    );
  }
  if (loadable.kind === 'failed' && loadable.error.code === 'not-found' && loadable.error.place.group === undefined) {
    return (
      <Frame>
        <EmptyState
          icon={<PackageOpen size={24} />}
          title="Not in this commit"
          text={
            <>
              <bdi>{path}</bdi> does not exist at this commit. It may have been added later, removed, or renamed.
            </>
          }
        />
      </Frame>
    );
  }
  if (loadable.kind === 'failed') {
    return (
      <div className={styles.notice}>
        <ErrorNotice title="The checkpoint could not be read" error={loadable.error} action={<Retry />} />
      </div>
    );
  }
  if (value === undefined) {
    return (
      <div className={styles.waiting} role="status" aria-label="Reading the checkpoint">
        <Skeleton width="50%" />
        <Skeleton width="100%" height="28px" />
        {['70%', '55%', '62%', '48%', '66%', '58%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    );
  }
  const isStale = value.checkpoint.version.commit !== commit || value.checkpoint.version.path !== path;
  return <CheckpointGroups value={value} isStale={isStale} path={path} onOpenGroup={onOpenGroup} />;
}

/** How far the comparison with the parent is, once it takes long enough to wonder. Over the rest: what is shown does not move. */
function Comparing() {
  const { checkpoint } = useStores();
  const loadable = useStore(checkpoint, (state) => state.checkpoint);
  if (loadable.kind !== 'loading' || loadable.progress === undefined) return null;
  return (
    <div className={styles.comparing}>
      <ProgressBar label="Comparing with the parent" progress={loadable.progress} />
    </div>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  return <div className={styles.frame}>{children}</div>;
}

function Retry() {
  const { checkpoint } = useStores();
  return <Button onClick={() => checkpoint.getState().retry()}>Try again</Button>;
}
