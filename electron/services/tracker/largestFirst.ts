/** The largest first, so that none is left for the end while the other workers have nothing to do. */
export function largestFirst<T extends { readonly bytes: number }>(groups: readonly T[]): readonly T[] {
  return groups.toSorted((a, b) => b.bytes - a.bytes);
}
