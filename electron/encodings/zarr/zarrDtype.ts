import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';

/** numpy's type letter and bytes; `b` is bool, not a byte. */
const NAMES: ReadonlyMap<string, DType> = new Map([
  ['b1', 'bool'],
  ['i1', 'int8'],
  ['u1', 'uint8'],
  ['i2', 'int16'],
  ['u2', 'uint16'],
  ['i4', 'int32'],
  ['u4', 'uint32'],
  ['i8', 'int64'],
  ['u8', 'uint64'],
  ['f2', 'float16'],
  ['f4', 'float32'],
  ['f8', 'float64'],
  ['c8', 'complex64'],
  ['c16', 'complex128'],
]);

/** Types that tensorstore's zarr driver knows by name, because numpy has no letter for them. Little-endian. */
const EXTENSIONS: ReadonlyMap<string, DType> = new Map([
  ['bfloat16', 'bfloat16'],
  ['float8_e4m3fn', 'float8_e4m3fn'],
  ['float8_e4m3fnuz', 'float8_e4m3fnuz'],
  ['float8_e5m2', 'float8_e5m2'],
  ['float8_e5m2fnuz', 'float8_e5m2fnuz'],
]);

/** A zarr v2 dtype: byte order (`<`, `>`, or `|` for single bytes), letter, bytes. @throws CheckpointError unsupported-format, malformed */
export function parseZarrDtype(text: unknown): { readonly dtype: DType; readonly bigEndian: boolean } {
  if (typeof text !== 'string') throw new CheckpointError('unsupported-format', 'The array holds records, not numbers.');
  const extension = EXTENSIONS.get(text);
  if (extension !== undefined) return { dtype: extension, bigEndian: false };
  const dtype = NAMES.get(text.slice(1));
  const order = text[0];
  if (dtype === undefined || (order !== '<' && order !== '>' && order !== '|')) {
    throw new CheckpointError('unsupported-format', `The array has the element type ${JSON.stringify(text.slice(0, 40))}, which is no number that we know.`);
  }
  const single = text.endsWith('1');
  if (order === '|' && !single) throw new CheckpointError('malformed', `The element type ${text} has no byte order.`);
  return { dtype, bigEndian: order === '>' && !single };
}
