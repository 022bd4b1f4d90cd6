import { emptyPart, mergePart, type PairPart } from './pairPart';

/** What is known of all parts together. @param parts in the order of their elements */
export function joinParts(parts: readonly PairPart[]): PairPart {
  const all = emptyPart();
  for (const part of parts) mergePart(all, part);
  return all;
}
