import { describe, expect, it } from 'vitest';
import { CommitLanes, LANE_COLOURS, type LaneCommit, type LaneRow, lineColour } from './commitLanes';

/** `a:b c` is commit `a` with the parents `b` and `c`. */
function graph(...lines: string[]): LaneCommit[] {
  return lines.map((line) => {
    const [hash = '', parents = ''] = line.split(':');
    return { hash, parents: parents.split(' ').filter((parent) => parent !== '') };
  });
}

function layOut(commits: readonly LaneCommit[], refs: Record<string, { name: string; rank: number }> = {}): CommitLanes {
  const lanes = new CommitLanes((hash) => (Object.hasOwn(refs, hash) ? refs[hash] : undefined));
  lanes.append(commits);
  return lanes;
}

/** A row as `1 | through | in | out`: the commit's lane, then lanes of what passes, arrives and leaves. */
function draw(lanes: CommitLanes): string[] {
  return lanes.rows(0, lanes.rowCount).map((row) => {
    const of = (kind: string, end: 'from' | 'to') =>
      row.edges
        .filter((edge) => edge.kind === kind)
        .map((edge) => edge[end])
        .sort((a, b) => a - b)
        .join(',');
    return `${row.lane} | ${of('through', 'from')} | ${of('in', 'from')} | ${of('out', 'to')}`;
  });
}

describe('hand-drawn graphs', () => {
  it.each<[string, LaneCommit[], string[]]>([
    ['a line', graph('c:b', 'b:a', 'a:'), ['0 |  |  | 0', '0 |  | 0 | 0', '0 |  | 0 | ']],
    [
      // d   e
      //  \ /
      //   a
      'two branches off one commit',
      graph('d:a', 'e:a', 'a:'),
      ['0 |  |  | 0', '1 | 0 |  | 1', '0 |  | 0,1 | '],
    ],
    [
      //  m
      //  |\
      //  | f
      //  b |
      //  |/
      //  a
      'a merge',
      graph('m:b f', 'f:a', 'b:a', 'a:'),
      ['0 |  |  | 0,1', '1 | 0 | 1 | 1', '0 | 1 | 0 | 0', '0 |  | 0,1 | '],
    ],
    ['an octopus', graph('o:a b c', 'a:', 'b:', 'c:'), ['0 |  |  | 0,1,2', '0 | 1,2 | 0 | ', '1 | 2 | 1 | ', '2 |  | 2 | ']],
    [
      // Both x and y merge both a and b: the second line into a joins the one that is there, and b stays on its first parent's lane.
      'a criss-cross',
      graph('x:a b', 'y:b a', 'a:r', 'b:r', 'r:'),
      ['0 |  |  | 0,1', '2 | 0,1 |  | 0,2', '0 | 1,2 | 0 | 0', '2 | 0 | 1,2 | 2', '0 |  | 0,2 | '],
    ],
    ['several roots', graph('b:a', 'a:', 'd:c', 'c:'), ['0 |  |  | 0', '0 |  | 0 | ', '0 |  |  | 0', '0 |  | 0 | ']],
    ['a parent named twice', graph('m:a a', 'a:'), ['0 |  |  | 0', '0 |  | 0 | ']],
    [
      // The lane that f leaves is taken by the next branch.
      'a lane used again',
      graph('m:b f', 'f:b', 'b:a', 'n:a', 'a:'),
      ['0 |  |  | 0,1', '1 | 0 | 1 | 1', '0 |  | 0,1 | 0', '1 | 0 |  | 1', '0 |  | 0,1 | '],
    ],
  ])('%s', (_name, commits, expected) => {
    expect(draw(layOut(commits))).toEqual(expected);
  });

  it('says so when a parent stands above its child', () => {
    const lanes = layOut(graph('a:', 'b:a', 'c:b a'));
    expect(lanes.rows(0, 3).map((row) => row.parentsAbove)).toEqual([0, 1, 2]);
    expect(lanes.rows(0, 3).flatMap((row) => row.edges)).toEqual([]);
    expect(lanes.laneCount).toBe(1);
  });

  it('leaves a line open whose parent is not loaded', () => {
    expect(draw(layOut(graph('c:b', 'x:y')))).toEqual(['0 |  |  | 0', '1 | 0 |  | 1']);
  });
});

describe('names and colours', () => {
  it('follow a line down and do not depend on where it stands', () => {
    const main = { name: 'main', rank: 0 };
    const alone = layOut(graph('m2:m1', 'm1:m0', 'm0:'), { m2: main });
    const beside = layOut(graph('f:m0', 'm2:m1', 'm1:m0', 'm0:'), { m2: main, f: { name: 'feature', rank: 5 } });
    const looks = (rows: LaneRow[]) => rows.map((row) => [row.name, row.colour]);
    expect(looks(alone.rows(0, 3))).toEqual(Array(3).fill(['main', lineColour('main')]));
    expect(looks(beside.rows(1, 4))).toEqual(looks(alone.rows(0, 3)));
    expect(beside.rows(3, 4)[0]?.lane).toBe(1);
  });

  it('change where a stronger branch ends', () => {
    const lanes = layOut(graph('f2:f1', 'f1:m', 'm:r', 'r:'), { f2: { name: 'feature', rank: 3 }, m: { name: 'main', rank: 0 } });
    expect(lanes.rows(0, 4).map((row) => row.name)).toEqual(['feature', 'feature', 'main', 'main']);
  });

  it('of a merged line give way to first parents', () => {
    const lanes = layOut(graph('t:r', 'm:b f', 'f:r', 'b:r', 'r:'), { m: { name: 'main', rank: 0 }, t: { name: 'topic', rank: 3 } });
    expect(lanes.rows(4, 5)[0]).toMatchObject({ name: 'main', lane: 1 });
  });

  it('are in range for any name', () => {
    for (const name of ['', 'main', '__proto__', 'ветка', 'x'.repeat(300)]) {
      expect(lineColour(name)).toBeGreaterThanOrEqual(0);
      expect(lineColour(name)).toBeLessThan(LANE_COLOURS);
    }
  });
});

/** Repeatable random numbers (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function randomGraph(seed: number, size: number): LaneCommit[] {
  const random = randomFrom(seed);
  const commits = Array.from({ length: size }, (_, index) => {
    const parents: string[] = [];
    const wanted = random() < 0.04 ? 0 : random() < 0.6 ? 1 : random() < 0.9 ? 2 : 5;
    for (let parent = 0; parent < wanted && index + 1 < size; parent++) {
      parents.push(`c${Math.min(size - 1, index + 1 + Math.floor(random() ** 2 * 40))}`);
    }
    return { hash: `c${index}`, parents };
  });
  // Some graphs have a skewed clock: neighbours swapped.
  if (seed % 3 === 0) {
    for (let index = 5; index + 1 < size; index += 7) {
      const [a, b] = [commits[index], commits[index + 1]];
      if (a !== undefined && b !== undefined) commits.splice(index, 2, b, a);
    }
  }
  return commits;
}

describe.each(Array.from({ length: 24 }, (_, seed) => seed + 1))('random graph %i', (seed) => {
  const commits = randomGraph(seed, 400);
  const lanes = layOut(commits);
  const rows = lanes.rows(0, commits.length);

  it('draws every parent as an unbroken line from the row of the child to the row of the parent', () => {
    const position = new Map(commits.map((commit, row) => [commit.hash, row]));
    for (const [child, commit] of commits.entries()) {
      let above = 0;
      for (const parent of new Set(commit.parents)) {
        const end = position.get(parent) ?? -1;
        if (end < child) {
          above++;
          continue;
        }
        const starts = rows[child]?.edges.filter((edge) => edge.kind === 'out' && edge.from === rows[child]?.lane) ?? [];
        const reaches = starts.some((start) => {
          for (let row = child + 1; row < end; row++) {
            if (!rows[row]?.edges.some((edge) => edge.kind === 'through' && edge.from === start.to)) return false;
          }
          return rows[end]?.edges.some((edge) => edge.kind === 'in' && edge.from === start.to && edge.to === rows[end]?.lane) ?? false;
        });
        expect(reaches, `${commit.hash} to ${parent}`).toBe(true);
      }
      expect(rows[child]?.parentsAbove).toBe(above);
    }
  });

  it('never has two lines in one lane, nor a line through a commit', () => {
    for (const row of rows) {
      const passing = row.edges.filter((edge) => edge.kind === 'through').map((edge) => edge.from);
      const arriving = row.edges.filter((edge) => edge.kind === 'in').map((edge) => edge.from);
      const top = [...passing, ...arriving];
      expect(new Set(top).size).toBe(top.length);
      expect(passing).not.toContain(row.lane);
      const started = row.edges.filter((edge) => edge.kind === 'out').map((edge) => edge.to);
      expect(new Set(started).size).toBe(started.length);
    }
    // What reaches the bottom of a row is what comes in at the top of the next, no more and no less.
    for (const [index, row] of rows.slice(0, -1).entries()) {
      const bottom = new Set(row.edges.filter((edge) => edge.kind !== 'in').map((edge) => edge.to));
      const next = rows[index + 1]?.edges.filter((edge) => edge.kind !== 'out').map((edge) => edge.from) ?? [];
      expect([...bottom].sort()).toEqual(next.sort());
    }
  });

  it('never changes a row when more is appended, and needs no more lanes than there are open lines', () => {
    const paged = new CommitLanes();
    const seen: LaneRow[] = [];
    for (let at = 0; at < commits.length; at += 37) {
      paged.append(commits.slice(at, at + 37));
      seen.push(...paged.rows(at, at + 37));
    }
    // Only whether a line ends later differs, and that shows in later rows.
    expect(seen).toEqual(rows);
    const widest = Math.max(...rows.map((row) => new Set(row.edges.flatMap((edge) => [edge.from, edge.to]).concat(row.lane)).size));
    expect(lanes.laneCount).toBeLessThanOrEqual(widest + 1);
  });

  it('gives the same rows through any window', () => {
    for (const [first, end] of [
      [0, 1],
      [127, 130],
      [255, 391],
      [399, 500],
      [500, 600],
    ] as const) {
      expect(lanes.rows(first, end)).toEqual(rows.slice(first, end));
    }
  });
});

describe('large histories', () => {
  it('keeps a fork of ten thousand branches linear in memory', () => {
    const lanes = new CommitLanes();
    lanes.append(Array.from({ length: 10_000 }, (_, index) => ({ hash: `tip${index}`, parents: ['base'] })));
    lanes.append([{ hash: 'base', parents: [] }]);
    expect(lanes.laneCount).toBe(10_000);
    expect(lanes.rows(10_000, 10_001)[0]?.edges).toHaveLength(10_000);
  });

  it('lays out 100,000 commits', () => {
    const lanes = new CommitLanes();
    const commits = randomGraph(5, 100_000);
    lanes.append(commits);
    expect(lanes.rows(99_000, 99_050)).toHaveLength(50);
  });
});
