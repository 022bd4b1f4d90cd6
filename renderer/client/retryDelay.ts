const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** Milliseconds to wait before the next attempt after `failures` ones: doubling, never longer than 15 s. */
export function retryDelay(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
}
