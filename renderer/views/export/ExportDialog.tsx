import { assertNever } from '../../../shared/base/assertNever';
import { useStore, useStores } from '../../state/storesContext';
import { ExportChoices } from './ExportChoices';
import { ExportExists } from './ExportExists';
import { ExportFailed } from './ExportFailed';
import { ExportFinished } from './ExportFinished';
import { ExportRunning } from './ExportRunning';
import { ExportStatus } from './ExportStatus';

/** Writes a version to disk. Closing it while it writes does not stop the writing: a strip shows how far it is, and leads back here. */
export function ExportDialog() {
  const { workspace, export: exporter } = useStores();
  const request = useStore(workspace, (state) => state.exportRequest);
  const run = useStore(exporter, (state) => state.run);
  const close = () => workspace.getState().closeExport();

  if (request === null) return run.kind === 'running' ? <ExportStatus run={run} /> : null;
  switch (run.kind) {
    case 'none':
      return <ExportChoices request={request} onClose={close} />;
    case 'running':
      return <ExportRunning run={run} onClose={close} />;
    case 'exists':
      return <ExportExists job={run.job} onClose={close} />;
    case 'done':
      return <ExportFinished run={run} onClose={close} />;
    case 'failed':
      return <ExportFailed run={run} onClose={close} />;
    default:
      return assertNever(run);
  }
}
