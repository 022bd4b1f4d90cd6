import { Grid3x3, PackageOpen } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { CellPlace } from '../../charts/timelineMoves';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { SkeletonRows } from '../../components/Skeleton';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { cellSentence, describeCell } from './describeCell';
import { ExportTimeline } from './ExportTimeline';
import { ModuleNumbers } from './moduleNumbers';
import { shadeMeasure } from './shadeCodes';
import { TimelineBar } from './TimelineBar';
import { TimelineGrid, type TimelineGridHandle } from './TimelineGrid';
import { TimelineStatus } from './TimelineStatus';
import styles from './TimelineView.module.css';
import { type ShownTimeline, useTimeline } from './useTimeline';
import { useTimelineCommands } from './useTimelineCommands';
import { type CellWindow, wantedCells } from './wantedCells';

interface TimelineViewProps {
  /** Enter on a cell: on to the group's detail. */
  readonly onOpenGroup: () => void;
}

/** The parameter groups of the chosen checkpoint over all its versions. */
export function TimelineView({ onOpenGroup }: TimelineViewProps) {
  const { timeline } = useStores();
  useEffect(() => {
    const watch = timeline.getState().watch();
    return () => watch.dispose();
  }, [timeline]);
  const shown = useTimeline();
  return (
    <section className={styles.view} aria-label="Parameters" data-region>
      {shown === null || shown.states.index.columns.length === 0 ? <WithoutVersions /> : <Versions shown={shown} onOpenGroup={onOpenGroup} />}
    </section>
  );
}

function Versions({ shown, onOpenGroup }: TimelineViewProps & { readonly shown: ShownTimeline }) {
  const { timeline } = useStores();
  const turn = useStore(timeline, (state) => state.numbersTurn);
  const grid = useRef<TimelineGridHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState<CellPlace | null>(null);
  const [window, setWindow] = useState<CellWindow | null>(null);
  const { states, rows, numbers, options } = shown;

  // Made anew with each turn: what a module's number is made of has grown.
  const modules = useMemo(() => {
    void turn;
    return new ModuleNumbers(states, rows, numbers);
  }, [states, rows, numbers, turn]);
  const shading = useMemo(() => (options.measure === 'update' ? null : shadeMeasure(options.measure, numbers, modules)), [options.measure, numbers, modules]);
  const onWindow = useCallback((next: CellWindow) => setWindow(next), []);
  useEffect(() => {
    if (window === null) return;
    // Cells that are only passed by are not worth a request.
    const rest = setTimeout(() => timeline.getState().want(wantedCells(shown, window, new ModuleNumbers(states, rows, numbers))), REST_MS);
    return () => clearTimeout(rest);
  }, [timeline, shown, window, states, rows, numbers]);
  const { compareEnds } = useTimelineCommands({ search, grid });

  const dtypes = useMemo(() => [...new Set(states.index.rows.map((row) => row.dtype as string))].sort(), [states]);
  const description = active === null ? null : describeCell(shown, active, modules);
  const groups = rows.rowAt.reduce((count, row) => count + (row >= 0 ? 1 : 0), 0);
  const isFiltered = groups < states.index.rows.length;
  const status = shown.patternProblem ?? (isFiltered ? `${formatCount(groups)} of ${formatCount(states.index.rows.length)}` : '');
  return (
    <>
      <TimelineBar
        searchRef={search}
        dtypes={dtypes}
        status={status}
        hasRange={shown.range !== null}
        hasClosed={shown.closed.size > 0}
        onToggleAll={shown.toggleAll}
        onZoom={(direction) => grid.current?.zoom(direction)}
        onLeaveSearch={() => grid.current?.focus()}
        exportMenu={<ExportTimeline shown={shown} shading={shading} />}
      />
      <div className={styles.content}>
        {shown.places.length === 0 || shown.columns.length === 0 ? (
          <NothingFits />
        ) : (
          <TimelineGrid
            ref={grid}
            shown={shown}
            shading={shading}
            modules={modules}
            turn={turn}
            onWindow={onWindow}
            onActive={setActive}
            onOpenGroup={onOpenGroup}
          />
        )}
      </div>
      <Strip />
      <TimelineStatus shown={shown} shading={shading} activeText={description === null ? '' : cellSentence(description)} onCompare={compareEnds} />
    </>
  );
}

const REST_MS = 120;

function NothingFits() {
  const { timeline } = useStores();
  const options = useStore(timeline, (state) => state.options);
  const isMeasuring = useStore(timeline, (state) => state.waiting > 0);
  const show = () => timeline.getState().setOptions({ pattern: '', kind: null, dtype: null, hasNan: false, changedInRange: false, touchedOnly: false });
  return (
    <EmptyState
      icon={<Grid3x3 size={24} />}
      title={options.hasNan && isMeasuring ? 'Looking for NaN' : 'No parameter group fits the filter'}
      text={
        options.hasNan
          ? isMeasuring
            ? 'Groups appear as soon as a NaN is found in one of their versions.'
            : 'No NaN was found in the newest version of any group.'
          : 'Choose another filter, or show everything.'
      }
      action={<Button onClick={show}>Show everything</Button>}
    />
  );
}

/** In the place of the grid: no checkpoint, still reading, failed, or nothing to show. */
function WithoutVersions() {
  const { timeline, workspace } = useStores();
  const path = useStore(workspace, (state) => state.path);
  const index = useStore(timeline, (state) => state.index);
  if (path === null) {
    return <EmptyState icon={<PackageOpen size={24} />} title="No checkpoint chosen" text="Choose a checkpoint in the sidebar to see all its versions." />;
  }
  if (index.kind === 'failed') {
    return (
      <div className={styles.notice}>
        <ErrorNotice
          title="The versions could not be read"
          error={index.error}
          action={<Button onClick={() => timeline.getState().retry()}>Try again</Button>}
        />
      </div>
    );
  }
  if (index.kind === 'ready') {
    return (
      <EmptyState
        icon={<PackageOpen size={24} />}
        title="No versions"
        text={
          <>
            No commit of this branch holds <bdi>{path}</bdi>. Another branch may.
          </>
        }
        action={<Button onClick={() => timeline.getState().setOptions({ scope: 'all' })}>Look at all branches</Button>}
      />
    );
  }
  return (
    <>
      <div className={styles.waiting}>
        <SkeletonRows count={16} label="Reading all versions" />
      </div>
      {index.kind === 'loading' && index.progress !== undefined ? (
        <div className={styles.progress}>
          <ProgressBar label="Reading all versions" progress={index.progress} />
        </div>
      ) : null}
    </>
  );
}

/** What is wrong while the grid itself can still be used. */
function Strip() {
  const { timeline } = useStores();
  const index = useStore(timeline, (state) => state.index);
  const numbersError = useStore(timeline, (state) => state.numbersError);
  const omitted = latest(index)?.omitted ?? 0;
  if (index.kind === 'failed') {
    return (
      <div className={styles.strip}>
        <ErrorNotice
          bare
          title="Newer versions could not be read"
          error={index.error}
          action={<Button onClick={() => timeline.getState().retry()}>Try again</Button>}
        />
      </div>
    );
  }
  if (numbersError !== null) {
    return (
      <div className={styles.strip}>
        <ErrorNotice
          bare
          title="Some cells could not be measured"
          error={numbersError}
          action={<Button onClick={() => timeline.getState().retryNumbers()}>Try again</Button>}
        />
      </div>
    );
  }
  if (omitted === 0) return null;
  return (
    <p className={styles.strip} role="status">
      {formatCount(omitted)} older {omitted === 1 ? 'commit is' : 'commits are'} not shown.
    </p>
  );
}
