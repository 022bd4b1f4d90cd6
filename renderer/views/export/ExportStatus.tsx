import { Button } from '../../components/Button';
import { ProgressBar } from '../../components/ProgressBar';
import type { ExportRun } from '../../state/exportStore';
import { useStores } from '../../state/storesContext';
import styles from './ExportStatus.module.css';

interface ExportStatusProps {
  readonly run: Extract<ExportRun, { kind: 'running' }>;
}

/** How far an export is whose dialog is closed. */
export function ExportStatus({ run }: ExportStatusProps) {
  const { workspace } = useStores();
  return (
    <section className={styles.strip} aria-label="Export in progress">
      <div className={styles.bar}>
        <ProgressBar label={`Exporting ${run.job.path}`} progress={run.progress} startedAt={run.phaseStartedAt} />
      </div>
      <Button look="quiet" onClick={() => workspace.getState().requestExport(run.job.commit, run.job.path)}>
        Show
      </Button>
    </section>
  );
}
