import { Button } from '../../components/Button';
import { SkeletonRows } from '../../components/Skeleton';
import { useStore, useStores } from '../../state/storesContext';
import styles from './Opening.module.css';

/** A repository is being opened and nothing of it is known yet: the shape of what will be there. */
export function Opening() {
  const { workspace } = useStores();
  const path = useStore(workspace, (state) => state.opening);
  return (
    <main className={styles.page} aria-busy="true">
      <div className={styles.sidebar}>
        <SkeletonRows count={7} label="Loading" />
      </div>
      <div className={styles.history}>
        <div className={styles.bar}>
          <p role="status" className={styles.text}>
            Opening <bdi className="mono">{path}</bdi>
          </p>
          <Button onClick={() => workspace.getState().cancelOpening()}>Cancel</Button>
        </div>
        <SkeletonRows count={14} label="Loading" />
      </div>
    </main>
  );
}
