/** Names longer than this many components are compared by their ends. */
const MAX_PARTS = 32;

/**
 * How like two names are, from 0 to 1: components that stand in both in the same order, each counted by the letters that it shares at its beginning
 * and end, over all components (twice the common ones over the sum of both). 1 only for equal names.
 */
export function nameLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const [left, right] = [partsOf(a), partsOf(b)];
  let above = new Float64Array(right.length + 1);
  for (const part of left) {
    const row = new Float64Array(right.length + 1);
    for (const [index, other] of right.entries()) {
      row[index + 1] = Math.max(above[index + 1] ?? 0, row[index] ?? 0, (above[index] ?? 0) + partLikeness(part, other));
    }
    above = row;
  }
  return Math.min(0.999, (2 * (above[right.length] ?? 0)) / (left.length + right.length));
}

function partsOf(name: string): string[] {
  return name.split(/[./]/).slice(-MAX_PARTS);
}

function partLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return (start + end) / Math.max(a.length, b.length);
}
