import type { ErrorData } from '../../../shared/contract/errors';
import type { TensorRef } from '../../tensors/tensorRef';

/** Byte offset in a file at which all bytes of a tensor lie as they are; `null` when they are elsewhere, scattered, or in another order. */
export function placeInFile(data: ErrorData | TensorRef, path: string): number | null {
  if ('code' in data || data.strides !== null || data.bigEndian) return null;
  const { source } = data;
  return source.kind === 'file' && source.path === path ? (source.range?.offset ?? 0) + data.offset : null;
}
