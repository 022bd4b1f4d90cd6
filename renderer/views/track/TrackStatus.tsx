import { Button } from '../../components/Button';
import { ProgressBar } from '../../components/ProgressBar';
import { useStore, useStores } from '../../state/storesContext';
import styles from './TrackStatus.module.css';

/** How far a commit is whose dialog is closed. */
export function TrackStatus() {
  const { track } = useStores();
  const stage = useStore(track, (state) => state.stage);
  if (stage.kind !== 'committing') return null;
  return (
    <section className={styles.strip} aria-label="Commit in progress">
      <div className={styles.bar}>
        <ProgressBar label="Committing" progress={stage.progress} startedAt={stage.phaseStartedAt} />
      </div>
      <Button look="quiet" onClick={() => track.getState().reopen()}>
        Show
      </Button>
    </section>
  );
}
