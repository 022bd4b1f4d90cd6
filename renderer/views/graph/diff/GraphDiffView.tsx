import { GitCompareArrows } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { diffSentence } from '../../../charts/graphDiffWords';
import { GraphScene } from '../../../charts/graphScene';
import { Button } from '../../../components/Button';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { useCamera } from '../../../components/graph/cameraControl';
import type { GraphCanvasHandle } from '../../../components/graph/graphCanvasProps';
import { useGraphColours } from '../../../components/graph/graphColours';
import { ProgressBar } from '../../../components/ProgressBar';
import { SkeletonRows } from '../../../components/Skeleton';
import { type Pane, SplitPanes } from '../../../components/SplitPanes';
import { describeChoice } from '../../../state/describeChoice';
import type { DrawnDiff } from '../../../state/graphDiffStore';
import { latest } from '../../../state/loadable';
import { useStore, useStores } from '../../../state/storesContext';
import panes from '../GraphPanes.module.css';
import styles from '../GraphView.module.css';
import { ChangesList } from './ChangesList';
import { DiffSides, DiffTools } from './DiffBar';
import { DiffExport } from './DiffExport';
import { DiffLegend } from './DiffLegend';
import { DiffPanel } from './DiffPanel';
import { DiffStage } from './DiffStage';
import { DIFF_OVERLAID } from './diffSettings';
import { useDiffCamera } from './useDiffCamera';
import { useDiffCommands } from './useDiffCommands';
import { useDiffLooks } from './useDiffLooks';

/** The graphs of two models, on one layout, with a list of what differs. */
export function GraphDiffView() {
  const { graphDiff } = useStores();
  useEffect(() => {
    const watch = graphDiff.getState().watch();
    return () => watch.dispose();
  }, [graphDiff]);
  const drawn = useStore(graphDiff, (state) => latest(state.drawn));
  const isFailed = useStore(graphDiff, (state) => state.diff.kind === 'failed' && latest(state.diff) === undefined);
  return (
    <>
      <DiffSides />
      {drawn === undefined || isFailed ? <WithoutGraphs /> : <Panes drawn={drawn} />}
    </>
  );
}

/** In the place of the graphs: a side is missing, both are being read, or something failed. */
function WithoutGraphs() {
  const { graphDiff, compare } = useStores();
  const diff = useStore(graphDiff, (state) => state.diff);
  const drawn = useStore(graphDiff, (state) => state.drawn);
  const missing = useStore(compare, (state) => (state.a === null ? 'a' : state.b === null ? 'b' : null));
  if (missing !== null) {
    return (
      <EmptyState
        icon={<GitCompareArrows size={24} />}
        title={`Choose side ${missing.toUpperCase()}`}
        text="A commit, a branch or tag, the working tree, or a file. It must be an ONNX model."
        action={
          <Button look="primary" onClick={() => compare.getState().pick(missing)}>
            Choose side {missing.toUpperCase()}…
          </Button>
        }
      />
    );
  }
  const failure = diff.kind === 'failed' ? diff.error : drawn.kind === 'failed' ? drawn.error : null;
  if (failure !== null) {
    return (
      <div className={styles.notice}>
        <ErrorNotice
          title={
            failure.code === 'cancelled'
              ? 'The comparison was given up'
              : failure.code === 'unsupported-format'
                ? 'Only two ONNX models have graphs to compare'
                : diff.kind === 'failed'
                  ? 'The two models could not be compared'
                  : 'The graphs could not be laid out'
          }
          error={failure}
          action={
            <>
              <Button onClick={() => graphDiff.getState().retry()}>Try again</Button>
              <Button onClick={() => compare.getState().pick('a')}>Choose another side A…</Button>
              <Button onClick={() => compare.getState().pick('b')}>Choose another side B…</Button>
            </>
          }
        />
      </div>
    );
  }
  const isDrawing = diff.kind === 'ready';
  const progress = isDrawing ? (drawn.kind === 'loading' ? drawn.progress : undefined) : diff.kind === 'loading' ? diff.progress : undefined;
  const label = isDrawing ? 'Laying out the graphs' : 'Comparing both models';
  return (
    <div className={styles.waiting}>
      <ProgressBar label={label} progress={progress ?? null} onCancel={() => graphDiff.getState().cancel()} />
      <SkeletonRows count={12} label={label} />
    </div>
  );
}

function Panes({ drawn }: { readonly drawn: DrawnDiff }) {
  const { graphDiff, compare, settings } = useStores();
  const { diff, layout } = drawn;
  const { index, view } = diff;
  const isCurrent = useStore(graphDiff, (state) => latest(state.diff) === diff);
  const isOverlaid = useStore(settings, (state) => state.values[DIFF_OVERLAID] === true);
  const sizes = useStore(settings, (state) => state.panes['graph-diff']);
  const a = useStore(compare, (state) => state.a);
  const b = useStore(compare, (state) => state.b);
  const names = useMemo(() => ({ a: a === null ? '' : describeChoice(a), b: b === null ? '' : describeChoice(b) }), [a, b]);
  const canvas = useRef<GraphCanvasHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const camera = useCamera();
  const colours = useGraphColours();
  const scene = useMemo(() => new GraphScene(view, layout), [view, layout]);
  const looks = useDiffLooks(index, colours);
  const sentence = useMemo(() => diffSentence(index.diff.changes), [index]);
  useDiffCamera(camera, drawn, scene);
  useDiffCommands({ search, camera });
  const list: Pane = {
    id: 'changes',
    label: 'Resize the list of changes',
    defaultSize: '280px',
    minSize: '180px',
    maxSize: '640px',
    fixed: true,
    content: <ChangesList index={index} searchRef={search} onLeave={() => canvas.current?.focus()} />,
  };
  const stage: Pane = {
    id: 'stage',
    label: 'Resize the details',
    minSize: '280px',
    content: (
      <DiffStage
        ref={canvas}
        drawn={drawn}
        isCurrent={isCurrent}
        isOverlaid={isOverlaid}
        scene={scene}
        looks={looks}
        colours={colours}
        camera={camera}
        names={names}
        onOpen={() => panel.current?.querySelector<HTMLElement>('[data-region-start]')?.focus()}
      />
    ),
  };
  const details: Pane = {
    id: 'details',
    label: '',
    defaultSize: '280px',
    minSize: '200px',
    maxSize: '720px',
    fixed: true,
    content: (
      <div ref={panel} className={panes.pane}>
        <DiffPanel index={index} />
      </div>
    ),
  };
  return (
    <>
      <DiffTools
        view={view}
        camera={camera}
        sentence={sentence}
        exportMenu={<DiffExport diff={diff} scene={scene} looks={looks.both} colours={colours} names={names} />}
      />
      <div className={panes.panes}>
        <SplitPanes id="graph-diff" panes={[list, stage, details]} sizes={sizes} onSizes={(next) => settings.getState().setPanes('graph-diff', next)} />
      </div>
      <Trouble />
      <DiffLegend index={index} looks={looks} isOverlaid={isOverlaid} />
    </>
  );
}

/** What is being done or went wrong while an earlier picture can still be looked at. */
function Trouble() {
  const { graphDiff } = useStores();
  const diff = useStore(graphDiff, (state) => state.diff);
  const drawn = useStore(graphDiff, (state) => state.drawn);
  const failure = diff.kind === 'failed' ? diff.error : drawn.kind === 'failed' ? drawn.error : null;
  if (failure !== null) {
    return (
      <div className={panes.strip}>
        <ErrorNotice
          bare
          title="What is shown is the comparison before"
          error={failure}
          action={<Button onClick={() => graphDiff.getState().retry()}>Try again</Button>}
        />
      </div>
    );
  }
  if (diff.kind !== 'loading') return null;
  return (
    <div className={panes.strip}>
      <ProgressBar label="Comparing both models" progress={diff.progress ?? null} onCancel={() => graphDiff.getState().cancel()} />
    </div>
  );
}
