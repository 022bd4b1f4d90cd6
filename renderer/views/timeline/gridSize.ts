/** Height of the line of branches and tags, and of the hashes below it; as in the style sheet. */
export const HEAD_HEIGHT = 84;
const NAMES = 280;

/** Pixels of the names at the left. */
export function namesWidth(width: number): number {
  return Math.round(Math.min(NAMES, width * 0.4));
}
