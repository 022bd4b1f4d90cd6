import { type DType, dtypeBytes, dtypeKind } from '../../shared/model/dtype';

/** Turns big-endian elements into little-endian ones, in place; both halves of a complex number by themselves. */
export function swapBytes(dtype: DType, bytes: Uint8Array): void {
  const unit = dtypeKind(dtype) === 'complex' ? dtypeBytes(dtype) / 2 : dtypeBytes(dtype);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (unit === 2) view.swap16();
  else if (unit === 4) view.swap32();
  else if (unit === 8) view.swap64();
}
