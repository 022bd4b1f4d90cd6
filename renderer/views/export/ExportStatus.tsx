import { BackgroundTask } from '../../components/BackgroundTask';
import type { ExportRun } from '../../state/exportStore';
import { useStores } from '../../state/storesContext';

interface ExportStatusProps {
  readonly run: Extract<ExportRun, { kind: 'running' }>;
}

/** How far an export is whose dialog is closed. */
export function ExportStatus({ run }: ExportStatusProps) {
  const { workspace } = useStores();
  return (
    <BackgroundTask
      name="Export in progress"
      label={`Exporting ${run.job.path}`}
      progress={run.progress}
      startedAt={run.phaseStartedAt}
      side="right"
      onShow={() => workspace.getState().requestExport(run.job.commit, run.job.path)}
    />
  );
}
