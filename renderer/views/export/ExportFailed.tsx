import { useRef } from 'react';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import type { ExportRun } from '../../state/exportStore';
import { useStores } from '../../state/storesContext';
import styles from './ExportDialog.module.css';
import { VersionLine } from './VersionLine';

interface ExportFailedProps {
  readonly run: Extract<ExportRun, { kind: 'failed' }>;
  readonly onClose: () => void;
}

export function ExportFailed({ run, onClose }: ExportFailedProps) {
  const { export: exporter } = useStores();
  const again = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export version"
      description={<VersionLine {...run.job} />}
      initialFocus={again}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button ref={again} look="primary" onClick={() => exporter.getState().reset()}>
            Change and try again
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <ErrorNotice title="The version was not exported" error={run.error} />
        <p className={styles.note}>No incomplete file was left behind.</p>
      </div>
    </Dialog>
  );
}
