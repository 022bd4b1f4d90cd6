import { type Ref, useId, useImperativeHandle, useRef } from 'react';
import type { GraphItem, GraphScene } from '../../charts/graphScene';
import { classNames } from '../classNames';
import type { CameraControl } from './cameraControl';
import styles from './GraphCanvas.module.css';
import { GraphCard } from './GraphCard';
import type { GraphColours } from './graphColours';
import type { GraphLooks } from './graphLooks';
import { useGraphKeys } from './useGraphKeys';
import { useGraphPaint } from './useGraphPaint';
import { useGraphPointer } from './useGraphPointer';

export interface GraphCanvasHandle {
  focus(): void;
}

export interface GraphCanvasProps {
  /** What it is a graph of, for assistive technology. */
  readonly label: string;
  readonly scene: GraphScene;
  readonly looks: GraphLooks;
  readonly colours: GraphColours;
  /** Where it is looked at from; two canvases with one camera move in step. */
  readonly camera: CameraControl;
  readonly selection: GraphItem | null;
  /** The selection in words, read out when it changes. */
  readonly selectionText: string;
  /** Boxes that a search found. */
  readonly hits: ReadonlySet<number>;
  /** Layouts with the same key are states of one graph: boxes move from one to the next. */
  readonly layoutKey: string;
  readonly onSelect: (item: GraphItem | null) => void;
  /** Opens or closes a group. */
  readonly onToggle: (group: number) => void;
  /** Enter or a double click on what is no group: on to its details. */
  readonly onOpen: (item: GraphItem) => void;
  /** A press on the end of an edge that is not drawn. @param isSource the value comes from elsewhere */
  readonly onFollow: (value: number, isSource: boolean) => void;
  /** F2. */
  readonly onRename?: (item: GraphItem) => void;
  readonly onCopy: (item: GraphItem) => void;
  readonly ref?: Ref<GraphCanvasHandle>;
}

const KEYS =
  'Down and Up follow the edges, Left and Right go to neighbours, Enter opens a group or the details, Escape closes the group around. Shift with the arrows moves the picture, plus and minus zoom, F fits it in. The outline beside it lists the same as a tree.';

/** A graph on a canvas: only what is in view is drawn, by the pointer, the touchpad and the keyboard it moves, zooms and is walked through. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { label, scene, camera, selectionText, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const help = useId();
  const { hover, handlers } = useGraphPointer(host, props);
  useGraphPaint({ host, canvas }, { ...props, hovered: hover?.edge ?? -1 });
  const handleKey = useGraphKeys(props);
  useImperativeHandle(ref, () => ({ focus: () => host.current?.focus() }));
  return (
    <div
      ref={host}
      role="application"
      aria-label={label}
      aria-describedby={help}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keyboard
      tabIndex={0}
      data-region-start
      className={classNames(styles.host, hover !== null && hover.box >= 0 && styles.isOver)}
      onKeyDown={handleKey}
      {...handlers}
    >
      <canvas ref={canvas} className={styles.canvas} />
      <span id={help} className="visually-hidden">
        {KEYS}
      </span>
      <span role="status" className="visually-hidden">
        {selectionText}
      </span>
      {hover === null ? null : <GraphCard scene={scene} looks={props.looks} hover={hover} view={camera.view} />}
    </div>
  );
}
