import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { descrOf, numpyDtype } from '../npy/npyTypes';

/**
 * Types that tensorstore's zarr driver knows by name, because numpy has no letter for them, and at the end two that it has no name for
 * either: only this program reads those, but better so than not at all. Little-endian.
 */
const EXTENSIONS: ReadonlyMap<string, DType> = new Map([
  ['bfloat16', 'bfloat16'],
  ['float8_e4m3fn', 'float8_e4m3fn'],
  ['float8_e4m3fnuz', 'float8_e4m3fnuz'],
  ['float8_e5m2', 'float8_e5m2'],
  ['float8_e5m2fnuz', 'float8_e5m2fnuz'],
  ['float8_e8m0fnu', 'float8_e8m0fnu'],
  ['complex32', 'complex32'],
]);

/** A zarr v2 dtype: byte order (`<`, `>`, or `|` for single bytes), letter, bytes. @throws CheckpointError unsupported-format, malformed */
export function parseZarrDtype(text: unknown): { readonly dtype: DType; readonly bigEndian: boolean } {
  if (typeof text !== 'string') throw new CheckpointError('unsupported-format', 'The array holds records, not numbers.');
  const extension = EXTENSIONS.get(text);
  if (extension !== undefined) return { dtype: extension, bigEndian: false };
  const dtype = numpyDtype(text.slice(1));
  const order = text[0];
  if (dtype === undefined || (order !== '<' && order !== '>' && order !== '|')) {
    throw new CheckpointError('unsupported-format', `The array has the element type ${JSON.stringify(text.slice(0, 40))}, which is no number that we know.`);
  }
  const single = text.endsWith('1');
  if (order === '|' && !single) throw new CheckpointError('malformed', `The element type ${text} has no byte order.`);
  return { dtype, bigEndian: order === '>' && !single };
}

/** The zarr v2 dtype of little-endian elements; `null` for a type that has no name there. */
export function formatZarrDtype(dtype: DType): string | null {
  return EXTENSIONS.has(dtype) ? dtype : descrOf(dtype);
}
