import { type Ref, useMemo } from 'react';
import type { GraphView } from '../../../../shared/model/graph';
import { NO_VALUE } from '../../../../shared/model/graph';
import { type DiffSideName, sideLayout } from '../../../charts/graphDiff';
import { type GraphItem, GraphScene, ValueReaders } from '../../../charts/graphScene';
import { copyText } from '../../../components/copyText';
import type { CameraControl } from '../../../components/graph/cameraControl';
import { itemSentence } from '../../../components/graph/describeItem';
import { GraphCanvas } from '../../../components/graph/GraphCanvas';
import type { GraphCanvasHandle } from '../../../components/graph/graphCanvasProps';
import type { GraphColours } from '../../../components/graph/graphColours';
import type { GraphLooks } from '../../../components/graph/graphLooks';
import { MiniMap } from '../../../components/graph/MiniMap';
import { MiddleEllipsis } from '../../../components/MiddleEllipsis';
import type { DrawnDiff } from '../../../state/graphDiffStore';
import { useStore, useStores } from '../../../state/storesContext';
import styles from './DiffStage.module.css';
import type { DiffLooks } from './useDiffLooks';

interface DiffStageProps {
  readonly drawn: DrawnDiff;
  /** What is drawn is what is open; else other sides are being compared. */
  readonly isCurrent: boolean;
  readonly isOverlaid: boolean;
  /** Of the whole union. */
  readonly scene: GraphScene;
  readonly looks: DiffLooks;
  readonly colours: GraphColours;
  readonly camera: CameraControl;
  /** What the sides are, in words. */
  readonly names: Readonly<Record<DiffSideName, string>>;
  readonly onOpen: () => void;
  readonly ref: Ref<GraphCanvasHandle>;
}

/** Both graphs on one layout and with one camera: side by side, or one over the other. */
export function DiffStage(props: DiffStageProps) {
  const { drawn, isOverlaid, scene, looks, names, ref } = props;
  const { layout, diff } = drawn;
  const scenes = useMemo(
    () => ({
      a: new GraphScene(diff.view, sideLayout(layout, diff.index, 'a')),
      b: new GraphScene(diff.view, sideLayout(layout, diff.index, 'b')),
    }),
    [diff, layout],
  );
  if (isOverlaid) {
    return (
      <div className={styles.stage} data-region>
        <SideCanvas
          {...props}
          ref={ref}
          label={`Graphs of A and B, ${names.a} and ${names.b}`}
          letter="A and B"
          name=""
          own={scene}
          looksOf={looks.both}
          isSpoken
          hasMap
        />
      </div>
    );
  }
  return (
    <div className={styles.pair} data-region>
      <SideCanvas
        {...props}
        ref={ref}
        label={`Graph of A, ${names.a}`}
        letter="A"
        name={names.a}
        own={scenes.a}
        looksOf={looks.a}
        isSpoken={false}
        hasMap={false}
      />
      <SideCanvas {...props} ref={null} label={`Graph of B, ${names.b}`} letter="B" name={names.b} own={scenes.b} looksOf={looks.b} isSpoken hasMap />
    </div>
  );
}

interface SideCanvasProps extends Omit<DiffStageProps, 'ref'> {
  readonly label: string;
  readonly letter: string;
  readonly name: string;
  readonly own: GraphScene;
  readonly looksOf: GraphLooks;
  /** Of two canvases one reads out what is chosen. */
  readonly isSpoken: boolean;
  readonly hasMap: boolean;
  readonly ref: Ref<GraphCanvasHandle>;
}

const NO_HITS: ReadonlySet<number> = new Set();

function SideCanvas({ drawn, isCurrent, own, looksOf, colours, camera, label, letter, name, isSpoken, hasMap, onOpen, ref }: SideCanvasProps) {
  const { graphDiff } = useStores();
  const chosen = useStore(graphDiff, (state) => state.selection);
  const selection = isCurrent ? chosen : null;
  const { view } = drawn.diff;
  const readers = useMemo(() => new ValueReaders(view), [view]);
  const follow = (value: number, isSource: boolean) => {
    const producer = view.values.producer[value] ?? NO_VALUE;
    const [reader] = readers.of(value);
    const item: GraphItem =
      isSource && producer !== NO_VALUE
        ? { kind: 'node', ref: producer }
        : isSource || reader === undefined
          ? { kind: 'value', ref: value }
          : { kind: 'node', ref: reader };
    graphDiff.getState().goTo(item);
  };
  return (
    <div className={styles.side}>
      <p className={styles.head} aria-hidden="true">
        <span className={styles.letter}>{letter}</span>
        <MiddleEllipsis text={name} className={styles.name ?? ''} />
      </p>
      <div className={styles.canvas}>
        <GraphCanvas
          ref={ref}
          label={label}
          scene={own}
          looks={looksOf}
          colours={colours}
          camera={camera}
          selection={selection}
          selectionText={isSpoken && selection !== null ? itemSentence(view, selection, looksOf.noteOf(selection)) : ''}
          hits={NO_HITS}
          layoutKey={drawn.diff.graph}
          onSelect={(item) => isCurrent && graphDiff.getState().select(item)}
          onToggle={(group) => {
            if (!isCurrent) return;
            graphDiff.getState().select({ kind: 'group', ref: group });
            graphDiff.getState().toggle(group);
          }}
          onOpen={(item) => {
            if (isCurrent) graphDiff.getState().select(item);
            onOpen();
          }}
          onFollow={(value, isSource) => isCurrent && follow(value, isSource)}
          onCopy={(item) => void copyText(nameOf(view, item))}
        />
        {hasMap ? <MiniMap scene={own} looks={looksOf} colours={colours} camera={camera} /> : null}
      </div>
    </div>
  );
}

function nameOf(view: GraphView, { kind, ref }: GraphItem): string {
  if (kind === 'node') return view.nodes.names[ref] ?? '';
  return kind === 'group' ? (view.groups[ref]?.path ?? '') : (view.values.names[ref] ?? '');
}
