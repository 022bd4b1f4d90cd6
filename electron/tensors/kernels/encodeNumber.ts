import type { DType } from '../../../shared/model/dtype';
import { dtypeBytes } from '../../../shared/model/dtype';
import { toBfloat16, toFloat16 } from './smallFloats';

/** One floating-point element, little-endian, nearest to `value`; `null` for types that we cannot encode anything but zero in. */
export function encodeNumber(value: number, dtype: DType): Uint8Array | null {
  const view = new DataView(new ArrayBuffer(dtypeBytes(dtype)));
  if (dtype === 'float64') view.setFloat64(0, value, true);
  else if (dtype === 'float32') view.setFloat32(0, value, true);
  else if (dtype === 'float16') view.setUint16(0, toFloat16(value), true);
  else if (dtype === 'bfloat16') view.setUint16(0, toBfloat16(value), true);
  else if (!Object.is(value, 0)) return null;
  return new Uint8Array(view.buffer);
}
