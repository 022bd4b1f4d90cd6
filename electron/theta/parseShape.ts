import type { Shape } from '../../shared/model/shape';
import { elementCount } from '../../shared/model/shape';

/** Python's text of a tuple: `()`, `(3,)`, `(3, 4)`. `null` when it is none, or names more elements than 2^53. */
export function parseShape(text: string): Shape | null {
  const match = /^\(\s*(?:(\d+(?:\s*,\s*\d+)*)\s*,?\s*)?\)$/.exec(text);
  if (match === null) return null;
  const shape = match[1] === undefined ? [] : match[1].split(',').map(Number);
  // `(3)` is a number in Python, not a tuple.
  if (shape.length === 1 && !text.includes(',')) return null;
  try {
    elementCount(shape);
  } catch {
    return null;
  }
  return shape;
}
