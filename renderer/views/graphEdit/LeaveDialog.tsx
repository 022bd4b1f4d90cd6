import { useRef } from 'react';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { useStore, useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';

/** Asks before edits of graphs are lost: they are in no file. */
export function LeaveDialog() {
  const { graphSave } = useStores();
  const leaving = useStore(graphSave, (state) => state.leaving);
  const stay = useRef<HTMLButtonElement>(null);
  if (leaving === null) return null;
  const answer = (isAllowed: boolean) => graphSave.getState().answerLeaving(isAllowed);
  return (
    <Dialog
      open
      onClose={() => answer(false)}
      title="Leave without saving?"
      size="small"
      initialFocus={stay}
      footer={
        <>
          <Button ref={stay} onClick={() => answer(false)}>
            Stay
          </Button>
          <Button look="danger" onClick={() => answer(true)}>
            Leave without saving
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <p>These edits are in no file and would be lost:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <ul className={styles.losses} aria-label="Edits" tabIndex={0}>
          {leaving.losses.map((text) => (
            <li key={text}>
              <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
