import { FolderOpen } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Skeleton } from '../../components/Skeleton';
import { TextField } from '../../components/TextField';
import type { ExportFormatChoice } from '../../state/exportStore';
import { latest } from '../../state/loadable';
import { placeOnHostProblem } from '../../state/placeOnHostProblem';
import { useStore, useStores } from '../../state/storesContext';
import type { ExportRequest } from '../../state/workspaceStore';
import styles from './ExportDialog.module.css';
import { VersionLine } from './VersionLine';

interface ExportChoicesProps {
  readonly request: ExportRequest;
  readonly onClose: () => void;
}

/** Format and destination. */
export function ExportChoices({ request, onClose }: ExportChoicesProps) {
  const { app, export: exporter } = useStores();
  const options = useStore(exporter, (state) => state.options);
  const format = useStore(exporter, (state) => state.format);
  const destination = useStore(exporter, (state) => state.destination);
  const canPick = useStore(app, (state) => latest(state.host)?.canUseNativeDialogs === true);
  const { start, chooseFormat, setDestination, pickDestination, retryOptions } = exporter.getState();
  const field = useRef<HTMLInputElement>(null);
  const isReady = options.kind === 'ready' && format !== null;
  // The choices come a moment after the dialog has taken the focus.
  useEffect(() => {
    if (isReady) field.current?.focus();
  }, [isReady]);
  const problem = placeOnHostProblem(destination);

  return (
    <Dialog
      open
      onClose={onClose}
      title="Export version"
      description={<VersionLine {...request} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!isReady || destination.trim() === '' || problem !== null} onClick={() => void start()}>
            Export
          </Button>
        </>
      }
    >
      <form
        className={styles.content}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && destination.trim() !== '' && problem === null) void start();
        }}
      >
        {options.kind === 'failed' ? (
          <ErrorNotice title="This version cannot be exported" error={options.error} action={<Button onClick={retryOptions}>Try again</Button>} />
        ) : options.kind === 'ready' ? (
          <>
            <Formats formats={options.value.formats} chosen={format} onChoose={chooseFormat} />
            <div className={styles.destination}>
              <TextField
                ref={field}
                label="Destination"
                mono
                value={destination}
                onChange={setDestination}
                error={destination === '' ? null : problem}
                className={styles.field ?? ''}
                {...(canPick ? {} : { hint: 'A path on the machine where the repository is.' })}
              />
              {canPick ? (
                <Button icon={<FolderOpen size={14} />} onClick={() => void pickDestination('Export version')}>
                  Choose…
                </Button>
              ) : null}
            </div>
          </>
        ) : (
          <div className={styles.waiting} role="status" aria-label="Reading the version">
            <Skeleton height="28px" />
            <Skeleton height="28px" />
            <Skeleton height="28px" />
            <Skeleton height="52px" />
          </div>
        )}
        {/* Enter in the text field submits only where the form has a submit button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface FormatsProps {
  readonly formats: readonly ExportFormatChoice[];
  readonly chosen: ExportFormatChoice['format'] | null;
  readonly onChoose: (format: ExportFormatChoice['format']) => void;
}

function Formats({ formats, chosen, onChoose }: FormatsProps) {
  const name = useId();
  if (formats.length === 0) return <p className={styles.none}>There is no format that this version can be written in.</p>;
  return (
    <fieldset className={styles.formats}>
      <legend>Format</legend>
      {formats.map((choice) => (
        <label key={choice.format} className={styles.format}>
          <input type="radio" name={name} checked={choice.format === chosen} onChange={() => onChoose(choice.format)} />
          <span className={styles.formatText}>
            <span>
              {choice.label} <span className={styles.extension}>{choice.extension.startsWith('.') ? choice.extension : `.${choice.extension}`}</span>
            </span>
            {choice.note === null ? null : <span className={styles.note}>{choice.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
