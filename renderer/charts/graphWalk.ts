import { NO_VALUE } from '../../shared/model/graph';
import { FOLDED_BOX, type GraphScene, inputsOf, NODE_BOX, OPEN_BOX, outputsOf, STUB_BOX, type ValueReaders } from './graphScene';

export type WalkDirection = 'up' | 'down' | 'left' | 'right';

interface WalkContext {
  readonly scene: GraphScene;
  readonly readers: ValueReaders;
}

/** The box that an arrow key leads to: down to who uses it, up to where it comes from, left and right to its siblings; -1 where it ends. */
export function walk({ scene, readers }: WalkContext, box: number, direction: WalkDirection): number {
  if (direction === 'left' || direction === 'right') return siblingOf(scene, box, direction);
  const isDown = direction === 'down';
  if (isDown && scene.layout.boxes.kind[box] === OPEN_BOX) {
    const first = firstInside(scene, box);
    if (first >= 0) return first;
  }
  const joined = nearest(scene, box, neighboursByEdges(scene, box, isDown));
  if (joined >= 0) return joined;
  const item = scene.itemOf(box);
  if (item?.kind === 'node') {
    const far = isDown ? consumersOf(scene, readers, item.ref) : producersOf(scene, item.ref);
    const found = nearest(scene, box, far);
    if (found >= 0) return found;
  }
  // Inside a group the way ends at its frame.
  return scene.layout.boxes.parent[box] ?? -1;
}

/** Boxes one edge away, without the ends of edges that are not drawn. */
function neighboursByEdges(scene: GraphScene, box: number, isDown: boolean): number[] {
  const { from, to } = scene.layout.edges;
  const { parent } = scene.layout.boxes;
  const ends = [...scene.outerEdges(box, isDown ? 'out' : 'in')].map((edge) => (isDown ? to[edge] : from[edge]) ?? -1);
  // At the border of the group around an edge only goes on.
  const boxes = ends.filter((other) => other !== parent[box]);
  const drawn = boxes.filter((other) => scene.layout.boxes.kind[other] !== STUB_BOX);
  return drawn.length > 0 ? drawn : boxes;
}

function consumersOf(scene: GraphScene, readers: ValueReaders, node: number): number[] {
  return [...outputsOf(scene.view, node)]
    .filter((value) => value !== NO_VALUE)
    .flatMap((value) => {
      const boxes = readers.of(value).map((reader) => scene.boxOf({ kind: 'node', ref: reader }));
      return boxes.length > 0 ? boxes : [scene.valueBox(value)];
    });
}

function producersOf(scene: GraphScene, node: number): number[] {
  return [...inputsOf(scene.view, node)]
    .filter((value) => value !== NO_VALUE)
    .map((value) => {
      const producer = scene.view.values.producer[value] ?? NO_VALUE;
      return producer === NO_VALUE ? scene.valueBox(value) : scene.boxOf({ kind: 'node', ref: producer });
    });
}

function firstInside(scene: GraphScene, frame: number): number {
  const { parent, y, kind } = scene.layout.boxes;
  let best = -1;
  for (let box = frame + 1; box < parent.length; box++) {
    if (parent[box] !== frame || (kind[box] !== NODE_BOX && kind[box] !== FOLDED_BOX && kind[box] !== OPEN_BOX)) continue;
    if (best < 0 || (y[box] ?? 0) < (y[best] ?? 0)) best = box;
  }
  return best;
}

function nearest(scene: GraphScene, box: number, candidates: readonly number[]): number {
  const { x, y } = centreOf(scene, box);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const other of candidates) {
    if (other < 0 || other === box) continue;
    const centre = centreOf(scene, other);
    const distance = Math.abs(centre.x - x) + Math.abs(centre.y - y);
    if (distance >= least) continue;
    best = other;
    least = distance;
  }
  return best;
}

function siblingOf(scene: GraphScene, box: number, direction: 'left' | 'right'): number {
  const { parent, kind } = scene.layout.boxes;
  const here = centreOf(scene, box);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let other = 0; other < parent.length; other++) {
    if (other === box || parent[other] !== parent[box] || kind[other] === STUB_BOX) continue;
    const there = centreOf(scene, other);
    const dx = direction === 'left' ? here.x - there.x : there.x - here.x;
    const dy = Math.abs(there.y - here.y);
    // What stands more above or below than beside is not beside.
    if (dx <= 0 || dy > 2 * dx) continue;
    const distance = dx + 3 * dy;
    if (distance >= least) continue;
    best = other;
    least = distance;
  }
  return best;
}

function centreOf(scene: GraphScene, box: number): { readonly x: number; readonly y: number } {
  const { x, y, width, height } = scene.rectOf(box);
  return { x: x + width / 2, y: y + height / 2 };
}
