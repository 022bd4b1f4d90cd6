import { CircleCheck, FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { formatDuration } from '../../components/formatDuration';
import type { ExportRun } from '../../state/exportStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ExportDialog.module.css';
import { VersionLine } from './VersionLine';

interface ExportFinishedProps {
  readonly run: Extract<ExportRun, { kind: 'done' }>;
  readonly onClose: () => void;
}

export function ExportFinished({ run, onClose }: ExportFinishedProps) {
  const { app, export: exporter } = useStores();
  const canReveal = useStore(app, (state) => latest(state.host)?.canReveal === true);
  const done = useRef<HTMLButtonElement>(null);
  const { result, job } = run;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export version"
      description={<VersionLine {...job} />}
      initialFocus={done}
      footer={
        <>
          {canReveal ? (
            <Button icon={<FolderOpen size={14} />} onClick={() => void exporter.getState().reveal()}>
              Reveal
            </Button>
          ) : null}
          <Button ref={done} look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <p role="status" className={styles.success}>
          <CircleCheck size={16} aria-hidden="true" />
          {formatCount(result.groups)} {result.groups === 1 ? 'parameter group' : 'parameter groups'} written and verified
        </p>
        <dl className={styles.facts}>
          <div>
            <dt>File</dt>
            <dd className={styles.file}>
              <bdi className={styles.path}>{result.path}</bdi>
              <CopyButton label="Copy path" text={result.path} />
            </dd>
          </div>
          <div>
            <dt>Size</dt>
            <dd title={`${formatCount(result.bytes)} bytes`}>{formatBytes(result.bytes)}</dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>{result.seconds < 1 ? 'less than a second' : formatDuration(result.seconds)}</dd>
          </div>
        </dl>
        {result.notes.length === 0 ? null : (
          <ul className={styles.notes} aria-label="Notes">
            {result.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
