import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ProgressBar } from '../../components/ProgressBar';
import type { ExportRun } from '../../state/exportStore';
import { useStores } from '../../state/storesContext';
import styles from './ExportDialog.module.css';
import { VersionLine } from './VersionLine';

interface ExportRunningProps {
  readonly run: Extract<ExportRun, { kind: 'running' }>;
  readonly onClose: () => void;
}

export function ExportRunning({ run, onClose }: ExportRunningProps) {
  const { export: exporter } = useStores();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export version"
      description={<VersionLine {...run.job} />}
      footer={
        <>
          <Button onClick={() => exporter.getState().cancel()}>Cancel export</Button>
          <Button look="primary" onClick={onClose}>
            Continue in the background
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <p className={styles.to}>
          To <bdi className={styles.path}>{run.job.destination}</bdi>
        </p>
        <ProgressBar label="Exporting" progress={run.progress} startedAt={run.phaseStartedAt} />
        <p className={styles.note}>The file appears at its place only when it is complete and verified.</p>
      </div>
    </Dialog>
  );
}
