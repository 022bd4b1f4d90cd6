import { type PointerEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { centreOn } from '../../charts/graphCamera';
import type { GraphScene } from '../../charts/graphScene';
import { usePixelRatio } from '../useCanvasLook';
import type { CameraControl } from './cameraControl';
import type { GraphColours } from './graphColours';
import type { GraphLooks } from './graphLooks';
import { canvasPen } from './graphPen';
import styles from './MiniMap.module.css';
import { paintGraph } from './paintGraph';

interface MiniMapProps {
  readonly scene: GraphScene;
  readonly looks: GraphLooks;
  readonly colours: GraphColours;
  readonly camera: CameraControl;
}

const MOST = { width: 180, height: 150 };
const NO_EDGES = new Uint32Array(0);
const NO_MARKS = { selected: -1, inputs: NO_EDGES, outputs: NO_EDGES, hits: new Set<number>(), hovered: -1 };

/** All of the graph, small, with the part that is in view. Pressing or dragging looks there; the keyboard has its own ways of moving. */
export function MiniMap({ scene, looks, colours, camera }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const part = useRef<HTMLDivElement>(null);
  const ratio = usePixelRatio();
  const { width, height } = scene.layout;
  const scale = Math.min(MOST.width / Math.max(1, width), MOST.height / Math.max(1, height));
  const size = { width: Math.max(24, width * scale), height: Math.max(24, height * scale) };

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null) return;
    element.width = Math.round(size.width * ratio);
    element.height = Math.round(size.height * ratio);
    context.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
    const whole = { left: 0, top: 0, right: width, bottom: height };
    const boxes = Uint32Array.from(scene.layout.boxes.x, (_, box) => box);
    // Text would be a smear: the zoom says that there is none.
    const zoom = Math.min(scale, 0.2);
    paintGraph(canvasPen(context), { view: scene.view, layout: scene.layout, boxes, edges: NO_EDGES, part: whole, zoom, looks, colours, marks: NO_MARKS });
  }, [scene, looks, colours, ratio, scale, width, height, size.width, size.height]);

  useEffect(() => {
    const place = () => {
      const element = part.current;
      if (element === null) return;
      const { x, y, zoom } = camera.camera;
      const [left, top] = [Math.max(0, x * scale), Math.max(0, y * scale)];
      const right = Math.min(size.width, (x + camera.view.width / zoom) * scale);
      const bottom = Math.min(size.height, (y + camera.view.height / zoom) * scale);
      // Where all of it is in view, a map says nothing.
      const isWhole = x <= 0 && y <= 0 && right >= size.width - 1 && bottom >= size.height - 1;
      if (element.parentElement !== null) element.parentElement.style.visibility = isWhole ? 'hidden' : 'visible';
      element.style.transform = `translate(${left}px, ${top}px)`;
      element.style.width = `${Math.max(4, right - left)}px`;
      element.style.height = `${Math.max(4, bottom - top)}px`;
    };
    place();
    return camera.subscribe(place);
  }, [camera, scale, size.width, size.height]);

  const look = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale, width: 0, height: 0 };
    camera.set(centreOn(at, camera.view, camera.camera.zoom));
  };
  return (
    <div
      className={styles.map}
      style={{ width: size.width, height: size.height }}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons !== 0) look(event);
      }}
    >
      <canvas ref={canvas} className={styles.canvas} style={size} />
      <div ref={part} className={styles.part} />
    </div>
  );
}
