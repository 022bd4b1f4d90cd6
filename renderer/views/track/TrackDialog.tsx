import { useRef } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { fileName } from '../../state/trackForm';
import type { TrackStage } from '../../state/trackStore';
import { RefusedList } from './RefusedList';
import { TrackForm } from './TrackForm';
import styles from './TrackForm.module.css';

/** From dropped or chosen files to a commit. */
export function TrackDialog() {
  const { track, workspace } = useStores();
  const stage = useStore(track, (state) => state.stage);
  const repository = useStore(workspace, (state) => latest(state.repository));
  switch (stage.kind) {
    case 'none':
      return null;
    case 'receiving':
    case 'recognising':
      return <Waiting stage={stage} />;
    case 'unusable':
      return <Unusable stage={stage} />;
    case 'choosing':
    case 'committing':
      return repository === undefined ? null : <TrackForm stage={stage} repository={repository} />;
  }
}

function Waiting({ stage }: { readonly stage: Extract<TrackStage, { kind: 'receiving' | 'recognising' }> }) {
  const { track } = useStores();
  const cancel = () => track.getState().cancel();
  const isReceiving = stage.kind === 'receiving';
  return (
    <Dialog
      open
      onClose={cancel}
      title="Track checkpoints"
      description={
        isReceiving
          ? stage.count > 1
            ? `File ${formatCount(stage.index + 1)} of ${formatCount(stage.count)} is sent to the machine where the repository is.`
            : 'The file is sent to the machine where the repository is.'
          : 'The files are recognised by what is in them.'
      }
      footer={<Button onClick={cancel}>Cancel</Button>}
    >
      <div className={styles.single}>
        {isReceiving ? (
          <ProgressBar label={`Sending ${stage.file}`} progress={stage.progress} startedAt={stage.phaseStartedAt} />
        ) : (
          <ProgressBar label={stage.count === 1 ? 'Looking at the file' : `Looking at ${formatCount(stage.count)} files`} progress={null} />
        )}
      </div>
    </Dialog>
  );
}

function Unusable({ stage }: { readonly stage: Extract<TrackStage, { kind: 'unusable' }> }) {
  const { track, commands } = useStores();
  const refused = useStore(track, (state) => state.refused);
  const close = () => track.getState().close();
  const choose = () => {
    close();
    commands.getState().run('track.open');
  };
  const [only] = refused;
  const other = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={close}
      title="Track checkpoints"
      initialFocus={other}
      footer={
        <>
          <Button onClick={close}>Close</Button>
          <Button ref={other} look="primary" onClick={choose}>
            Choose other files…
          </Button>
        </>
      }
    >
      <div className={styles.single}>
        {stage.error !== null ? (
          <ErrorNotice title="The files could not be taken in" error={stage.error} />
        ) : only !== undefined && refused.length === 1 ? (
          <ErrorNotice title="This is no checkpoint that can be tracked" error={only.error.at({ file: fileName(only.source) })} />
        ) : (
          <>
            <p>None of these files is a checkpoint.</p>
            {refused.length === 0 ? null : <RefusedList refused={refused} />}
          </>
        )}
        <p className={styles.note}>Checkpoints of safetensors, PyTorch, NumPy (.npz), Flax and ONNX are recognised by what is in them.</p>
      </div>
    </Dialog>
  );
}
