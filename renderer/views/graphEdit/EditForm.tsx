import type { ReactNode, RefObject } from 'react';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';

interface EditFormProps {
  readonly open?: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  readonly size?: 'medium' | 'large';
  readonly initialFocus?: RefObject<HTMLInputElement | null>;
  /** Whether enough is said to look at what the edit would do. */
  readonly isReady: boolean;
  readonly onReview: () => void;
  /** Buttons between Cancel and Review. */
  readonly others?: ReactNode;
  readonly children: ReactNode;
}

/** What is asked about an edit before it is reviewed: Enter in a field goes on, as the button does. */
export function EditForm({ open = true, isReady, onReview, others, children, ...dialog }: EditFormProps) {
  const { graphEdit } = useStores();
  const close = () => graphEdit.getState().ask(null);
  return (
    <Dialog
      {...dialog}
      open={open}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          {others}
          <Button look="primary" disabled={!isReady} onClick={onReview}>
            Review…
          </Button>
        </>
      }
    >
      <form
        className={styles.content}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onReview();
        }}
      >
        {children}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
