import { describe, expect, it } from 'vitest';
import { arrowHead, edgeDistance, edgeMiddle, edgePath } from './graphEdges';

const edges = {
  pointStarts: Uint32Array.of(0, 2, 5, 6, 8),
  // A straight one, one with a bend, a point, and one without length.
  points: Float32Array.of(0, 0, 0, 100, 0, 0, 0, 50, 80, 50, 7, 7, 3, 3, 3, 3),
};

describe('edges of a graph', () => {
  it('are straight between two points above each other, and rounded at bends', () => {
    expect(edgePath(edges, 0)).toBe('M0 0L0 100');
    expect(edgePath(edges, 1)).toBe('M0 0Q0 50 80 50');
    expect(edgePath({ pointStarts: Uint32Array.of(0, 2), points: Float32Array.of(0, 0, 60, 100) }, 0)).toBe('M0 0C0 50 60 50 60 100');
    expect(edgePath(edges, 2)).toBe('');
    expect(edgePath({ pointStarts: Uint32Array.of(0, 4), points: Float32Array.of(0, 0, 0, 10, 20, 10, 20, 30) }, 0)).toBe('M0 0Q0 10 10 10Q20 10 20 30');
  });

  it('end in an arrow', () => {
    expect(arrowHead(edges, 0, 10)).toEqual([
      { x: 0, y: 100 },
      { x: -5, y: 90 },
      { x: 5, y: 90 },
    ]);
    expect(arrowHead(edges, 1, 10)).toEqual([
      { x: 80, y: 50 },
      { x: 70, y: 55 },
      { x: 70, y: 45 },
    ]);
    expect(arrowHead(edges, 2, 10)).toBeNull();
    expect(arrowHead(edges, 3, 10)).toBeNull();
  });

  it('have a middle along their length', () => {
    expect(edgeMiddle(edges, 0)).toEqual({ x: 0, y: 50 });
    expect(edgeMiddle(edges, 1)).toEqual({ x: 15, y: 50 });
    expect(edgeMiddle(edges, 2)).toEqual({ x: 7, y: 7 });
    expect(edgeMiddle(edges, 3)).toEqual({ x: 3, y: 3 });
  });

  it('are as far away as their nearest segment', () => {
    expect(edgeDistance(edges, 0, { x: 12, y: 40 })).toBe(12);
    expect(edgeDistance(edges, 1, { x: 40, y: 47 })).toBe(3);
    expect(edgeDistance(edges, 0, { x: 3, y: 104 })).toBe(5);
    expect(edgeDistance(edges, 2, { x: 0, y: 0 })).toBe(Number.POSITIVE_INFINITY);
  });
});
