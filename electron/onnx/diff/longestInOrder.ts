/**
 * Which positions belong to a longest increasing run of `values` (patience sorting, O(n log n)): the fewest others must have moved.
 */
export function longestInOrder(values: readonly number[]): Set<number> {
  /** Position of the smallest last value of a run of each length. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [i, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? (ends[low - 1] ?? -1) : -1);
    ends[low] = i;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.add(at);
  return kept;
}
