import { type KeyboardEvent, useMemo } from 'react';
import { FOLDED_BOX, type GraphItem, type GraphScene, OPEN_BOX, STUB_BOX, ValueReaders } from '../../charts/graphScene';
import { type WalkDirection, walk } from '../../charts/graphWalk';
import { asksToCopy } from '../copyText';
import type { CameraControl } from './cameraControl';
import type { GraphCanvasProps } from './graphCanvasProps';

const DIRECTIONS = new Map<string, WalkDirection>([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
]);
const STEP = 80;
const ZOOM = 1.25;

/** Arrows follow the edges, with Shift they move the picture; Enter opens, Escape goes out and closes. */
export function useGraphKeys(props: GraphCanvasProps): (event: KeyboardEvent) => void {
  const { scene, camera, selection, onSelect } = props;
  const readers = useMemo(() => new ValueReaders(scene.view), [scene.view]);

  const select = (box: number) => {
    const item = scene.itemOf(box);
    if (item === null) return;
    onSelect(item);
    camera.reveal(scene.rectOf(box));
  };
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const box = selection === null ? -1 : scene.boxOf(selection);
    if (selection !== null && asksToCopy(event)) props.onCopy(selection);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (movePicture(event, camera)) {
      // Done.
    } else if (DIRECTIONS.has(event.key)) {
      const direction = DIRECTIONS.get(event.key) ?? 'down';
      const next = box < 0 ? firstBox(scene) : walk({ scene, readers }, box, direction);
      if (next >= 0) select(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (selection === null) select(firstBox(scene));
      else if (event.key === 'Enter') openItem(props, selection, box);
    } else if (event.key === 'F2' && selection !== null && props.onRename !== undefined) props.onRename(selection);
    else if (event.key === 'Escape') {
      if (selection === null) return;
      leave(props, box, select);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function movePicture({ key, shiftKey }: KeyboardEvent, camera: CameraControl): boolean {
  if (shiftKey && DIRECTIONS.has(key)) {
    const x = key === 'ArrowLeft' ? -STEP : key === 'ArrowRight' ? STEP : 0;
    const y = key === 'ArrowUp' ? -STEP : key === 'ArrowDown' ? STEP : 0;
    camera.pan({ x, y });
  } else if (key === '+' || key === '=') camera.zoomBy(ZOOM);
  else if (key === '-') camera.zoomBy(1 / ZOOM);
  else if (key === '0' || key.toLowerCase() === 'f') camera.fit();
  else return false;
  return true;
}

function openItem({ scene, onToggle, onOpen, onFollow }: GraphCanvasProps, item: GraphItem, box: number): void {
  if (item.kind === 'group') onToggle(item.ref);
  else if (box >= 0 && scene.layout.boxes.kind[box] === STUB_BOX) onFollow(item.ref, scene.edgesOf(box, 'in').length === 0);
  else onOpen(item);
}

/** Out of an operator to the group around it, from an open group to the closed one, from there to the group around, at last to nothing. */
function leave({ scene, onToggle, onSelect, selection }: GraphCanvasProps, box: number, select: (box: number) => void): void {
  if (box >= 0 && selection?.kind === 'group' && scene.layout.boxes.kind[box] === OPEN_BOX) onToggle(selection.ref);
  else {
    const frame = box < 0 ? -1 : (scene.layout.boxes.parent[box] ?? -1);
    if (frame >= 0) select(frame);
    else onSelect(null);
  }
}

/** The uppermost box. */
function firstBox({ layout }: GraphScene): number {
  const { y, kind, parent } = layout.boxes;
  let best = -1;
  for (let box = 0; box < y.length; box++) {
    if (parent[box] !== -1 || kind[box] === STUB_BOX) continue;
    // Beside an input at the same height, what computes comes first.
    const isBetter = best < 0 || (y[box] ?? 0) < (y[best] ?? 0) || (y[box] === y[best] && (kind[box] ?? 0) <= FOLDED_BOX && (kind[best] ?? 0) > FOLDED_BOX);
    if (isBetter) best = box;
  }
  return best;
}
