import { useRef } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useStore, useStores } from '../../state/storesContext';
import type { Discard } from '../../state/worktreeStore';
import styles from './WorktreePanel.module.css';

/** Asks before changes are thrown away: they are kept nowhere else. */
export function DiscardDialog() {
  const { worktree } = useStores();
  const discard = useStore(worktree, (state) => state.discard);
  return discard === null ? null : <Question discard={discard} />;
}

function Question({ discard: { paths, isRunning, error } }: { readonly discard: Discard }) {
  const { worktree } = useStores();
  const { closeDiscard, confirmDiscard } = worktree.getState();
  const keep = useRef<HTMLButtonElement>(null);
  const isOne = paths.length === 1;
  return (
    <Dialog
      open
      onClose={closeDiscard}
      title="Discard the changes?"
      size="small"
      keepOpen={isRunning}
      initialFocus={keep}
      footer={
        <>
          <Button ref={keep} disabled={isRunning} onClick={closeDiscard}>
            Keep the changes
          </Button>
          <Button look="danger" disabled={isRunning} onClick={() => void confirmDiscard()}>
            {isRunning ? 'Restoring…' : 'Discard'}
          </Button>
        </>
      }
    >
      <div className={styles.question}>
        <p>
          {isOne ? 'This file goes' : `These ${formatCount(paths.length)} files go`} back to the version at HEAD. What was changed since is lost; it is kept
          nowhere else, and this cannot be undone.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <ul className={styles.paths} aria-label="Files" tabIndex={0}>
          {paths.map((path) => (
            <li key={path}>
              <bdi>{path}</bdi>
            </li>
          ))}
        </ul>
        {error === null ? null : <ErrorNotice title="The changes were not discarded" error={error} />}
      </div>
    </Dialog>
  );
}
