import { FolderOpen } from 'lucide-react';
import { useId } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { TextField } from '../../components/TextField';
import { overwriteWarning, type SaveMode, versionPath } from '../../state/graphSaveStore';
import type { OpenedGraph } from '../../state/graphStore';
import { latest } from '../../state/loadable';
import { placeOnHostProblem } from '../../state/placeOnHostProblem';
import { useStore, useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';

interface SaveDialogProps {
  readonly opened: OpenedGraph;
  readonly repository: RepositoryDescription;
}

/** Where the edited model goes: over the file of the working tree and into a commit, or into a file. */
export function SaveDialog({ opened, repository }: SaveDialogProps) {
  const { app, graphSave } = useStores();
  const mode = useStore(graphSave, (state) => state.mode);
  const destination = useStore(graphSave, (state) => state.destination);
  const run = useStore(graphSave, (state) => state.run);
  const canPick = useStore(app, (state) => latest(state.host)?.canUseNativeDialogs === true);
  const name = useId();
  const { close, setMode, setDestination, pickDestination, start, cancel } = graphSave.getState();
  const place = versionPath(repository, opened.side);
  const warning = mode === 'version' ? overwriteWarning(repository, opened.side) : null;
  const problem = mode === 'version' ? null : placeOnHostProblem(destination);
  const isReady = mode === 'version' ? place !== null : destination.trim() !== '' && problem === null;
  const isRunning = run.kind === 'running';
  const isThere = run.kind === 'exists';
  const go = () => {
    if (isReady && !isRunning) void start({ overwrite: isThere });
  };
  const choice = (value: SaveMode, title: string, note: string, disabled: boolean) => (
    <label className={styles.choice}>
      <input type="radio" name={name} disabled={disabled || isRunning} checked={mode === value} onChange={() => setMode(value)} />
      <span className={styles.choiceText}>
        <span>{title}</span>
        <span className={styles.quiet}>{note}</span>
      </span>
    </label>
  );
  return (
    <Dialog
      open
      onClose={close}
      title="Save the edited model"
      description={opened.done.join(' · ')}
      footer={
        isRunning ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look={isThere ? 'danger' : 'primary'} disabled={!isReady} onClick={go}>
              {isThere ? 'Replace the file' : mode === 'version' ? 'Save and go on to the commit…' : 'Save'}
            </Button>
          </>
        )
      }
    >
      <form
        className={styles.content}
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <fieldset className={styles.choices}>
          <legend>Save as</legend>
          {choice(
            'version',
            'A new version',
            place === null ? 'The repository has no working tree for it.' : `Writes ${opened.side.path} in the working tree; then the commit is offered.`,
            place === null,
          )}
          {choice('file', 'A file', 'Anywhere on the machine where the repository is.', false)}
        </fieldset>
        {mode === 'file' ? (
          <div className={styles.pair}>
            <TextField
              label="Destination"
              mono
              value={destination}
              onChange={setDestination}
              error={destination === '' ? null : problem}
              {...(canPick ? {} : { hint: 'A path on the machine where the repository is.' })}
            />
            {canPick ? (
              <Button icon={<FolderOpen size={14} />} onClick={() => void pickDestination()}>
                Choose…
              </Button>
            ) : null}
          </div>
        ) : null}
        {warning === null ? null : (
          <p role="alert" className={styles.warning}>
            {warning}
          </p>
        )}
        {isThere ? (
          <p role="alert" className={styles.warning}>
            <bdi className={styles.name}>{destination}</bdi> is there already. Replacing it cannot be undone.
          </p>
        ) : null}
        {run.kind === 'failed' ? <ErrorNotice title="The model could not be saved" error={run.error} /> : null}
        {isRunning ? <ProgressBar label="Saving the model" progress={run.progress} startedAt={run.startedAt} /> : null}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
