import { Button } from '../components/Button';
import { ErrorNotice } from '../components/ErrorNotice';
import { useStore, useStores } from '../state/storesContext';
import styles from './RefreshFailure.module.css';

/** The repository could not be read again: what is shown is from before. */
export function RefreshFailure() {
  const { workspace } = useStores();
  const repository = useStore(workspace, (state) => state.repository);
  if (repository.kind !== 'failed' || repository.last === undefined) return null;
  return (
    <div className={styles.box}>
      <ErrorNotice
        title="The repository could not be read again; what is shown is from before"
        error={repository.error}
        action={<Button onClick={() => void workspace.getState().refresh()}>Try again</Button>}
      />
    </div>
  );
}
