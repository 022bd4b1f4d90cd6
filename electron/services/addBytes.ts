/** A sum of sizes. Damaged metadata may claim any of them; beyond 2^53 the contract takes no number, so the sum stays there. */
export function addBytes(a: number, b: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, a + b);
}
