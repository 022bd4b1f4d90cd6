import type { DType } from '../../../shared/model/dtype';
import { possibleTensorBytes, type Shape } from '../../../shared/model/shape';
import { numpyDtype } from '../../encodings/npy/npyTypes';
import type { PickleScalar, PickleValue } from '../../encodings/pickle/pickleValue';
import { extents } from './rebuildTensor';
import { globalName } from './torchNames';

/** A NumPy array or scalar whose elements lie in the pickle. */
export interface ArrayDescription {
  readonly kind: 'array' | 'scalar';
  readonly dtype: DType;
  readonly shape: Shape;
  readonly fortranOrder: boolean;
  readonly bigEndian: boolean;
  /** Bytes of the elements. */
  readonly bytes: number;
  /** The elements, as bytes or as text with one character for each byte. */
  readonly data: RawData;
}

type RawData = Extract<PickleScalar, { kind: 'bytes' | 'string' }>;

/** NumPy 2 renamed `numpy.core` to `numpy._core`. */
const RECONSTRUCT = /^numpy\.(?:_core|core)\.multiarray\._reconstruct$/;
const SCALAR = /^numpy\.(?:_core|core)\.multiarray\.scalar$/;

/**
 * The array that NumPy would rebuild: `_reconstruct(ndarray, ...)` with the state (version, shape, dtype, Fortran order, bytes),
 * or `scalar(dtype, bytes)`, which has no axes (numpy/_core/src/multiarray/methods.c `array_setstate`).
 * `null` when the value is neither; a reason when its elements are not numbers.
 */
export function rebuildArray(value: PickleValue): ArrayDescription | { readonly kind: 'unread'; readonly reason: string } | null {
  if (value.kind !== 'object') return null;
  const name = globalName(value.callable) ?? '';
  if (SCALAR.test(name)) return arrayOf(value.args.items[0], { kind: 'scalar', shape: [], data: value.args.items[1], fortranOrder: false });
  if (!RECONSTRUCT.test(name)) return null;
  const state = value.state?.kind === 'tuple' ? value.state.items : [];
  // Before version 1 of the state there was no version in it.
  const [size, dtype, fortran, data] = state.length === 4 ? state : state.slice(1);
  const shape = size === undefined ? null : extents(size);
  if (shape === null || fortran === undefined) return { kind: 'unread', reason: 'a NumPy array whose description is malformed' };
  const fortranOrder = (fortran.kind === 'bool' && fortran.value) || (fortran.kind === 'int' && fortran.value !== 0);
  return arrayOf(dtype, { kind: 'array', shape, data, fortranOrder });
}

type Parts = { readonly kind: ArrayDescription['kind']; readonly shape: Shape; readonly data: PickleValue | undefined; readonly fortranOrder: boolean };

function arrayOf(type: PickleValue | undefined, { kind, shape, data, fortranOrder }: Parts): ArrayDescription | { kind: 'unread'; reason: string } {
  const element = type === undefined ? null : elementType(type);
  if (element === null) return { kind: 'unread', reason: 'a NumPy array whose elements are no numbers that are read' };
  const raw = data === undefined ? null : rawData(data);
  const expected = possibleTensorBytes(element.dtype, shape);
  if (expected === null) return { kind: 'unread', reason: 'a NumPy array that is larger than any can be' };
  if (raw?.value.length !== expected) return { kind: 'unread', reason: 'a NumPy array whose number of bytes does not fit its shape' };
  return { kind, ...element, shape, fortranOrder, bytes: expected, data: raw };
}

/** `dtype('f8', False, True)` with the state `(3, '<', None, ...)`. */
function elementType(value: PickleValue): { dtype: DType; bigEndian: boolean } | null {
  if (value.kind !== 'object' || globalName(value.callable) !== 'numpy.dtype') return null;
  const [code] = value.args.items;
  const order = value.state?.kind === 'tuple' ? value.state.items[1] : undefined;
  const dtype = code?.kind === 'string' ? numpyDtype(code.value) : undefined;
  if (dtype === undefined) return null;
  return { dtype, bigEndian: order?.kind === 'string' && order.value === '>' };
}

/** Protocols before 3 have no bytes: Python writes them as `_codecs.encode(text, 'latin1')`. */
function rawData(value: PickleValue): RawData | null {
  if (value.kind === 'bytes') return value;
  if (value.kind !== 'object' || globalName(value.callable) !== '_codecs.encode') return null;
  const [text, encoding] = value.args.items;
  return text?.kind === 'string' && encoding?.kind === 'string' && encoding.value === 'latin1' ? text : null;
}
