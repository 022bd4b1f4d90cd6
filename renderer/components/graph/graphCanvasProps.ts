import type { Ref } from 'react';
import type { GraphItem, GraphScene } from '../../charts/graphScene';
import type { CameraControl } from './cameraControl';
import type { GraphColours } from './graphColours';
import type { GraphLooks } from './graphLooks';

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
