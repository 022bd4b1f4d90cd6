import type { DType } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';
import { tensorBytes } from '../../shared/model/shape';

/** numpy's limit of axes. */
const MAX_RANK = 64;
/** Room for as many extents of 2^53 and what stands between them. A longer text is none that Python wrote, and the pattern may take long to say so. */
const MAX_TEXT = MAX_RANK * 20;

/** Python's text of a tuple: `()`, `(3,)`, `(3, 4)`. `null` when it is none, or no array of this type can have the shape: more than 64 axes or 2^53 bytes. */
export function parseShape(text: string, dtype: DType): Shape | null {
  if (text.length > MAX_TEXT) return null;
  const match = /^\(\s*(?:(\d+(?:\s*,\s*\d+)*)\s*,?\s*)?\)$/.exec(text);
  if (match === null) return null;
  const shape = match[1] === undefined ? [] : match[1].split(',').map(Number);
  // `(3)` is a number in Python, not a tuple.
  if (shape.length > MAX_RANK || (shape.length === 1 && !text.includes(','))) return null;
  try {
    tensorBytes(dtype, shape);
  } catch {
    return null;
  }
  return shape;
}
