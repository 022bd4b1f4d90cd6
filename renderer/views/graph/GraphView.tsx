import { PackageOpen, Workflow } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { SkeletonRows } from '../../components/Skeleton';
import { type Pane, SplitPanes } from '../../components/SplitPanes';
import { formatName } from '../../components/words';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { CompareMenu } from './diff/CompareMenu';
import { GraphDiffView } from './diff/GraphDiffView';
import { GraphPanes } from './GraphPanes';
import styles from './GraphView.module.css';
import { ShownVersion } from './ShownVersion';

const NAMES_PANES = 'graph-names';

interface GraphViewProps {
  /** Statistics, histogram and heat map of a parameter group, at the selected version or (with its id) of the model of an opened graph. */
  readonly renderTensor: (group: string, graph: string | null) => ReactNode;
  /** In the line over the graph: what can be done with it. */
  readonly editBar?: ReactNode;
  /** A table of names under the graph; `null` while it is closed. */
  readonly names?: ReactNode;
  /** Asks for another name of an initializer; absent where names cannot be changed. */
  readonly onRename?: (initializer: number) => void;
}

/** The computation graph of the chosen ONNX model at the selected version, or those of two models. */
export function GraphView(props: GraphViewProps) {
  const { graphDiff } = useStores();
  const isDiff = useStore(graphDiff, (state) => state.isShown);
  if (!isDiff) return <OneGraph {...props} />;
  return (
    <section className={styles.view} aria-label="Graph">
      <GraphDiffView />
    </section>
  );
}

function OneGraph({ renderTensor, editBar, names = null, onRename }: GraphViewProps) {
  const { graph, settings } = useStores();
  const sizes = useStore(settings, (state) => state.panes[NAMES_PANES]);
  useEffect(() => {
    const watch = graph.getState().watch();
    return () => watch.dispose();
  }, [graph]);
  const hasDrawing = useStore(graph, (state) => latest(state.graph) !== undefined && latest(state.drawn) !== undefined);
  const panes = <GraphPanes renderTensor={renderTensor} {...(onRename === undefined ? {} : { onRename })} />;
  const split: readonly Pane[] = [
    { id: 'graph', label: 'Resize the names', minSize: '160px', content: <div className={styles.pane}>{panes}</div> },
    { id: 'names', label: '', defaultSize: '46%', minSize: '160px', content: names },
  ];
  return (
    <section className={styles.view} aria-label="Graph">
      {hasDrawing ? (
        <>
          <div className={styles.line}>
            <ShownVersion />
            {editBar}
            <CompareMenu />
          </div>
          {names === null ? (
            panes
          ) : (
            <SplitPanes
              id={NAMES_PANES}
              orientation="vertical"
              panes={split}
              sizes={sizes}
              onSizes={(next) => settings.getState().setPanes(NAMES_PANES, next)}
            />
          )}
        </>
      ) : (
        <WithoutGraph />
      )}
    </section>
  );
}

/** In the place of the graph: nothing chosen, no graph in this format, still reading, or failed. */
function WithoutGraph() {
  const { graph, workspace, commands } = useStores();
  const path = useStore(workspace, (state) => state.path);
  const commit = useStore(workspace, (state) => state.commit);
  const format = useStore(workspace, (state) => latest(state.repository)?.checkpoints.find((checkpoint) => checkpoint.path === path)?.format);
  const models = useStore(workspace, (state) => latest(state.repository)?.checkpoints.filter((checkpoint) => checkpoint.format === 'onnx').length ?? 0);
  const opened = useStore(graph, (state) => state.graph);
  const drawn = useStore(graph, (state) => state.drawn);
  const source = useStore(graph, (state) => state.source);
  if (path === null)
    return <EmptyState icon={<PackageOpen size={24} />} title="No checkpoint chosen" text="Choose an ONNX model in the sidebar to see its graph." />;
  if (format !== undefined && format !== 'onnx' && format !== 'unknown') return <NoGraph path={path} format={formatName(format)} models={models} />;
  if (commit === null && source === 'version') {
    return <EmptyState icon={<Workflow size={24} />} title="No version selected" text="Select a commit in the history to see the model as it was then." />;
  }
  const failure = opened.kind === 'failed' ? opened.error : drawn.kind === 'failed' ? drawn.error : null;
  if (failure !== null) {
    if (failure.code === 'unsupported-format') return <NoGraph path={path} format={format === undefined ? 'This file' : formatName(format)} models={models} />;
    return (
      <div className={styles.notice}>
        <ErrorNotice
          title={opened.kind === 'failed' ? 'The model could not be opened' : 'The graph could not be laid out'}
          error={failure}
          action={
            <>
              <Button onClick={() => graph.getState().retry()}>Try again</Button>
              <Button onClick={() => commands.getState().run('view.history')}>Choose another version</Button>
            </>
          }
        />
      </div>
    );
  }
  const isDrawing = latest(opened) !== undefined;
  const progress = isDrawing ? (drawn.kind === 'loading' ? drawn.progress : undefined) : opened.kind === 'loading' ? opened.progress : undefined;
  return (
    <div className={styles.waiting}>
      <ProgressBar
        label={isDrawing ? 'Laying out the graph' : 'Reading the model'}
        progress={progress ?? null}
        {...(isDrawing ? { onCancel: () => graph.getState().cancelLayout() } : {})}
      />
      <SkeletonRows count={12} label={isDrawing ? 'Laying out the graph' : 'Reading the model'} />
    </div>
  );
}

function NoGraph({ path, format, models }: { readonly path: string; readonly format: string; readonly models: number }) {
  return (
    <EmptyState
      icon={<Workflow size={24} />}
      title="Only ONNX models have a graph"
      text={
        <>
          <bdi className="mono">{path}</bdi> ({format}) holds parameter groups, and nothing about what is computed with them.{' '}
          {models > 0
            ? 'Choose an ONNX model in the sidebar.'
            : 'Export the model to ONNX, for example with torch.onnx.export, and track that file: its graph is then shown here at every version.'}
        </>
      }
    />
  );
}
