import { GrowableInts } from './growableInts';
import { LaneAllocator } from './laneAllocator';

export const LANE_COLOURS = 8;

export interface LaneCommit {
  readonly hash: string;
  readonly parents: readonly string[];
}

/** What a line is named and coloured after: a branch that ends at a commit. Where lines meet, the lowest rank goes on. */
export interface LineSeed {
  readonly name: string;
  readonly rank: number;
  /** 0 to LANE_COLOURS - 1; without it the name decides. */
  readonly colour?: number;
}

/**
 * A piece of a line inside one row. `through` runs from the top of the row to its bottom in one lane; `in` comes from the top and ends at the
 * commit; `out` leaves the commit and reaches the bottom in lane `to`.
 */
export interface LaneEdge {
  readonly kind: 'through' | 'in' | 'out';
  readonly from: number;
  readonly to: number;
  readonly colour: number;
}

export interface LaneRow {
  readonly row: number;
  readonly lane: number;
  /** 0 to LANE_COLOURS - 1. */
  readonly colour: number;
  /** Branch that this stretch of the line belongs to, where a ref says so. */
  readonly name: string | null;
  readonly edges: readonly LaneEdge[];
  /** Parents that stand in an earlier row (clock skew): no line leads there, the row says so. */
  readonly parentsAbove: number;
}

const UNRANKED = 1_000;
/** Lines into a merge give way to every line that came down by first parents. */
const MERGED = 2_000;
const OPEN = -1;
const BLOCK = 128;

/**
 * Lanes of a commit graph, row by row. Commits are appended in the order in which they are listed, children before parents; what is appended
 * never changes a row that is there already, so pages can be added for ever.
 *
 * A line is a vertical run in one lane from the row of a child down to the row of a parent. The first parent goes on in the commit's own lane;
 * each further parent gets a line of its own unless one leads there already, which it then joins. A lane holds one line at a time. Because the
 * lane of a line never changes, a line takes constant space however long it is, and the pieces inside a row are found when they are asked for:
 * memory is linear in commits and parents, not in rows times lanes.
 */
export class CommitLanes {
  readonly #seedOf: (hash: string) => LineSeed | undefined;
  readonly #rowOf = new Map<string, number>();
  readonly #lanes = new LaneAllocator();
  readonly #names: string[] = [];
  readonly #nameIndex = new Map<string, number>();

  // Rows.
  readonly #rowLane = new GrowableInts();
  readonly #rowColour = new GrowableInts();
  readonly #rowName = new GrowableInts();
  readonly #rowFirstLine = new GrowableInts();
  readonly #rowFirstJoin = new GrowableInts();
  readonly #rowsAbove = new Map<number, number>();
  readonly #joins = new GrowableInts();

  // Lines, in the order of the rows where they start.
  readonly #lineStart = new GrowableInts();
  readonly #lineEnd = new GrowableInts();
  readonly #lineLane = new GrowableInts();
  readonly #lineColour = new GrowableInts();
  readonly #lineName = new GrowableInts();
  readonly #lineRank = new GrowableInts();

  /** Open lines, and where each stands in that list. */
  readonly #open: number[] = [];
  readonly #openAt = new Map<number, number>();
  /** Open lines by the hash of the commit that they lead to. */
  readonly #awaiting = new Map<string, number[]>();

  // Lines that were open when a block of rows began. A block is at least as long as that list, so all lists together stay linear.
  readonly #blockRow: number[] = [];
  readonly #blockLines: Int32Array[] = [];

  constructor(seedOf: (hash: string) => LineSeed | undefined = () => undefined) {
    this.#seedOf = seedOf;
  }

  get rowCount(): number {
    return this.#rowLane.length;
  }

  /** Lanes that the graph has needed so far. */
  get laneCount(): number {
    return this.#lanes.width;
  }

  /** Row of a commit that was appended. */
  rowOf(hash: string): number | undefined {
    return this.#rowOf.get(hash);
  }

  append(commits: Iterable<LaneCommit>): void {
    for (const commit of commits) this.#appendCommit(commit);
  }

  /** Geometry of the rows from `first` up to, not including, `end`; cut off at what has been appended. */
  rows(first: number, end: number): LaneRow[] {
    const from = Math.max(0, first);
    const to = Math.min(end, this.rowCount);
    if (from >= to) return [];
    const edges: LaneEdge[][] = Array.from({ length: to - from }, () => []);
    for (const line of this.#linesNear(from, to)) this.#addPieces(line, { from, to, edges });
    return edges.map((pieces, index) => this.#finishRow(from + index, pieces));
  }

  #appendCommit(commit: LaneCommit): void {
    const row = this.rowCount;
    this.#markBlock(row);
    const arriving = this.#awaiting.get(commit.hash) ?? [];
    this.#awaiting.delete(commit.hash);
    const seed = this.#seedOf(commit.hash);

    let strongest: number | undefined;
    for (const line of arriving) {
      if (strongest === undefined || this.#outranks(line, strongest)) strongest = line;
    }
    let rank = strongest === undefined ? (seed?.rank ?? UNRANKED) : this.#lineRank.at(strongest);
    let colour = strongest === undefined ? colourOf(seed, commit.hash) : this.#lineColour.at(strongest);
    let name = strongest === undefined ? this.#internName(seed?.name) : this.#lineName.at(strongest);
    if (seed !== undefined && strongest !== undefined && seed.rank < rank) {
      rank = seed.rank;
      colour = colourOf(seed, seed.name);
      name = this.#internName(seed.name);
    }
    const lane = strongest === undefined ? this.#lanes.take() : this.#lineLane.at(strongest);
    // All but the commit's own lane are free again below this row.
    for (const line of arriving) {
      this.#lineEnd.set(line, row);
      this.#closeLine(line);
      if (this.#lineLane.at(line) !== lane) this.#lanes.release(this.#lineLane.at(line));
    }

    if (!this.#rowOf.has(commit.hash)) this.#rowOf.set(commit.hash, row);
    this.#rowLane.push(lane);
    this.#rowColour.push(colour);
    this.#rowName.push(name);
    this.#rowFirstLine.push(this.#lineStart.length);
    this.#rowFirstJoin.push(this.#joins.length);
    this.#leadToParents(commit.parents, { row, lane, colour, name, rank });
  }

  #leadToParents(parents: readonly string[], own: { row: number; lane: number; colour: number; name: number; rank: number }): void {
    let keepsLane = false;
    const seen = new Set<string>();
    for (const parent of parents) {
      const isFirst = seen.size === 0;
      if (seen.has(parent)) continue;
      seen.add(parent);
      if (this.#rowOf.has(parent)) {
        this.#rowsAbove.set(own.row, (this.#rowsAbove.get(own.row) ?? 0) + 1);
        continue;
      }
      if (isFirst) {
        keepsLane = true;
        this.#openLine(parent, own);
        continue;
      }
      const there = this.#awaiting.get(parent)?.[0];
      if (there !== undefined) {
        this.#joins.push(there);
        continue;
      }
      const seed = this.#seedOf(parent);
      this.#openLine(parent, {
        row: own.row,
        lane: this.#lanes.take(),
        colour: colourOf(seed, parent),
        name: this.#internName(seed?.name),
        rank: seed?.rank ?? MERGED,
      });
    }
    if (!keepsLane) this.#lanes.release(own.lane);
  }

  #openLine(target: string, line: { row: number; lane: number; colour: number; name: number; rank: number }): void {
    const id = this.#lineStart.length;
    this.#lineStart.push(line.row);
    this.#lineEnd.push(OPEN);
    this.#lineLane.push(line.lane);
    this.#lineColour.push(line.colour);
    this.#lineName.push(line.name);
    this.#lineRank.push(line.rank);
    this.#openAt.set(id, this.#open.push(id) - 1);
    const others = this.#awaiting.get(target);
    if (others === undefined) this.#awaiting.set(target, [id]);
    else others.push(id);
  }

  #closeLine(line: number): void {
    const at = this.#openAt.get(line);
    const last = this.#open.pop();
    this.#openAt.delete(line);
    if (at === undefined || last === undefined || last === line) return;
    this.#open[at] = last;
    this.#openAt.set(last, at);
  }

  #outranks(line: number, other: number): boolean {
    const difference = this.#lineRank.at(line) - this.#lineRank.at(other);
    return difference < 0 || (difference === 0 && this.#lineLane.at(line) < this.#lineLane.at(other));
  }

  #internName(name: string | undefined): number {
    if (name === undefined) return -1;
    const known = this.#nameIndex.get(name);
    if (known !== undefined) return known;
    this.#nameIndex.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  #markBlock(row: number): void {
    const last = this.#blockRow.at(-1);
    if (last !== undefined && row - last < Math.max(BLOCK, this.#open.length)) return;
    this.#blockRow.push(row);
    this.#blockLines.push(Int32Array.from(this.#open));
  }

  /** Lines that may pass the rows: open at the start of the block, or started since. */
  *#linesNear(from: number, to: number): Generator<number> {
    let low = 0;
    let high = this.#blockRow.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blockRow[middle] ?? 0) <= from) low = middle;
      else high = middle - 1;
    }
    yield* this.#blockLines[low] ?? [];
    const end = to < this.rowCount ? this.#rowFirstLine.at(to) : this.#lineStart.length;
    for (let line = this.#rowFirstLine.at(this.#blockRow[low] ?? 0); line < end; line++) yield line;
  }

  #addPieces(line: number, window: { from: number; to: number; edges: LaneEdge[][] }): void {
    const start = this.#lineStart.at(line);
    const end = this.#lineEnd.at(line);
    const lane = this.#lineLane.at(line);
    const colour = this.#lineColour.at(line);
    if (start >= window.from && start < window.to) {
      window.edges[start - window.from]?.push({ kind: 'out', from: this.#rowLane.at(start), to: lane, colour });
    }
    const last = end === OPEN ? window.to : Math.min(end, window.to);
    for (let row = Math.max(start + 1, window.from); row < last; row++) {
      window.edges[row - window.from]?.push({ kind: 'through', from: lane, to: lane, colour });
    }
    if (end !== OPEN && end >= window.from && end < window.to) {
      window.edges[end - window.from]?.push({ kind: 'in', from: lane, to: this.#rowLane.at(end), colour });
    }
  }

  #finishRow(row: number, edges: LaneEdge[]): LaneRow {
    const lane = this.#rowLane.at(row);
    const joinEnd = row + 1 < this.rowCount ? this.#rowFirstJoin.at(row + 1) : this.#joins.length;
    for (let join = this.#rowFirstJoin.at(row); join < joinEnd; join++) {
      const line = this.#joins.at(join);
      edges.push({ kind: 'out', from: lane, to: this.#lineLane.at(line), colour: this.#lineColour.at(line) });
    }
    edges.sort((a, b) => a.from - b.from || a.to - b.to);
    const name = this.#names[this.#rowName.at(row)] ?? null;
    return { row, lane, colour: this.#rowColour.at(row), name, edges, parentsAbove: this.#rowsAbove.get(row) ?? 0 };
  }
}

function colourOf(seed: LineSeed | undefined, hash: string): number {
  return seed?.colour ?? lineColour(seed?.name ?? hash);
}

/** Colour of a line from what it is named after (FNV-1a), so that it does not depend on where the line stands. */
export function lineColour(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % LANE_COLOURS;
}
