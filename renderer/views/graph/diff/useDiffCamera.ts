import { useLayoutEffect, useRef } from 'react';
import type { GraphScene } from '../../../charts/graphScene';
import type { CameraControl } from '../../../components/graph/cameraControl';
import { useGoal } from '../../../components/graph/useGoal';
import type { DrawnDiff } from '../../../state/graphDiffStore';
import { useStore, useStores } from '../../../state/storesContext';

/** Below this zoom a drawing that is shown for the first time begins at its top instead of being shown whole. */
const LEAST_READABLE = 0.6;

/** Points the camera of both sides: at all of another union, at a change that is gone to; what was opened by hand keeps its place. */
export function useDiffCamera(camera: CameraControl, drawn: DrawnDiff, scene: GraphScene): void {
  const { graphDiff } = useStores();
  const goal = useStore(graphDiff, (state) => state.goal);
  const isReady = useStore(graphDiff, (state) => state.drawn.kind === 'ready');
  const before = useRef<{ readonly drawn: DrawnDiff; readonly scene: GraphScene } | null>(null);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = { drawn, scene };
    if (last?.drawn === drawn) return;
    if (last === null || drawn.isNew) camera.whenSized(() => camera.fitStart(LEAST_READABLE, scene.start()));
    else if (drawn.anchor !== null) {
      const [from, to] = [last.scene.boxOf(drawn.anchor), scene.boxOf(drawn.anchor)];
      if (from < 0 || to < 0) return;
      const [a, b] = [last.scene.rectOf(from), scene.rectOf(to)];
      const { x, y, zoom } = camera.camera;
      camera.set({ x: x + b.x + b.width / 2 - a.x - a.width / 2, y: y + b.y - a.y, zoom });
    }
  }, [camera, drawn, scene]);

  useGoal(camera, scene, { goal, isReady });
}
