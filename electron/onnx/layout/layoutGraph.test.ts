import { describe, expect, it } from 'vitest';
import { BOX_KINDS, type GraphLayout, type GraphView } from '../../../shared/model/graph';
import { nodeBoxSize } from '../../../shared/model/graphBoxes';
import { info } from '../edits/testing/smallModel';
import { REAL_MODELS } from '../testing/realModels';
import { encodeModel, nodesOf, viewOf, viewOfFile } from '../view/testing/viewOf';
import { layoutGraph } from './layoutGraph';

interface Box {
  readonly kind: string;
  readonly ref: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly parent: number;
}

const boxesOf = ({ boxes }: GraphLayout): Box[] =>
  Array.from(boxes.kind, (kind, i) => {
    const [left = 0, top = 0] = [boxes.x[i], boxes.y[i]];
    return {
      kind: BOX_KINDS[kind] ?? '',
      ref: boxes.ref[i] ?? 0,
      left,
      top,
      right: left + (boxes.width[i] ?? 0),
      bottom: top + (boxes.height[i] ?? 0),
      parent: boxes.parent[i] ?? -1,
    };
  });

const edgesOf = ({ edges }: GraphLayout) =>
  Array.from(edges.from, (from, i) => {
    const pairs: [number, number][] = [];
    for (let p = edges.pointStarts[i] ?? 0; p < (edges.pointStarts[i + 1] ?? 0); p++) pairs.push([edges.points[2 * p] ?? 0, edges.points[2 * p + 1] ?? 0]);
    return { from, to: edges.to[i] ?? 0, value: edges.value[i] ?? 0, count: edges.count[i] ?? 0, points: pairs };
  });

const EPSILON = 0.01;
const inside = (inner: Box, outer: Box) =>
  inner.left >= outer.left - EPSILON && inner.right <= outer.right + EPSILON && inner.top >= outer.top - EPSILON && inner.bottom <= outer.bottom + EPSILON;

/** What every drawing keeps to: siblings apart, everything in its frame, edges from box to box. */
function check(layout: GraphLayout): void {
  const boxes = boxesOf(layout);
  const whole: Box = { kind: 'open', ref: 0, left: 0, top: 0, right: layout.width, bottom: layout.height, parent: -1 };
  const siblings = new Map<number, Box[]>();
  for (const [at, box] of boxes.entries()) {
    expect(box.parent).toBeLessThan(at);
    expect(inside(box, boxes[box.parent] ?? whole)).toBe(true);
    const others = siblings.get(box.parent) ?? [];
    for (const other of others) {
      const apart =
        box.left >= other.right - EPSILON || other.left >= box.right - EPSILON || box.top >= other.bottom - EPSILON || other.top >= box.bottom - EPSILON;
      if (!apart) expect.fail(`${JSON.stringify(box)} overlaps ${JSON.stringify(other)}`);
    }
    siblings.set(box.parent, [...others, box]);
  }
  for (const { from, to, points } of edgesOf(layout)) {
    const [source, target] = [boxes[from] ?? whole, boxes[to] ?? whole];
    const first = points[0] ?? [Number.NaN, Number.NaN];
    const last = points.at(-1) ?? [Number.NaN, Number.NaN];
    for (const [box, [x, y]] of [
      [source, first],
      [target, last],
    ] as const) {
      const touches = x >= box.left - EPSILON && x <= box.right + EPSILON && y >= box.top - EPSILON && y <= box.bottom + EPSILON;
      if (!touches) expect.fail(`an edge ends at ${x}, ${y} beside ${JSON.stringify(box)}`);
    }
  }
}

const titles = (view: GraphView, layout: GraphLayout) =>
  boxesOf(layout).map(({ kind, ref }) =>
    kind === 'node' ? view.operators[view.nodes.operator[ref] ?? 0] : kind === 'stub' || kind === 'value' ? view.values.names[ref] : view.groups[ref]?.label,
  );

const flow = async (lines: readonly string[], inputs: readonly string[] = ['x'], outputs: readonly string[] = []) =>
  (await viewOf(encodeModel({ node: nodesOf(lines), input: inputs.map((name) => info(name, ['n'])), output: outputs.map((name) => info(name, ['n'])) }))).view;

describe('layoutGraph', () => {
  it('draws a chain straight down, with its input and output', async () => {
    const view = await flow(['Relu: x -> a', 'Tanh: a -> b'], ['x'], ['b']);
    const layout = await layoutGraph(view, { root: 0, open: new Set() });
    check(layout);
    const boxes = boxesOf(layout).sort((a, b) => a.top - b.top);
    expect(boxes.map(({ kind }) => kind)).toEqual(['value', 'node', 'node', 'value']);
    expect(new Set(boxes.map(({ left, right }) => (left + right) / 2)).size).toBe(1);
    for (const { points } of edgesOf(layout)) expect(points).toHaveLength(2);
    const relu = boxes[1];
    expect({ width: (relu?.right ?? 0) - (relu?.left ?? 0), height: (relu?.bottom ?? 0) - (relu?.top ?? 0) }).toEqual(nodeBoxSize(view, 0));
  });

  it('opens groups in place: what is around them keeps its order, edges go through the frames', async () => {
    const view = await flow(['Relu /a/Relu: x -> a', 'Tanh /a/Tanh: a -> b', 'Neg /c/Neg: b -> c', 'Abs /c/Abs: c -> d'], ['x'], ['d']);
    const [group] = view.groups.flatMap(({ path }, index) => (path === 'a' ? [index] : []));
    const closed = await layoutGraph(view, { root: 0, open: new Set() });
    const opened = await layoutGraph(view, { root: 0, open: new Set([group ?? 0]) });
    check(closed);
    check(opened);
    expect(titles(view, closed)).toEqual(['a', 'c', 'x', 'd']);
    expect(titles(view, opened)).toEqual(['a', 'c', 'x', 'd', 'Relu', 'Tanh']);
    const frame = boxesOf(opened).findIndex(({ kind }) => kind === 'open');
    expect(edgesOf(opened).map(({ from, to, value }) => [titles(view, opened)[from], titles(view, opened)[to], view.values.names[value]])).toEqual(
      expect.arrayContaining([
        ['x', 'a', 'x'],
        ['a', 'Relu', 'x'],
        ['Relu', 'Tanh', 'a'],
        ['Tanh', 'a', 'b'],
        ['a', 'c', 'b'],
      ]),
    );
    expect(boxesOf(opened).filter(({ parent }) => parent === frame)).toHaveLength(2);
    expect(await layoutGraph(view, { root: 0, open: new Set([group ?? 0]) })).toEqual(opened);
    // What is no group does not open.
    expect(await layoutGraph(view, { root: 0, open: new Set([99_999]) })).toEqual(closed);
  });

  it('draws a value with more than eight consumers as stubs', async () => {
    const consumers = (count: number) => [...Array.from({ length: count }, (_, i) => `Add: ${i === 0 ? 'x' : `y${i - 1}`}, mask -> y${i}`)];
    const few = await flow(consumers(8), ['x', 'mask']);
    expect(boxesOf(await layoutGraph(few, { root: 0, open: new Set() })).filter(({ kind }) => kind === 'stub')).toHaveLength(0);
    const many = await flow(consumers(9), ['x', 'mask']);
    const layout = await layoutGraph(many, { root: 0, open: new Set() });
    check(layout);
    const stubs = boxesOf(layout).filter(({ kind }) => kind === 'stub');
    expect(stubs.map(({ ref }) => many.values.names[ref])).toEqual(new Array(9).fill('mask'));
  });

  it('draws the stubs of a shared value inside the groups that are open, beside those that are closed', async () => {
    const layers = Array.from({ length: 9 }, (_, i) => [`Add /l${i}/Add: v${i}, mask -> t${i}`, `Relu /l${i}/Relu: t${i} -> v${i + 1}`]).flat();
    const view = await flow(layers, ['v0', 'mask']);
    const group = view.groups.findIndex(({ path }) => path === 'l3');
    const layout = await layoutGraph(view, { root: 0, open: new Set([group]) });
    check(layout);
    const frame = boxesOf(layout).findIndex(({ kind }) => kind === 'open');
    const parents = boxesOf(layout).flatMap(({ kind, parent }) => (kind === 'stub' ? [parent] : []));
    expect(parents.sort()).toEqual([...new Array(8).fill(-1), frame]);
  });

  it('draws an edge that passes very many layers as stubs at both ends', async () => {
    const chain = Array.from({ length: 40 }, (_, i) => `Relu: v${i} -> v${i + 1}`);
    const view = await flow(['Neg: x -> v0', ...chain, 'Add: v40, v0 -> y']);
    const layout = await layoutGraph(view, { root: 0, open: new Set() });
    check(layout);
    expect(
      boxesOf(layout)
        .filter(({ kind }) => kind === 'stub')
        .map(({ ref }) => view.values.names[ref]),
    ).toEqual(['v0', 'v0']);
  });

  it('shows names that nothing defines, cycles, and boxes without edges', async () => {
    const view = await flow(['Add: x, missing -> a', 'Add: a, c -> b', 'Relu: b -> c', ...Array.from({ length: 20 }, (_, i) => `RandomNormal: -> r${i}`)]);
    const layout = await layoutGraph(view, { root: 0, open: new Set() });
    check(layout);
    expect(titles(view, layout)).toEqual(expect.arrayContaining(['missing', 'Relu']));
    expect(boxesOf(layout)).toHaveLength(1 + 3 + 20 + 1);
  });

  it('shows constants and initializers inside the boxes that use them', async () => {
    const node = [{ opType: 'Constant', output: ['k'], attribute: [{ name: 'value_float', type: 1, f: 2 }] }, ...nodesOf(['Mul: x, k -> y', 'Add: y, w -> z'])];
    const initializer = [{ name: 'w', dataType: 1, dims: [4], rawData: new Uint8Array(16) }];
    const { view } = await viewOf(encodeModel({ node, initializer, input: [info('x', [4])] }));
    const layout = await layoutGraph(view, { root: 0, open: new Set() });
    expect(titles(view, layout).sort()).toEqual(['Add', 'Mul', 'x']);
  });

  it('gives a function its own drawing, and refuses what is not there', async () => {
    const functions = [{ name: 'F', domain: 'my', input: ['a'], output: ['b'], node: nodesOf(['Relu: a -> t', 'Tanh: t -> b']) }];
    const { view } = await viewOf(encodeModel({ node: nodesOf(['Relu: x -> y']) }, { functions }));
    const layout = await layoutGraph(view, { root: view.groups.findIndex(({ kind }) => kind === 'function'), open: new Set() });
    check(layout);
    expect(titles(view, layout).sort()).toEqual(['Relu', 'Tanh', 'a', 'b']);
    await expect(layoutGraph(view, { root: 77, open: new Set() })).rejects.toMatchObject({ code: 'not-found' });
    await expect(layoutGraph(view, { root: 0, open: new Set() }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is empty for an empty graph', async () => {
    const { view } = await viewOf(encodeModel({}));
    const layout = await layoutGraph(view, { root: 0, open: new Set() });
    expect(layout.boxes.kind).toHaveLength(0);
    expect(Number.isFinite(layout.width) && Number.isFinite(layout.height)).toBe(true);
  });

  it.each(REAL_MODELS)('keeps boxes apart and edges whole with every group open: %s', async (path) => {
    const { view } = await viewOfFile(path);
    let reported = 0;
    const layout = await layoutGraph(view, { root: 0, open: new Set(view.groups.keys()) }, { onProgress: () => reported++ });
    check(layout);
    expect(reported).toBe(view.groups.length);
    // Every node is there but for the constants that are shown inside others.
    const shown = boxesOf(layout).filter(({ kind }) => kind === 'node').length;
    const constants = Array.from(view.nodes.operator).filter((operator) => view.operators[operator] === 'Constant').length;
    expect(shown).toBeGreaterThanOrEqual(view.nodes.names.length - constants);
  });
});
