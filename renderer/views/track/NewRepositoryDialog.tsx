import { FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import type { NewRepositoryOffer } from '../../state/newRepositoryStore';
import { useStore, useStores } from '../../state/storesContext';
import { fileName } from '../../state/trackForm';
import styles from './TrackForm.module.css';

/** For checkpoints that lie in no repository: makes one around them and goes on to the first commit. */
export function NewRepositoryDialog() {
  const { newRepository } = useStores();
  const offered = useStore(newRepository, (state) => state.offered);
  return offered === null ? null : <Offer offered={offered} />;
}

function Offer({ offered: { sources, folder } }: { readonly offered: NewRepositoryOffer }) {
  const { newRepository, picker, track } = useStores();
  const isRunning = useStore(newRepository, (state) => state.isRunning);
  const error = useStore(newRepository, (state) => state.error);
  const create = useRef<HTMLButtonElement>(null);
  const { setFolder, close } = newRepository.getState();
  const choose = async () => {
    const path = await picker.getState().pickFolder({
      title: 'Where the repository goes',
      description: 'The folder becomes a git repository; one that is one already is opened.',
      action: 'Use this folder',
    });
    if (path !== null) setFolder(path);
  };
  const [first] = sources;
  const what =
    sources.length === 1 && first !== undefined ? <bdi className={styles.path}>{fileName(first)}</bdi> : `${formatCount(sources.length)} checkpoints`;
  return (
    <Dialog
      open
      onClose={close}
      title="Create a repository"
      keepOpen={isRunning}
      initialFocus={create}
      footer={
        <>
          <Button disabled={isRunning} onClick={close}>
            Cancel
          </Button>
          {folder === null ? (
            <Button ref={create} look="primary" icon={<FolderOpen size={14} />} onClick={() => void choose()}>
              Choose a folder…
            </Button>
          ) : (
            <Button ref={create} look="primary" disabled={isRunning} onClick={() => void newRepository.getState().create(track.getState().track)}>
              {isRunning ? 'Creating…' : 'Create and track'}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.single}>
        <p>
          {what} {sources.length === 1 ? 'lies' : 'lie'} in no git repository. Versions of {sources.length === 1 ? 'it' : 'them'} are kept in one.
        </p>
        {folder === null ? (
          <p>Choose the folder for it on the machine that serves this window.</p>
        ) : (
          <div className={styles.data}>
            <span className={styles.dataLabel}>Create a repository in</span>
            <bdi className={styles.path}>{folder}</bdi>
            <Button disabled={isRunning} onClick={() => void choose()}>
              Choose…
            </Button>
          </div>
        )}
        <p className={styles.note}>Other files in the folder are left alone: only what you track is committed.</p>
        {error === null ? null : <ErrorNotice title="The repository was not created" error={error} />}
      </div>
    </Dialog>
  );
}
