import { type KeyboardEvent, useRef } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { areTracked, commitProblem, filesToCommit, problemOfPlace, shardsNote, storageAt, sumPreviews, type TrackFile } from '../../state/trackForm';
import type { TrackStage } from '../../state/trackStore';
import { CommitChoicesForm } from './CommitChoicesForm';
import { FileChoices } from './FileChoices';
import { FileList } from './FileList';
import { PreviewPanel } from './PreviewPanel';
import { RefusedList } from './RefusedList';
import styles from './TrackForm.module.css';

interface TrackFormProps {
  readonly stage: Extract<TrackStage, { kind: 'choosing' | 'committing' }>;
  readonly repository: RepositoryDescription;
}

/** Files on the left with what is chosen for them and for the commit; on the right what would be stored. */
export function TrackForm({ stage, repository }: TrackFormProps) {
  const { track, worktree } = useStores();
  const state = useStore(track, (value) => value);
  const loaded = useStore(worktree, (value) => value.status);
  const status = latest(loaded);
  const { files, refused } = state;
  const shown = files.find(({ source }) => source === state.shown) ?? files[0];
  const aboutShards = shardsNote(files);
  const choices = useRef<HTMLFieldSetElement>(null);
  const isRunning = stage.kind === 'committing';
  const problem = commitProblem({ files, choices: state, repository, status });
  const placeProblem = shown === undefined || shown.candidate.problem !== null ? null : problemOfPlace(shown, files);
  const error = stage.kind === 'choosing' ? stage.error : null;
  const obstacle = status?.obstacle ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isRunning) return;
    event.preventDefault();
    event.stopPropagation();
    void track.getState().commit();
  };
  return (
    <Dialog
      open
      onClose={() => track.getState().close()}
      title={titleOf(files, repository)}
      description={
        <>
          In <bdi>{repository.name}</bdi>, stored parameter group by parameter group
        </>
      }
      size="full"
      footer={isRunning ? <Running stage={stage} /> : <Ready files={files} problem={problem} note={stage.note} />}
    >
      {error === null && obstacle === null && loaded.kind !== 'failed' ? null : (
        <div className={styles.failure}>
          {error !== null ? (
            <ErrorNotice title="Nothing was committed" error={error} />
          ) : obstacle !== null ? (
            <ErrorNotice
              title="Nothing can be committed now"
              error={CheckpointError.fromData(obstacle)}
              action={<Button onClick={() => void worktree.getState().reload()}>Look again</Button>}
            />
          ) : loaded.kind === 'failed' ? (
            <ErrorNotice
              title="The working tree could not be read"
              error={loaded.error}
              action={<Button onClick={() => void worktree.getState().reload()}>Try again</Button>}
            />
          ) : null}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one shortcut for everything inside */}
      <div className={styles.content} onKeyDown={onKeyDown}>
        <fieldset ref={choices} className={styles.choices} disabled={isRunning} aria-label="Choices">
          {files.length > 1 ? (
            <FileList
              files={files}
              shown={shown?.source ?? null}
              disabled={isRunning}
              needsAttention={(file) => problemOfPlace(file, files) !== null || (!state.convertLfs && storageAt(file, repository) === 'lfs')}
            />
          ) : null}
          {refused.length === 0 ? null : <RefusedList refused={refused} />}
          {aboutShards === null ? null : <p className={styles.note}>{aboutShards}</p>}
          {shown === undefined || shown.candidate.problem !== null ? null : (
            <FileChoices key={shown.source} file={shown} placeProblem={placeProblem} repository={repository} />
          )}
          <div className={styles.divider} />
          <CommitChoicesForm repository={repository} status={status} />
        </fieldset>
        {shown === undefined ? null : <PreviewPanel key={shown.source} file={shown} placeProblem={placeProblem} />}
      </div>
    </Dialog>
  );
}

function titleOf(files: readonly TrackFile[], repository: RepositoryDescription): string {
  const count = formatCount(files.length);
  if (areTracked(files, repository)) return files.length === 1 ? 'Commit a new version' : `Commit ${count} new versions`;
  return files.length === 1 ? 'Track a checkpoint' : `Track ${count} checkpoints`;
}

interface ReadyProps {
  readonly files: readonly TrackFile[];
  readonly problem: string | null;
  readonly note: string | undefined;
}

function Ready({ files, problem, note }: ReadyProps) {
  const { track } = useStores();
  const going = filesToCommit(files);
  const sums = sumPreviews(going);
  const text =
    problem ?? note ?? (sums.missing > 0 ? 'You can commit before the preview is complete.' : `Adds ${formatBytes(sums.addedBytes)} to the repository.`);
  const count = going.length <= 1 ? '' : ` ${formatCount(going.length)} checkpoints`;
  return (
    <>
      <span role="status" className={styles.status}>
        {text}
      </span>
      <Button onClick={() => track.getState().close()}>Cancel</Button>
      <Button look="primary" shortcut="Mod+Enter" disabled={problem !== null} onClick={() => void track.getState().commit()}>
        Commit{count}
      </Button>
    </>
  );
}

function Running({ stage }: { readonly stage: Extract<TrackStage, { kind: 'committing' }> }) {
  const { track } = useStores();
  return (
    <>
      <div className={styles.running}>
        <ProgressBar label="Committing" progress={stage.progress} startedAt={stage.phaseStartedAt} />
      </div>
      <Button onClick={() => track.getState().cancel()}>Cancel commit</Button>
      <Button look="primary" onClick={() => track.getState().close()}>
        Continue in the background
      </Button>
    </>
  );
}
