import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import type { ExportJob } from '../../state/exportStore';
import { useStores } from '../../state/storesContext';
import styles from './ExportDialog.module.css';

interface ExportExistsProps {
  readonly job: ExportJob;
  readonly onClose: () => void;
}

/** A file is there already: it is replaced only when the user says so. */
export function ExportExists({ job, onClose }: ExportExistsProps) {
  const { export: exporter } = useStores();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Replace the file?"
      footer={
        <>
          <Button onClick={() => exporter.getState().reset()}>Choose another name</Button>
          <Button look="danger" onClick={() => void exporter.getState().start({ overwrite: true })}>
            Replace
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <p>
          <bdi className={styles.path}>{job.destination}</bdi> is there already. Replacing it cannot be undone.
        </p>
        <p className={styles.note}>The old file stays until the new one is complete and verified.</p>
      </div>
    </Dialog>
  );
}
