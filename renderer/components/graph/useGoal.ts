import { useLayoutEffect, useRef } from 'react';
import type { GraphItem, GraphScene } from '../../charts/graphScene';
import type { CameraControl } from './cameraControl';

/** Where somebody wants to go; `turn` grows with each wish. */
interface Goal {
  readonly item: GraphItem;
  readonly turn: number;
}

/** Brings what is gone to into the middle, once for each wish, as soon as it is drawn. */
export function useGoal(camera: CameraControl, scene: GraphScene, { goal, isReady }: { readonly goal: Goal | null; readonly isReady: boolean }): void {
  const reached = useRef(goal?.turn ?? 0);
  useLayoutEffect(() => {
    if (goal === null || goal.turn <= reached.current || !isReady) return;
    reached.current = goal.turn;
    const box = scene.boxOf(goal.item);
    if (box >= 0) camera.whenSized(() => camera.centre(scene.rectOf(box)));
  }, [camera, goal, isReady, scene]);
}
