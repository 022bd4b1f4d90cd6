import type { TimelineStates } from '../../charts/timelineStates';
import type { CellNumbers } from '../../state/cellNumbers';

/** Column of the last commit that did something to a group. */
export function lastChangeOf(states: TimelineStates, row: number): number {
  const last = (states.rowStarts[row + 1] ?? 0) - 1;
  return last < (states.rowStarts[row] ?? 0) ? -1 : (states.columnOfEntry[states.rowEntries[last] ?? -1] ?? -1);
}

/** How far a group has moved: the sum of its ‖Δ‖ as far as they are known; while none at all is known, how often it changed. */
export function driftOf(states: TimelineStates, numbers: CellNumbers): (row: number) => number {
  const isMeasured = numbers.range('delta').greatest > 0;
  return (row) => {
    const [first, end] = [states.rowStarts[row] ?? 0, states.rowStarts[row + 1] ?? 0];
    if (!isMeasured) return end - first;
    let sum = 0;
    for (let at = first; at < end; at++) {
      const value = numbers.value('delta', states.rowEntries[at] ?? -1);
      if (Number.isFinite(value)) sum += value;
    }
    return sum;
  };
}

/** Whether some version of the group is known to hold a NaN. */
export function hasNan(states: TimelineStates, numbers: CellNumbers, row: number): boolean {
  const end = states.rowStarts[row + 1] ?? 0;
  for (let at = states.rowStarts[row] ?? 0; at < end; at++) if (numbers.value('nan', states.rowEntries[at] ?? -1) > 0) return true;
  return false;
}
