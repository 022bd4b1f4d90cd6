import { TIMELINE_KINDS } from '../../shared/model/timeline';
import type { ArrangedRows } from './timelineRows';
import type { TimelineStates } from './timelineStates';

/** What each commit did to the groups under a module, column by column. */
export interface ModuleChanges {
  /** Groups that changed. */
  readonly counts: Uint32Array<ArrayBuffer>;
  readonly storedBytes: Float64Array<ArrayBuffer>;
  /** Code of the kind that stored the most bytes, of equal ones the most frequent; -1 where nothing changed. */
  readonly kinds: Int8Array<ArrayBuffer>;
  /** Bit k: some group changed by kind k. */
  readonly kindSets: Uint16Array<ArrayBuffer>;
}

const KINDS = TIMELINE_KINDS.length;

/** @param place of the module in the tree */
export function moduleChanges(states: TimelineStates, { tree, rowAt }: Pick<ArrangedRows, 'tree' | 'rowAt'>, place: number): ModuleChanges {
  const columns = states.index.columns.length;
  const module = tree[place];
  const end = module?.kind === 'module' ? module.end : place;
  const { kinds, storedBytes } = states.index.changes;
  const byKind = new Float64Array(columns * KINDS);
  const often = new Uint32Array(columns * KINDS);
  const sums = {
    counts: new Uint32Array(columns),
    storedBytes: new Float64Array(columns),
    kinds: new Int8Array(columns).fill(-1),
    kindSets: new Uint16Array(columns),
  };
  for (let at = place + 1; at < end; at++) {
    const row = rowAt[at] ?? -1;
    if (row < 0) continue;
    const last = states.rowStarts[row + 1] ?? 0;
    for (let next = states.rowStarts[row] ?? 0; next < last; next++) {
      const entry = states.rowEntries[next] ?? 0;
      const column = states.columnOfEntry[entry] ?? 0;
      const kind = kinds[entry] ?? 0;
      const bytes = storedBytes[entry] ?? 0;
      sums.counts[column] = (sums.counts[column] ?? 0) + 1;
      sums.storedBytes[column] = (sums.storedBytes[column] ?? 0) + bytes;
      sums.kindSets[column] = (sums.kindSets[column] ?? 0) | (1 << kind);
      byKind[column * KINDS + kind] = (byKind[column * KINDS + kind] ?? 0) + bytes;
      often[column * KINDS + kind] = (often[column * KINDS + kind] ?? 0) + 1;
    }
  }
  for (let column = 0; column < columns; column++) sums.kinds[column] = leading(byKind, often, column);
  return sums;
}

function leading(byKind: Float64Array, often: Uint32Array, column: number): number {
  let best = -1;
  for (let kind = 0; kind < KINDS; kind++) {
    const at = column * KINDS + kind;
    if ((often[at] ?? 0) === 0) continue;
    const before = column * KINDS + best;
    const more = best < 0 ? 1 : (byKind[at] ?? 0) - (byKind[before] ?? 0) || (often[at] ?? 0) - (often[before] ?? 0);
    if (more > 0) best = kind;
  }
  return best;
}
