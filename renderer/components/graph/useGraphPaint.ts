import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { GraphLayout } from '../../../shared/model/graph';
import { type Camera, easeOut, shownEdges } from '../../charts/graphCamera';
import { hidesEdges } from '../../charts/graphDetail';
import type { GraphItem, GraphScene } from '../../charts/graphScene';
import { usePixelRatio } from '../useCanvasLook';
import { useElementSize } from '../useElementSize';
import type { CameraControl } from './cameraControl';
import type { GraphColours } from './graphColours';
import type { GraphLooks } from './graphLooks';
import { canvasPen } from './graphPen';
import { type GraphMarks, paintGraph } from './paintGraph';

interface GraphPaint {
  readonly scene: GraphScene;
  readonly looks: GraphLooks;
  readonly colours: GraphColours;
  readonly camera: CameraControl;
  readonly selection: GraphItem | null;
  readonly hits: ReadonlySet<number>;
  readonly hovered: number;
  readonly layoutKey: string;
}

interface Elements {
  readonly host: RefObject<HTMLElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

const MOVE_MS = 140;
/** More boxes are not moved but replaced: each frame would cost too much. */
const MOST_MOVED = 4000;
const NO_EDGES = new Uint32Array(0);

interface Move {
  readonly scene: GraphScene;
  readonly camera: Camera;
  readonly started: number;
}

/** Edges and boxes that are marked. */
export function marksOf({ scene, selection, hits, hovered }: Pick<GraphPaint, 'scene' | 'selection' | 'hits' | 'hovered'>): GraphMarks {
  const selected = selection === null ? -1 : scene.boxOf(selection);
  return {
    selected,
    inputs: selected < 0 ? NO_EDGES : scene.tracedEdges(selected, 'in'),
    outputs: selected < 0 ? NO_EDGES : scene.tracedEdges(selected, 'out'),
    hits,
    hovered,
  };
}

/** Keeps the canvas painted: once in a frame, however much changed; after a group is opened or closed, the boxes move to their new places. */
export function useGraphPaint({ host, canvas }: Elements, paint: GraphPaint): void {
  const size = useElementSize(host);
  const ratio = usePixelRatio();
  const { scene, selection, hits, hovered, camera, layoutKey } = paint;
  const marks = useMemo(() => marksOf({ scene, selection, hits, hovered }), [scene, selection, hits, hovered]);
  const now = useRef({ paint, marks, ratio });
  const frame = useRef(0);
  const painted = useRef<{ readonly scene: GraphScene; readonly camera: Camera; readonly key: string } | null>(null);
  const move = useRef<Move | null>(null);

  const draw = () => {
    frame.current = 0;
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null || element.width === 0) return;
    const current = now.current;
    const share = move.current === null ? 1 : Math.min(1, (performance.now() - move.current.started) / MOVE_MS);
    if (share >= 1) move.current = null;
    drawFrame(context, { ...current, move: move.current, share: easeOut(share) });
    painted.current = { scene: current.paint.scene, camera: current.paint.camera.camera, key: current.paint.layoutKey };
    if (move.current !== null) schedule();
  };
  const schedule = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(draw);
  };

  useLayoutEffect(() => {
    const before = painted.current;
    if (before !== null && before.scene !== scene && before.key === layoutKey && mayMove(before.scene, scene)) {
      move.current = { scene: before.scene, camera: before.camera, started: performance.now() };
    } else if (before?.scene !== scene) move.current = null;
  }, [scene, layoutKey]);
  useLayoutEffect(() => {
    now.current = { paint, marks, ratio };
    schedule();
  });
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    camera.setSizes(size, scene.layout);
    const [width, height] = [Math.max(1, Math.round(size.width * ratio)), Math.max(1, Math.round(size.height * ratio))];
    if (element.width === width && element.height === height) return;
    element.width = width;
    element.height = height;
    element.style.width = `${width / ratio}px`;
    element.style.height = `${height / ratio}px`;
    // A canvas of another size is empty until it is painted.
    draw();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `schedule` only reads refs
  useEffect(() => camera.subscribe(schedule), [camera]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
}

function mayMove(from: GraphScene, to: GraphScene): boolean {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return false;
  return Math.max(from.layout.boxes.x.length, to.layout.boxes.x.length) <= MOST_MOVED;
}

interface Frame {
  readonly paint: GraphPaint;
  readonly marks: GraphMarks;
  readonly ratio: number;
  readonly move: Move | null;
  readonly share: number;
}

function drawFrame(context: CanvasRenderingContext2D, { paint, marks, ratio, move, share }: Frame): void {
  const { scene, looks, colours, camera: control } = paint;
  const { canvas } = context;
  const { camera } = control;
  const scale = camera.zoom * ratio;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
  const part = shownEdges(camera, { width: canvas.width / ratio, height: canvas.height / ratio });
  const moving = move !== null && move.camera.zoom === camera.zoom;
  const layout = moving ? blendLayout(move, scene, { camera, share }) : scene.layout;
  // A line may end outside of the part, and its arrow inside.
  const boxes = moving ? allBoxes(scene) : scene.boxesIn(part);
  const edges = moving || hidesEdges(camera.zoom, boxes.length) ? NO_EDGES : scene.edgesIn(part);
  paintGraph(canvasPen(context), {
    view: scene.view,
    layout,
    boxes,
    edges,
    part,
    zoom: camera.zoom,
    looks,
    colours,
    marks: moving ? { ...marks, inputs: NO_EDGES, outputs: NO_EDGES, hovered: -1 } : marks,
  });
}

function allBoxes({ layout }: GraphScene): Uint32Array {
  return Uint32Array.from(layout.boxes.x, (_, box) => box);
}

/** Boxes on the way from where they were on the screen to where they belong; new ones grow out of the group that held them. */
function blendLayout(move: Move, scene: GraphScene, { camera, share }: { readonly camera: Camera; readonly share: number }): GraphLayout {
  const { boxes } = scene.layout;
  const [dx, dy] = [camera.x - move.camera.x, camera.y - move.camera.y];
  const [x, y, width, height] = [boxes.x.slice(), boxes.y.slice(), boxes.width.slice(), boxes.height.slice()];
  const mix = (from: number, to: number) => from + (to - from) * share;
  for (let box = 0; box < x.length; box++) {
    const item = scene.itemOf(box);
    const before = item === null ? -1 : move.scene.boxOf(item);
    if (before < 0) continue;
    const from = move.scene.rectOf(before);
    x[box] = mix(from.x + dx, x[box] ?? 0);
    y[box] = mix(from.y + dy, y[box] ?? 0);
    width[box] = mix(from.width, width[box] ?? 0);
    height[box] = mix(from.height, height[box] ?? 0);
  }
  return { ...scene.layout, boxes: { ...boxes, x, y, width, height } };
}
