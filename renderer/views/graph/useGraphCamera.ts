import { useLayoutEffect, useRef } from 'react';
import type { GraphScene } from '../../charts/graphScene';
import type { CameraControl } from '../../components/graph/cameraControl';
import { useGoal } from '../../components/graph/useGoal';
import type { DrawnGraph } from '../../state/graphStore';
import { useStore, useStores } from '../../state/storesContext';

/** Below this zoom a graph that is shown for the first time begins at its top instead of being shown whole. */
const LEAST_READABLE = 0.7;

/** Points the camera: at all of a new graph, at what is gone to; what was opened by hand keeps its place, and so does everything in another version. */
export function useGraphCamera(camera: CameraControl, drawn: DrawnGraph, scene: GraphScene): void {
  const { graph } = useStores();
  const goal = useStore(graph, (state) => state.goal);
  const isReady = useStore(graph, (state) => state.drawn.kind === 'ready');
  const before = useRef<{ readonly drawn: DrawnGraph; readonly scene: GraphScene } | null>(null);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = { drawn, scene };
    if (last?.drawn === drawn) return;
    const isSameFile = last !== null && placeOf(last.drawn) === placeOf(drawn) && last.drawn.root === drawn.root;
    if (!isSameFile || drawn.isNew) camera.whenSized(() => camera.fitStart(LEAST_READABLE, scene.start()));
    else if (drawn.anchor !== null) holdAnchor(camera, { from: last.scene, to: scene, item: drawn.anchor });
  }, [camera, drawn, scene]);

  useGoal(camera, scene, { goal, isReady });
}

function placeOf({ side }: DrawnGraph): string {
  return side.kind === 'file' ? side.path : `${side.repository}\0${side.path}`;
}

/** What was under the pointer stays there; without a pointer the middle of the upper edge stays where it is on the screen. */
function holdAnchor(
  camera: CameraControl,
  {
    from,
    to,
    item,
  }: { readonly from: GraphScene; readonly to: GraphScene; readonly item: { readonly kind: 'node' | 'group' | 'value'; readonly ref: number } },
): void {
  const { pressed } = camera;
  camera.pressed = null;
  const [boxBefore, boxAfter] = [from.boxOf(item), to.boxOf(item)];
  if (boxBefore < 0 || boxAfter < 0) return;
  const [a, b] = [from.rectOf(boxBefore), to.rectOf(boxAfter)];
  const { x, y, zoom } = camera.camera;
  const point = pressed === null ? null : camera.toDrawing(pressed);
  const isInside = point !== null && point.x >= a.x && point.x <= a.x + a.width && point.y >= a.y && point.y <= a.y + a.height;
  const share = isInside ? (point.x - a.x) / Math.max(1, a.width) : 0.5;
  // A folded group is lower than an open one: the pointer must still be on it.
  const down = isInside ? point.y - a.y : 0;
  camera.set({ x: x + b.x + share * b.width - a.x - share * a.width, y: y + b.y + Math.min(down, b.height - 4) - a.y - down, zoom });
}
