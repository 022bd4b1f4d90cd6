import type { CommitInfo, HeadInfo, RefInfo } from '../../shared/model/commit';
import { CommitLanes, LANE_COLOURS, type LineSeed, lineColour } from '../charts/commitLanes';

/** Refs that name and colour the lines of a graph. */
export interface LineRefs {
  readonly head: HeadInfo;
  readonly refs: readonly RefInfo[];
}

/** Commits of one generation of the history, from the newest on, as far as they are loaded, with their lanes. Only ever appended to. */
export class HistoryList {
  readonly generation: number;
  readonly #commits: CommitInfo[] = [];
  #lanes: CommitLanes;
  #total: number | null = null;
  #complete = false;

  constructor(generation: number, refs: LineRefs) {
    this.generation = generation;
    this.#lanes = new CommitLanes(seedsOf(refs));
  }

  /** Commits that are loaded. */
  get loaded(): number {
    return this.#commits.length;
  }

  /** Commits of the whole history; `null` while the host is still walking. */
  get total(): number | null {
    return this.#complete ? this.#commits.length : this.#total;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  get lanes(): CommitLanes {
    return this.#lanes;
  }

  commitAt(row: number): CommitInfo | undefined {
    return this.#commits[row];
  }

  rowOf(hash: string): number | undefined {
    return this.#lanes.rowOf(hash);
  }

  append(commits: readonly CommitInfo[], total: number | null): void {
    for (const commit of commits) this.#commits.push(commit);
    this.#lanes.append(commits);
    this.#total = total ?? this.#total;
    // An empty page ends it too: nothing would ever come after that.
    this.#complete = commits.length === 0 || (this.#total !== null && this.#commits.length >= this.#total);
  }

  /** The host has walked to the end and says how many there are. */
  learnTotal(total: number): void {
    this.#total = total;
    this.#complete = this.#commits.length >= total;
  }

  /** Names and colours the lines after other refs; rows and lanes stay. */
  renameLines(refs: LineRefs): void {
    const lanes = new CommitLanes(seedsOf(refs));
    lanes.append(this.#commits);
    this.#lanes = lanes;
  }
}

const USUAL_TRUNKS = new Set(['main', 'master', 'trunk']);

/**
 * What the line that ends at a commit is called. Where lines meet, HEAD's branch goes on before the usual trunk, that before other branches,
 * and branches before what is only on a remote. A remote branch has the name, and so the colour, of the branch that it mirrors.
 */
export function seedsOf({ head, refs }: LineRefs): (hash: string) => LineSeed | undefined {
  const seeds = new Map<string, LineSeed>();
  for (const ref of refs) {
    if (ref.kind === 'tag') continue;
    const name = ref.kind === 'branch' ? ref.name : ref.name.slice(ref.name.indexOf('/') + 1);
    const isHead = ref.kind === 'branch' && head.kind === 'branch' && head.name === ref.name;
    const rank = (isHead ? 0 : USUAL_TRUNKS.has(name) ? 2 : 4) + (ref.kind === 'branch' ? 0 : 1);
    const known = seeds.get(ref.commit);
    if (known === undefined || rank < known.rank) seeds.set(ref.commit, { name, rank });
  }
  const colours = spreadColours([...seeds.values()]);
  return (hash) => {
    const seed = seeds.get(hash);
    const colour = seed === undefined ? undefined : colours.get(seed.name);
    return seed === undefined || colour === undefined ? seed : { ...seed, colour };
  };
}

/** Colours by name: each its own as long as there are enough, the strongest lines first; beyond, the name alone decides. */
function spreadColours(seeds: readonly LineSeed[]): ReadonlyMap<string, number> {
  const colours = new Map<string, number>();
  const inOrder = [...seeds].sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const { name } of inOrder) {
    if (colours.size === LANE_COLOURS) break;
    if (colours.has(name)) continue;
    const taken = new Set(colours.values());
    let colour = lineColour(name);
    while (taken.has(colour)) colour = (colour + 1) % LANE_COLOURS;
    colours.set(name, colour);
  }
  return colours;
}
