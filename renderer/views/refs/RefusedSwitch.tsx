import { useRef } from 'react';
import type { CheckpointError } from '../../../shared/contract/errors';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useStores } from '../../state/storesContext';
import styles from './RefDialogs.module.css';

interface RefusedSwitchProps {
  readonly name: string;
  readonly error: CheckpointError;
}

/** Why a branch was not switched to, and the ways on from there. */
export function RefusedSwitch({ name, error }: RefusedSwitchProps) {
  const { refs, commands } = useStores();
  const { closeSwitch, switchTo } = refs.getState();
  const done = useRef<HTMLButtonElement>(null);
  const commit = () => {
    closeSwitch();
    commands.getState().run('track.commitChanges');
  };
  return (
    <Dialog
      open
      onClose={closeSwitch}
      title={`Not switched to ${name}`}
      initialFocus={done}
      footer={
        <>
          <Button onClick={() => void switchTo(name)}>Try again</Button>
          {error.code === 'conflict' ? <Button onClick={commit}>Commit changes…</Button> : null}
          <Button ref={done} look="primary" onClick={closeSwitch}>
            Close
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <ErrorNotice title={error.code === 'conflict' ? 'Changes that are not committed would be lost' : 'The branch could not be switched to'} error={error} />
        <p className={styles.note}>Nothing was changed: the working tree and the branch are as they were.</p>
      </div>
    </Dialog>
  );
}
