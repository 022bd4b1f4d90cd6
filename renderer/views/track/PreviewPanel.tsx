import { useDeferredValue, useMemo, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { TrackPreview } from '../../../shared/contract/trackRequests';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { SearchField } from '../../components/SearchField';
import { SkeletonRows } from '../../components/Skeleton';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { latest } from '../../state/loadable';
import { useStores } from '../../state/storesContext';
import type { TrackFile } from '../../state/trackForm';
import { PreviewList } from './PreviewList';
import styles from './PreviewPanel.module.css';
import { PreviewSums } from './PreviewSums';
import { countChanges, filterGroups, sortGroups } from './previewRows';

interface PreviewPanelProps {
  readonly file: TrackFile;
  /** Why nothing can be computed: the place is none. */
  readonly placeProblem: string | null;
}

/** What would be stored for one file. While it is computed anew the earlier result stays, marked as such. */
export function PreviewPanel({ file, placeProblem }: PreviewPanelProps) {
  const { track } = useStores();
  const { preview, candidate } = file;
  const value = latest(preview);
  const isComputing = preview.kind === 'loading' && placeProblem === null;
  if (candidate.problem !== null) {
    return (
      <section className={styles.panel} aria-label="Preview">
        <div className={styles.box}>
          <ErrorNotice title="This file cannot be tracked" error={CheckpointError.fromData(candidate.problem)} />
        </div>
      </section>
    );
  }
  return (
    <section className={styles.panel} aria-label="Preview" aria-busy={isComputing}>
      {preview.kind === 'failed' ? (
        <div className={styles.box}>
          <ErrorNotice
            title="It cannot be stored like this"
            error={preview.error}
            action={<Button onClick={() => track.getState().retryPreview(file.source)}>Try again</Button>}
          />
        </div>
      ) : null}
      {value === undefined ? null : <Result preview={value} isOld={preview.kind !== 'ready' || placeProblem !== null} />}
      {value === undefined && preview.kind !== 'failed' ? <Waiting isComputing={isComputing} reason={placeProblem} /> : null}
      <div className={styles.progress}>
        {isComputing ? (
          <ProgressBar label="Comparing with what is stored" progress={preview.progress ?? null} startedAt={file.previewStartedAt} />
        ) : (
          <p className={styles.done}>{preview.kind === 'ready' && placeProblem === null ? 'Compared bit for bit with what is committed.' : ''}</p>
        )}
      </div>
    </section>
  );
}

function Waiting({ isComputing, reason }: { readonly isComputing: boolean; readonly reason: string | null }) {
  if (!isComputing) return <EmptyState title="No preview" text={reason ?? 'It is computed as soon as the other files are done.'} />;
  return (
    <div className={styles.waiting}>
      <SkeletonRows count={10} label="Computing what would be stored" />
    </div>
  );
}

function Result({ preview, isOld }: { readonly preview: TrackPreview; readonly isOld: boolean }) {
  const sorted = useMemo(() => sortGroups(preview.groups), [preview.groups]);
  const counts = useMemo(() => countChanges(preview.groups), [preview.groups]);
  const unchanged = counts.find(({ kind }) => kind === 'unchanged')?.groups ?? 0;
  const [text, setText] = useState('');
  const [onlyChanges, setOnlyChanges] = useState(true);
  const asked = useDeferredValue(text);
  const hides = onlyChanges && unchanged < preview.groups.length;
  const shown = useMemo(() => filterGroups(sorted, { text: asked, onlyChanges: hides }), [sorted, asked, hides]);
  return (
    <div className={styles.result}>
      <div className={styles.summary}>
        {isOld ? <p className={styles.old}>From before your last change:</p> : null}
        {preview.unchanged ? <p className={styles.unchanged}>Nothing differs from what is committed.</p> : <PreviewSums {...preview} />}
        <ul className={styles.counts} aria-label="Parameter groups by what happens to them">
          {counts.map(({ kind, label, groups }) => (
            <li key={kind}>
              <UpdateGlyph kind={kind} size={11} />
              {formatCount(groups)} {label}
            </li>
          ))}
        </ul>
        {preview.notes.length === 0 ? null : (
          <ul className={styles.notes} aria-label="Notes">
            {preview.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      <div className={styles.filter}>
        <SearchField
          label="Filter parameter groups"
          value={text}
          onChange={setText}
          className={styles.search ?? ''}
          status={text.trim() === '' ? '' : `${formatCount(shown.length)} of ${formatCount(preview.groups.length)}`}
        />
        <Checkbox label="Only changes" checked={onlyChanges} onChange={setOnlyChanges} disabled={unchanged === 0 || unchanged === preview.groups.length} />
      </div>
      {shown.length === 0 ? (
        <EmptyState title={preview.groups.length === 0 ? 'The file has no parameter groups' : 'No group fits the filter'} />
      ) : (
        <PreviewList groups={shown} label={`What would be stored for ${preview.path}`} />
      )}
    </div>
  );
}
