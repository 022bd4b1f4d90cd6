import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { type GraphItem, GraphScene } from '../../charts/graphScene';
import { Button } from '../../components/Button';
import { copyText } from '../../components/copyText';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useCamera } from '../../components/graph/cameraControl';
import { itemSentence } from '../../components/graph/describeItem';
import { GraphCanvas, type GraphCanvasHandle } from '../../components/graph/GraphCanvas';
import { useGraphColours } from '../../components/graph/graphColours';
import { MiniMap } from '../../components/graph/MiniMap';
import { ProgressBar } from '../../components/ProgressBar';
import { type Pane, SplitPanes } from '../../components/SplitPanes';
import type { DrawnGraph } from '../../state/graphStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { ExportGraph } from './ExportGraph';
import { GraphBar, OUTLINE_HIDDEN } from './GraphBar';
import { GraphOutline } from './GraphOutline';
import { GraphPanel } from './GraphPanel';
import styles from './GraphPanes.module.css';
import { GraphStatus } from './GraphStatus';
import { SearchResults } from './SearchResults';
import { useFollow } from './useFollow';
import { useGraphCamera } from './useGraphCamera';
import { useGraphCommands } from './useGraphCommands';
import { useGraphLooks } from './useGraphLooks';

interface GraphPanesProps {
  readonly renderTensor: (group: string) => ReactNode;
  /** Asks for another name of an initializer; absent where names cannot be changed. */
  readonly onRename?: (initializer: number) => void;
}

/** The graph with its outline and the panel of what is chosen. */
export function GraphPanes({ renderTensor, onRename }: GraphPanesProps) {
  const { graph, settings } = useStores();
  const view = useStore(graph, (state) => latest(state.graph)?.view);
  const drawn = useStore(graph, (state) => latest(state.drawn));
  const isSearching = useStore(graph, (state) => state.search.text !== '');
  const isOutlineHidden = useStore(settings, (state) => state.values[OUTLINE_HIDDEN] === true);
  const sizes = useStore(settings, (state) => state.panes.graph);
  const canvas = useRef<GraphCanvasHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const camera = useCamera();
  const colours = useGraphColours();
  if (view === undefined || drawn === undefined) return null;
  const focusCanvas = () => canvas.current?.focus();
  const outline: Pane = {
    id: 'outline',
    label: 'Resize the outline',
    defaultSize: '230px',
    minSize: '140px',
    maxSize: '560px',
    fixed: true,
    content: isSearching ? <SearchResults ref={results} view={view} onLeave={focusCanvas} /> : <GraphOutline view={view} onLeave={focusCanvas} />,
  };
  const stage: Pane = {
    id: 'stage',
    label: 'Resize the details',
    minSize: '240px',
    content: (
      <Stage
        ref={canvas}
        drawn={drawn}
        view={view}
        camera={camera}
        colours={colours}
        search={search}
        onOpen={() => panel.current?.querySelector<HTMLElement>('[data-region-start]')?.focus()}
        onLeaveSearch={() => (isSearching ? results.current?.focus() : focusCanvas())}
        {...(onRename === undefined ? {} : { onRename })}
      />
    ),
  };
  const details: Pane = {
    id: 'details',
    label: '',
    defaultSize: '300px',
    minSize: '220px',
    maxSize: '720px',
    fixed: true,
    content: (
      <div ref={panel} className={styles.pane}>
        <GraphPanel view={view} renderTensor={renderTensor} {...(onRename === undefined ? {} : { onRename })} />
      </div>
    ),
  };
  const panes = isOutlineHidden && !isSearching ? [stage, details] : [outline, stage, details];
  return (
    <div className={styles.panes}>
      <SplitPanes id="graph" panes={panes} sizes={sizes} onSizes={(next) => settings.getState().setPanes('graph', next)} />
    </div>
  );
}

interface StageProps {
  readonly drawn: DrawnGraph;
  readonly view: GraphView;
  readonly camera: ReturnType<typeof useCamera>;
  readonly colours: ReturnType<typeof useGraphColours>;
  readonly search: React.RefObject<HTMLInputElement | null>;
  readonly onOpen: () => void;
  readonly onLeaveSearch: () => void;
  readonly onRename?: (initializer: number) => void;
  readonly ref: React.RefObject<GraphCanvasHandle | null>;
}

/** The drawing with its bar, its map and its legend. */
function Stage({ drawn, view, camera, colours, search, onOpen, onLeaveSearch, onRename, ref }: StageProps) {
  const { graph, workspace } = useStores();
  const path = useStore(workspace, (state) => state.path);
  const chosen = useStore(graph, (state) => state.selection);
  const found = useStore(graph, (state) => latest(state.search.found));
  const scene = useMemo(() => new GraphScene(drawn.view, drawn.layout), [drawn]);
  const shown = useGraphLooks(drawn.view, colours);
  useGraphCamera(camera, drawn, scene);
  useGraphCommands({ search, camera, canvas: ref });
  // While another version is laid out, what is chosen there has other numbers here.
  const isCurrent = drawn.view === view;
  const selection = isCurrent ? chosen : null;
  const hits = useMemo(
    () => new Set(isCurrent ? (found?.nodes ?? []).map(({ node }) => scene.boxOf({ kind: 'node', ref: node })).filter((box) => box >= 0) : []),
    [scene, found, isCurrent],
  );
  const follow = useFollow(drawn.view);
  const text = itemSentence(drawn.view, selection, selection === null ? null : shown.looks.noteOf(selection));
  const rename = (item: GraphItem) => {
    const initializer = item.kind === 'value' ? view.values.initializer[item.ref] : undefined;
    if (initializer !== undefined && view.initializers[initializer] !== undefined) onRename?.(initializer);
  };
  return (
    <div className={styles.stage} data-region>
      <GraphBar
        searchRef={search}
        camera={camera}
        view={view}
        onLeaveSearch={onLeaveSearch}
        exportMenu={<ExportGraph scene={scene} shown={shown} colours={colours} />}
      />
      <div className={styles.drawing}>
        <GraphCanvas
          ref={ref}
          label={`Graph of ${path ?? 'the model'}`}
          scene={scene}
          looks={shown.looks}
          colours={colours}
          camera={camera}
          selection={selection}
          selectionText={text}
          hits={hits}
          layoutKey={drawn.graph}
          onSelect={(item) => isCurrent && graph.getState().select(item)}
          onToggle={(group) => {
            if (!isCurrent) return;
            graph.getState().select({ kind: 'group', ref: group });
            graph.getState().toggle(group);
          }}
          onOpen={(item) => {
            if (isCurrent) graph.getState().select(item);
            onOpen();
          }}
          onFollow={(value, isSource) => isCurrent && follow(value, isSource)}
          onCopy={(item) => void copyText(nameOf(drawn.view, item))}
          {...(onRename === undefined ? {} : { onRename: rename })}
        />
        <MiniMap scene={scene} looks={shown.looks} colours={colours} camera={camera} />
        <LayoutProgress />
      </div>
      <Failures />
      <GraphStatus view={drawn.view} shown={shown} />
    </div>
  );
}

function nameOf(view: GraphView, { kind, ref }: GraphItem): string {
  if (kind === 'node') return view.nodes.names[ref] ?? '';
  return kind === 'group' ? (view.groups[ref]?.path ?? '') : (view.values.names[ref] ?? '');
}

const PATIENCE_MS = 300;

/** How far a layout is, once it takes longer than a moment. */
function LayoutProgress() {
  const { graph } = useStores();
  const drawn = useStore(graph, (state) => state.drawn);
  const opened = useStore(graph, (state) => state.graph);
  const isLoading = drawn.kind === 'loading' || opened.kind === 'loading';
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    setIsLong(false);
    if (!isLoading) return;
    const timer = setTimeout(() => setIsLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLoading]);
  if (!isLong || !isLoading) return null;
  return (
    <div className={styles.progress}>
      {opened.kind === 'loading' ? (
        <ProgressBar label="Reading the model" progress={opened.progress ?? null} />
      ) : (
        <ProgressBar
          label="Laying out"
          progress={drawn.kind === 'loading' ? (drawn.progress ?? null) : null}
          onCancel={() => graph.getState().cancelLayout()}
        />
      )}
    </div>
  );
}

/** What went wrong while an earlier picture can still be looked at. */
function Failures() {
  const { graph, graphOverlay } = useStores();
  const opened = useStore(graph, (state) => state.graph);
  const drawn = useStore(graph, (state) => state.drawn);
  const overlayError = useStore(graphOverlay, (state) => state.error);
  const retry = <Button onClick={() => graph.getState().retry()}>Try again</Button>;
  const failure =
    opened.kind === 'failed' ? (
      <ErrorNotice bare title="This version could not be opened; what is shown is the one before" error={opened.error} action={retry} />
    ) : drawn.kind === 'failed' ? (
      <ErrorNotice bare title="The graph could not be laid out anew" error={drawn.error} action={retry} />
    ) : overlayError !== null ? (
      <ErrorNotice
        bare
        title="The numbers for the colours could not be had"
        error={overlayError}
        action={<Button onClick={() => graphOverlay.getState().retry()}>Try again</Button>}
      />
    ) : null;
  return failure === null ? null : <div className={styles.strip}>{failure}</div>;
}
