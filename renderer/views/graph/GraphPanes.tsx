import { type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { initializersOf } from '../../charts/graphOverlay';
import { type GraphItem, GraphScene } from '../../charts/graphScene';
import { Button } from '../../components/Button';
import { copyText } from '../../components/copyText';
import { ErrorNotice } from '../../components/ErrorNotice';
import { type CameraControl, useCamera } from '../../components/graph/cameraControl';
import { itemSentence } from '../../components/graph/describeItem';
import { GraphCanvas } from '../../components/graph/GraphCanvas';
import type { GraphCanvasHandle } from '../../components/graph/graphCanvasProps';
import { type GraphColours, useGraphColours } from '../../components/graph/graphColours';
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
import { type ShownLooks, useGraphLooks } from './useGraphLooks';

interface GraphPanesProps {
  readonly renderTensor: (group: string, graph: string | null) => ReactNode;
  /** Asks for another name of an initializer; absent where names cannot be changed. */
  readonly onRename?: (initializer: number) => void;
}

/** The graph with its outline and the panel of what is chosen. */
export function GraphPanes(props: GraphPanesProps) {
  const { graph } = useStores();
  const view = useStore(graph, (state) => latest(state.graph)?.view);
  const drawn = useStore(graph, (state) => latest(state.drawn));
  return view === undefined || drawn === undefined ? null : <Panes {...props} view={view} drawn={drawn} />;
}

function Panes({ view, drawn, renderTensor, onRename }: GraphPanesProps & { readonly view: GraphView; readonly drawn: DrawnGraph }) {
  const { graph, settings } = useStores();
  const isSearching = useStore(graph, (state) => state.search.text !== '');
  const isOutlineHidden = useStore(settings, (state) => state.values[OUTLINE_HIDDEN] === true);
  const hasOutline = isSearching || !isOutlineHidden;
  const id = hasOutline ? 'graph' : 'graph-narrow';
  const sizes = useStore(settings, (state) => state.panes[id]);
  const canvas = useRef<GraphCanvasHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const camera = useCamera();
  const colours = useGraphColours();
  const scene = useMemo(() => new GraphScene(drawn.view, drawn.layout), [drawn]);
  const shown = useGraphLooks(drawn.view, colours);
  useGraphCamera(camera, drawn, scene);
  useGraphCommands({ search, camera, canvas });
  const focusCanvas = () => canvas.current?.focus();
  const focusPanel = () => panel.current?.querySelector<HTMLElement>('[data-region-start]')?.focus();
  const rename = onRename === undefined ? {} : { onRename };
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
        isCurrent={drawn.view === view}
        scene={scene}
        shown={shown}
        camera={camera}
        colours={colours}
        onOpen={focusPanel}
        {...rename}
      />
    ),
  };
  // A version is read by its commit, so that what other views have read of it is there at once.
  const readTensor = (group: string) => renderTensor(group, drawn.side.kind === 'version' ? null : drawn.graph);
  const details: Pane = {
    id: 'details',
    label: '',
    defaultSize: '300px',
    minSize: '220px',
    maxSize: '720px',
    fixed: true,
    content: (
      <div ref={panel} className={styles.pane}>
        <GraphPanel view={view} renderTensor={readTensor} {...rename} />
      </div>
    ),
  };
  return (
    <>
      <GraphBar
        searchRef={search}
        camera={camera}
        view={view}
        onLeaveSearch={() => (isSearching ? results.current?.focus() : focusCanvas())}
        exportMenu={<ExportGraph scene={scene} shown={shown} colours={colours} />}
      />
      <div className={styles.panes}>
        <SplitPanes
          id={id}
          panes={hasOutline ? [outline, stage, details] : [stage, details]}
          sizes={sizes}
          onSizes={(next) => settings.getState().setPanes(id, next)}
        />
      </div>
      <Failures />
      <GraphStatus view={drawn.view} shown={shown} />
    </>
  );
}

interface StageProps {
  readonly drawn: DrawnGraph;
  /** What is drawn is what is open; else another version is being laid out, and what is chosen there has other numbers here. */
  readonly isCurrent: boolean;
  readonly scene: GraphScene;
  readonly shown: ShownLooks;
  readonly camera: CameraControl;
  readonly colours: GraphColours;
  readonly onOpen: () => void;
  readonly onRename?: (initializer: number) => void;
  readonly ref: Ref<GraphCanvasHandle>;
}

/** The drawing with its map. */
function Stage({ drawn, isCurrent, scene, shown, camera, colours, onOpen, onRename, ref }: StageProps) {
  const { graph, workspace } = useStores();
  const path = useStore(workspace, (state) => state.path);
  const chosen = useStore(graph, (state) => state.selection);
  const found = useStore(graph, (state) => latest(state.search.found));
  const { view } = drawn;
  const selection = isCurrent ? chosen : null;
  const hits = useMemo(
    () => new Set(isCurrent ? (found?.nodes ?? []).map(({ node }) => scene.boxOf({ kind: 'node', ref: node })).filter((box) => box >= 0) : []),
    [scene, found, isCurrent],
  );
  const follow = useFollow(view);
  const text = itemSentence(view, selection, selection === null ? null : shown.looks.noteOf(selection));
  const rename = (item: GraphItem) => {
    const [initializer] = item.kind === 'node' ? initializersOf(view, item.ref) : item.kind === 'value' ? [view.values.initializer[item.ref]] : [];
    if (isCurrent && initializer !== undefined && view.initializers[initializer] !== undefined) onRename?.(initializer);
  };
  return (
    <div className={styles.stage} data-region>
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
        onCopy={(item) => void copyText(nameOf(view, item))}
        {...(onRename === undefined ? {} : { onRename: rename })}
      />
      <MiniMap scene={scene} looks={shown.looks} colours={colours} camera={camera} />
      <LayoutProgress />
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
