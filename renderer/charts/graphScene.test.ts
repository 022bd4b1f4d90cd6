import { describe, expect, it } from 'vitest';
import { detailAt } from './graphDetail';
import { GraphScene, groupsAround, inputsOf, outputsOf, ValueReaders } from './graphScene';
import { walk } from './graphWalk';
import { graphLayout, graphView, smallGraph } from './testing/graphSamples';

const { view, layout } = smallGraph();
const scene = new GraphScene(view, layout);
const value = (name: string) => view.values.names.indexOf(name);
const group = (path: string) => view.groups.findIndex((candidate) => candidate.path === path);

describe('GraphScene', () => {
  it('begins at the uppermost box outside of frames', () => {
    const tops = Array.from(layout.boxes.y, (y, box) => (layout.boxes.parent[box] === -1 ? y : Number.POSITIVE_INFINITY));
    expect(scene.start()).toEqual(scene.rectOf(tops.indexOf(Math.min(...tops))));
  });

  it('finds the boxes and edges in a part, frames first', () => {
    expect([...scene.boxesIn({ left: 0, top: 180, right: 300, bottom: 300 })]).toEqual([2, 3, 4, 6]);
    expect([...scene.edgesIn({ left: 0, top: 250, right: 300, bottom: 280 })]).toEqual([2]);
    expect([...scene.boxesIn({ left: 1000, top: 0, right: 2000, bottom: 10 })]).toEqual([]);
  });

  it('hits the innermost box, an open group by its title and border only', () => {
    expect(scene.boxAt({ x: 100, y: 200 })).toBe(3);
    expect(scene.boxAt({ x: 250, y: 160 })).toBe(2);
    expect(scene.boxAt({ x: 250, y: 250 })).toBe(-1);
    expect(scene.boxAt({ x: 2, y: 250 })).toBe(2);
    expect(scene.frameAt({ x: 250, y: 250 })).toBe(2);
    expect(scene.boxAt({ x: 400, y: 10 })).toBe(-1);
  });

  it('hits an edge that is near', () => {
    expect(scene.edgeAt({ x: 103, y: 265 }, 4)).toBe(2);
    expect(scene.edgeAt({ x: 110, y: 265 }, 4)).toBe(-1);
  });

  it('knows what stands for what', () => {
    expect(scene.itemOf(1)).toEqual({ kind: 'group', ref: group('stem') });
    expect(scene.itemOf(3)).toEqual({ kind: 'node', ref: 1 });
    expect(scene.itemOf(6)).toEqual({ kind: 'value', ref: value('bias') });
    expect(scene.itemOf(99)).toBeNull();
    // The convolution is inside the closed group.
    expect(scene.boxOf({ kind: 'node', ref: 0 })).toBe(1);
    expect(scene.boxOf({ kind: 'node', ref: 2 })).toBe(4);
    expect(scene.boxOf({ kind: 'group', ref: group('body') })).toBe(2);
    expect(scene.boxOf({ kind: 'value', ref: value('y') })).toBe(5);
    expect(scene.boxOf({ kind: 'value', ref: value('b') })).toBe(-1);
    expect(scene.stubsOf(value('bias'))).toEqual([6]);
  });

  it('lists the edges of a box', () => {
    expect([...scene.edgesOf(4, 'in')]).toEqual([2, 4]);
    expect([...scene.edgesOf(4, 'out')]).toEqual([3]);
    expect([...scene.edgesOf(0, 'in')]).toEqual([]);
  });

  it('works without any box', () => {
    const empty = new GraphScene(graphView({ nodes: [] }), graphLayout([], []));
    expect(empty.start()).toEqual({ x: 0, y: 0, width: 0, height: 0 });
    expect(empty.boxAt({ x: 0, y: 0 })).toBe(-1);
    expect(empty.boxOf({ kind: 'node', ref: 0 })).toBe(-1);
  });
});

describe('values and groups', () => {
  it('lists who reads a value', () => {
    const readers = new ValueReaders(view);
    expect(readers.of(value('a'))).toEqual([1]);
    expect(readers.of(value('y'))).toEqual([]);
    expect([...inputsOf(view, 2)]).toEqual([value('b'), value('bias')]);
    expect([...outputsOf(view, 2)]).toEqual([value('y')]);
  });

  it('knows the groups around', () => {
    expect(groupsAround(view, { kind: 'node', ref: 1 })).toEqual([0, group('body')]);
    expect(groupsAround(view, { kind: 'group', ref: group('body') })).toEqual([0]);
    expect(groupsAround(view, { kind: 'value', ref: value('b') })).toEqual([0, group('body')]);
    expect(groupsAround(view, { kind: 'value', ref: value('x') })).toEqual([]);
  });
});

describe('walk', () => {
  const context = { scene, readers: new ValueReaders(view) };
  it('follows edges down and up', () => {
    expect([0, 1, 3, 4].map((box) => walk(context, box, 'down'))).toEqual([1, 3, 4, 5]);
    expect([5, 4, 3, 1].map((box) => walk(context, box, 'up'))).toEqual([4, 3, 1, 0]);
  });
  it('goes into an open group, and out of it at its end', () => {
    expect(walk(context, 2, 'down')).toBe(3);
    expect(walk(context, 6, 'up')).toBe(2);
  });
  it('goes to siblings that stand beside', () => {
    const row = graphLayout(
      [0, 120, 400].map((x, ref) => ({ kind: 0, ref, at: [x, 10 * ref, 100, 40] as const })),
      [],
    );
    const wide = { scene: new GraphScene(view, row), readers: context.readers };
    expect([0, 1, 2].map((box) => walk(wide, box, 'right'))).toEqual([1, 2, -1]);
    expect([0, 1, 2].map((box) => walk(wide, box, 'left'))).toEqual([-1, 0, 1]);
  });
});

describe('detailAt', () => {
  it('leaves text out where it cannot be read', () => {
    expect([0.01, 0.4, 0.5, 0.69, 0.8, 4].map(detailAt)).toEqual(['blocks', 'blocks', 'titles', 'titles', 'all', 'all']);
  });
});
