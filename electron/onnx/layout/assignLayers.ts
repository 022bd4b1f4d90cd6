/** A drawing problem: boxes are numbered, links are pairs of different boxes and none occurs twice. */
export interface Links {
  readonly boxes: number;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** Adjacency in columns: the neighbours of box b are `list[starts[b]]` up to, not including, `list[starts[b + 1]]`. */
export interface Adjacency {
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
}

export function adjacency(boxes: number, from: Uint32Array, to: Uint32Array): Adjacency {
  const starts = new Uint32Array(boxes + 1);
  for (const box of from) starts[box + 1] = (starts[box + 1] ?? 0) + 1;
  for (let box = 0; box < boxes; box++) starts[box + 1] = (starts[box + 1] ?? 0) + (starts[box] ?? 0);
  const next = starts.slice();
  const list = new Uint32Array(from.length);
  for (let link = 0; link < from.length; link++) {
    const box = from[link] ?? 0;
    const at = next[box] ?? 0;
    list[at] = to[link] ?? 0;
    next[box] = at + 1;
  }
  return { starts, list };
}

export interface Layers {
  /** Layer of every box, from 0 at the top. */
  readonly layer: Int32Array;
  readonly count: number;
  /** 1 for links that would close a cycle: they run upwards, and count the other way round. */
  readonly reversed: Uint8Array;
}

/**
 * Layers by the longest path from the top; then boxes that have more ways down than up sink as far as they can, so that a source stands
 * right above who uses it. Links that close a cycle (found depth first in the order of the boxes) are turned round. Linear time.
 * @param pins 1 keeps a box in the first layer, 2 in the last
 */
export function assignLayers(links: Links, pins: Uint8Array): Layers {
  const { order, reversed } = sortTopologically(links);
  const upper = links.from.map((box, link) => (reversed[link] ? (links.to[link] ?? 0) : box));
  const lower = links.to.map((box, link) => (reversed[link] ? (links.from[link] ?? 0) : box));
  const down = adjacency(links.boxes, upper, lower);
  const up = adjacency(links.boxes, lower, upper);
  const layer = new Int32Array(links.boxes);
  // What is pinned to the top must have nothing else beside it.
  if (pins.includes(1)) layer.fill(1);
  for (const box of pins.keys()) if (pins[box] === 1) layer[box] = 0;
  let last = 0;
  for (const box of order) {
    const own = layer[box] ?? 0;
    last = Math.max(last, own);
    for (let i = down.starts[box] ?? 0; i < (down.starts[box + 1] ?? 0); i++) {
      const below = down.list[i] ?? 0;
      if ((layer[below] ?? 0) <= own) layer[below] = own + 1;
    }
  }
  if (pins.includes(2)) {
    // As for the top; a single layer more unless the pinned ones already have the last to themselves.
    for (let box = 0; box < links.boxes; box++) if (pins[box] !== 2 && layer[box] === last) last++;
    for (const box of pins.keys()) if (pins[box] === 2) layer[box] = last;
  }
  sink({ order, down, up, layer, pins });
  return { layer, count: links.boxes === 0 ? 0 : last + 1, reversed };
}

function sink(state: { order: Uint32Array; down: Adjacency; up: Adjacency; layer: Int32Array; pins: Uint8Array }): void {
  const { order, down, up, layer, pins } = state;
  for (let at = order.length - 1; at >= 0; at--) {
    const box = order[at] ?? 0;
    const begin = down.starts[box] ?? 0;
    const end = down.starts[box + 1] ?? 0;
    const above = (up.starts[box + 1] ?? 0) - (up.starts[box] ?? 0);
    if (pins[box] !== 0 || end - begin <= above) continue;
    let lowest = Number.MAX_SAFE_INTEGER;
    for (let i = begin; i < end; i++) lowest = Math.min(lowest, layer[down.list[i] ?? 0] ?? 0);
    layer[box] = Math.max(layer[box] ?? 0, lowest - 1);
  }
}

/** Depth first without recursion: a graph may be one chain of ten thousand boxes. */
function sortTopologically(links: Links): { readonly order: Uint32Array; readonly reversed: Uint8Array } {
  const { boxes, from } = links;
  const starts = new Uint32Array(boxes + 1);
  for (const box of from) starts[box + 1] = (starts[box + 1] ?? 0) + 1;
  for (let box = 0; box < boxes; box++) starts[box + 1] = (starts[box + 1] ?? 0) + (starts[box] ?? 0);
  const fill = starts.slice();
  const byBox = new Uint32Array(from.length);
  for (let link = 0; link < from.length; link++) {
    const box = from[link] ?? 0;
    byBox[fill[box] ?? 0] = link;
    fill[box] = (fill[box] ?? 0) + 1;
  }
  const reversed = new Uint8Array(from.length);
  const state = new Uint8Array(boxes);
  const next = starts.slice(0, boxes);
  const order = new Uint32Array(boxes);
  let place = boxes;
  const stack: number[] = [];
  for (let root = 0; root < boxes; root++) {
    if (state[root] !== 0) continue;
    stack.push(root);
    state[root] = 1;
    while (stack.length > 0) {
      const box = stack.at(-1) ?? 0;
      const at = next[box] ?? 0;
      if (at === starts[box + 1]) {
        stack.pop();
        state[box] = 2;
        order[--place] = box;
        continue;
      }
      next[box] = at + 1;
      const link = byBox[at] ?? 0;
      const below = links.to[link] ?? 0;
      if (state[below] === 1) reversed[link] = 1;
      else if (state[below] === 0) {
        state[below] = 1;
        stack.push(below);
      }
    }
  }
  return { order, reversed };
}
