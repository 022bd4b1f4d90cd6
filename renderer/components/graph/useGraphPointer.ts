import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Point } from '../../charts/graphCamera';
import { detailAt } from '../../charts/graphDetail';
import { STUB_BOX } from '../../charts/graphScene';
import type { GraphCanvasProps } from './graphCanvasProps';

/** What the pointer is on: a box, else an edge; -1 for none. */
export interface GraphHover {
  readonly box: number;
  readonly edge: number;
  /** The pointer, in pixels of the canvas. */
  readonly at: Point;
}

interface GraphPointer {
  readonly hover: GraphHover | null;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onDoubleClick: (event: MouseEvent) => void;
  };
}

/** A press that moves further than this is no press. */
const SLOP = 4;
const EDGE_REACH = 5;
/** Zoom by one notch of a wheel (100) and by a pinch, which the browser reports as a wheel with Control. */
const WHEEL_ZOOM = 1.0022;
const PINCH_ZOOM = 1.01;

/** Drag and wheel move the picture, Control with the wheel and two fingers zoom at their place, a press selects, a double press opens. */
export function useGraphPointer(host: RefObject<HTMLElement | null>, props: GraphCanvasProps): GraphPointer {
  const { camera, scene } = props;
  const [hover, setHover] = useState<GraphHover | null>(null);
  const pressed = useRef(new Map<number, Point>());
  const drag = useRef<{ readonly start: Point; isMoved: boolean } | null>(null);
  useWheel(host, { ...props, onMove: () => setHover(null) });

  const placeOf = (event: { readonly clientX: number; readonly clientY: number }): Point => {
    const box = host.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const boxAt = (at: Point) => scene.boxAt(camera.toDrawing(at), Math.max(5, 4 / camera.camera.zoom));

  const handlePress = (box: number) => {
    const item = box < 0 ? null : scene.itemOf(box);
    if (item?.kind === 'value' && scene.layout.boxes.kind[box] === STUB_BOX) props.onFollow(item.ref, scene.edgesOf(box, 'in').length === 0);
    else props.onSelect(item);
  };
  const handleMove = (event: PointerEvent) => {
    const at = placeOf(event);
    const before = pressed.current.get(event.pointerId);
    if (before === undefined) {
      const box = boxAt(at);
      const canRead = detailAt(camera.camera.zoom) !== 'blocks';
      const edge = box >= 0 || !canRead ? -1 : scene.edgeAt(camera.toDrawing(at), EDGE_REACH / camera.camera.zoom);
      setHover((last) => (box < 0 && edge < 0 ? null : last?.box === box && last.edge === edge ? last : { box, edge, at }));
      return;
    }
    const other = [...pressed.current].find(([id]) => id !== event.pointerId)?.[1];
    pressed.current.set(event.pointerId, at);
    if (other !== undefined) {
      const [last, next] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(at.x - other.x, at.y - other.y)];
      if (last > 0) camera.zoomBy(next / last, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
      return;
    }
    const current = drag.current;
    if (current === null) return;
    if (!current.isMoved && Math.hypot(at.x - current.start.x, at.y - current.start.y) < SLOP) {
      pressed.current.set(event.pointerId, before);
      return;
    }
    current.isMoved = true;
    camera.pan({ x: before.x - at.x, y: before.y - at.y });
  };
  const handleUp = (event: PointerEvent, isPress: boolean) => {
    pressed.current.delete(event.pointerId);
    const current = drag.current;
    if (pressed.current.size === 0) drag.current = null;
    if (isPress && current !== null && !current.isMoved) handlePress(boxAt(placeOf(event)));
  };
  return {
    hover,
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0 && event.button !== 1) return;
        setHover(null);
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = placeOf(event);
        pressed.current.set(event.pointerId, at);
        // Two fingers are never a press.
        drag.current = { start: at, isMoved: pressed.current.size > 1 };
      },
      onPointerMove: handleMove,
      onPointerUp: (event) => handleUp(event, event.button === 0),
      onPointerCancel: (event) => handleUp(event, false),
      onPointerLeave: () => setHover(null),
      onDoubleClick(event) {
        const box = boxAt(placeOf(event));
        const item = box < 0 ? null : scene.itemOf(box);
        if (item === null) return;
        if (item.kind === 'group') {
          camera.pressed = placeOf(event);
          props.onToggle(item.ref);
        } else if (scene.layout.boxes.kind[box] !== STUB_BOX) props.onOpen(item);
      },
    },
  };
}

/** Not passive: the page behind must not scroll or zoom. */
function useWheel(host: RefObject<HTMLElement | null>, { camera, onMove }: Pick<GraphCanvasProps, 'camera'> & { readonly onMove: () => void }): void {
  const moved = useRef(onMove);
  moved.current = onMove;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      moved.current();
      // Lines and pages, as some mice count.
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      if (event.ctrlKey || event.metaKey) {
        const box = element.getBoundingClientRect();
        const base = Math.abs(dy) < 40 ? PINCH_ZOOM : WHEEL_ZOOM;
        camera.zoomBy(base ** -dy, { x: event.clientX - box.left, y: event.clientY - box.top });
      } else if (event.shiftKey && dx === 0) camera.pan({ x: dy, y: 0 });
      else camera.pan({ x: dx, y: dy });
    };
    element.addEventListener('wheel', handleWheel, { passive: false });
    return () => element.removeEventListener('wheel', handleWheel);
  }, [host, camera]);
}
