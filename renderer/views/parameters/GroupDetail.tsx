import { useEffect, useMemo } from 'react';
import { formatBytes } from '../../../shared/base/formatBytes';
import type { ChangedGroup } from '../../../shared/model/checkpoint';
import type { CommitHash } from '../../../shared/model/commit';
import { formatShape } from '../../../shared/model/shape';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { GroupContent, GroupFact, GroupFacts, GroupPane } from '../../components/GroupPane';
import { ProgressBar } from '../../components/ProgressBar';
import { Skeleton } from '../../components/Skeleton';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { latest } from '../../state/loadable';
import type { Inspection, InspectionTarget } from '../../state/parameterStore';
import { useStore, useStores } from '../../state/storesContext';
import { CHANGE_WORDS, changeGlyph } from './describeGroup';
import styles from './GroupDetail.module.css';
import { HeatMap } from './HeatMap';
import { HistogramChart } from './HistogramChart';
import { StatsTable } from './StatsTable';
import { UpdateChainList } from './UpdateChainList';

/** The chosen parameter group, reconstructed: statistics, histogram, heat map, and the chain that it comes from. */
export function GroupDetail() {
  const { workspace, checkpoint, parameter } = useStores();
  const name = useStore(workspace, (state) => state.group);
  const described = useStore(checkpoint, (state) => state.checkpoint);
  const value = latest(described);
  const entry = useMemo(() => value?.groups.find((candidate) => candidate.group.name === name), [value, name]);
  const target = useMemo(() => (value === undefined || entry === undefined ? null : targetOf(value, entry)), [value, entry]);
  const isSettled = described.kind === 'ready';

  useEffect(() => {
    if (target !== null && isSettled) parameter.getState().show(target);
  }, [parameter, target, isSettled]);
  // Leaving the pane, or choosing what is not there, stops the work.
  const isGone = name === null || (isSettled && target === null) || described.kind === 'failed';
  useEffect(() => {
    if (isGone) parameter.getState().leave();
  }, [parameter, isGone]);
  useEffect(() => () => parameter.getState().leave(), [parameter]);

  if (name === null) return null;
  return (
    <GroupPane label="Parameter group" name={name} onClose={() => workspace.getState().selectGroup(null)}>
      {entry === undefined ? (
        isSettled ? (
          <EmptyState title="Not in this version" text="The checkpoint has no parameter group of this name at the selected commit." />
        ) : described.kind === 'failed' ? (
          <EmptyState title="Not available" text="The checkpoint could not be read at the selected commit." />
        ) : (
          <Waiting />
        )
      ) : (
        <>
          <Facts entry={entry} />
          <Reconstruction name={name} />
        </>
      )}
    </GroupPane>
  );
}

/** A removed group is looked at where it was last. */
function targetOf(
  value: { readonly checkpoint: { readonly version: Version }; readonly parent: Version | null },
  entry: ChangedGroup,
): InspectionTarget | null {
  const version = entry.change === 'removed' ? value.parent : value.checkpoint.version;
  if (version === null || version.commit === null) return null;
  return { commit: version.commit, path: version.path, group: entry.group.name };
}
type Version = { readonly commit: CommitHash | null; readonly path: string };

function Facts({ entry }: { readonly entry: ChangedGroup }) {
  const { group, change, from } = entry;
  return (
    <GroupFacts>
      <GroupFact>
        <UpdateGlyph kind={changeGlyph(entry)} /> {CHANGE_WORDS[change]}
        {change === 'removed' ? ', shown as it was in the parent' : ''}
        {from === undefined ? null : (
          <>
            {' from '}
            <bdi className="mono">{from === '' ? '(no name)' : from}</bdi>, the value is the same
          </>
        )}
      </GroupFact>
      {group.updateType === null ? null : <UpdateGlyph kind={group.updateType} showLabel />}
      <code>{group.dtype}</code>
      <code>{formatShape(group.shape)}</code>
      <span>
        {formatBytes(group.storedBytes)} stored of {formatBytes(group.bytes)}
      </span>
      {group.tiedTo === null ? null : (
        <span>
          tied to <bdi className="mono">{group.tiedTo}</bdi>
        </span>
      )}
    </GroupFacts>
  );
}

/** The value of the group that the store reads: how far it is, or what is known of it. */
export function Reconstruction({ name }: { readonly name: string }) {
  const { parameter, workspace } = useStores();
  const inspection = useStore(parameter, (state) => state.inspection);
  const isStale = useStore(parameter, (state) => state.isStale);
  const value = latest(inspection);

  if (inspection.kind === 'failed' && inspection.error.code === 'cancelled') {
    return (
      <EmptyState
        title="Cancelled"
        text="The group was not reconstructed."
        action={<Button onClick={() => parameter.getState().retry()}>Reconstruct</Button>}
      />
    );
  }
  if (inspection.kind === 'failed') {
    return (
      <GroupContent>
        <ErrorNotice
          title="The parameter group could not be reconstructed"
          error={inspection.error}
          action={<Button onClick={() => parameter.getState().retry()}>Try again</Button>}
        />
      </GroupContent>
    );
  }
  return (
    <>
      {inspection.kind === 'loading' ? (
        <div className={styles.progress}>
          <ProgressBar label="Reconstructing" progress={inspection.progress ?? null} onCancel={() => parameter.getState().cancel()} />
        </div>
      ) : null}
      {value === undefined ? (
        <Waiting />
      ) : (
        <GroupContent {...(isStale ? { className: styles.stale } : {})} aria-busy={inspection.kind === 'loading'}>
          <Result name={name} value={value} onGoTo={(commit) => workspace.getState().selectCommit(commit)} />
        </GroupContent>
      )}
    </>
  );
}

function Result({ name, value, onGoTo }: { readonly name: string; readonly value: Inspection; readonly onGoTo: (commit: CommitHash) => void }) {
  return (
    <>
      <StatsTable stats={value.stats} />
      {value.histogram === null ? (
        <p className={styles.none}>{value.stats.count === 0 ? 'The tensor has no elements.' : 'No element is finite, so there is no histogram.'}</p>
      ) : (
        <HistogramChart name={name} histogram={value.histogram} />
      )}
      <HeatMap name={name} preview={value.preview} />
      <UpdateChainList chain={value.chain} onGoTo={onGoTo} />
      <div className={styles.digest}>
        <span className={styles.digestName}>SHA-256</span>
        <code title={value.sha256}>{value.sha256}</code>
        <CopyButton label="Copy SHA-256" text={value.sha256} />
      </div>
    </>
  );
}

function Waiting() {
  return (
    <GroupContent aria-hidden="true">
      <Skeleton width="100%" height="96px" />
      <Skeleton width="100%" height="140px" />
      <Skeleton width="100%" height="120px" />
    </GroupContent>
  );
}
