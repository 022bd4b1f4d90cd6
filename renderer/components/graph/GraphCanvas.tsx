import { useId, useImperativeHandle, useRef } from 'react';
import { classNames } from '../classNames';
import styles from './GraphCanvas.module.css';
import { GraphCard } from './GraphCard';
import type { GraphCanvasProps } from './graphCanvasProps';
import { useGraphKeys } from './useGraphKeys';
import { useGraphPaint } from './useGraphPaint';
import { useGraphPointer } from './useGraphPointer';

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
