import { CheckpointError } from '../../shared/contract/errors';
import type { DType } from '../../shared/model/dtype';
import { tensorBytes } from '../../shared/model/shape';
import { broadcastShapes } from '../tensors/kernels/broadcast';
import { promote } from '../tensors/promote';
import type { TensorHeader } from './updateType';

/**
 * Element type and shape of `update + previous` or `previous * update` in NumPy.
 * @throws CheckpointError malformed when the shapes do not fit, unsupported-format when there is no such arithmetic
 */
export function combineHeaders(update: TensorHeader, previous: TensorHeader): TensorHeader {
  const dtype = promote(update.dtype, previous.dtype);
  if (dtype === null || !hasArithmetic(dtype)) {
    throw new CheckpointError('unsupported-format', `An update of type ${update.dtype} cannot be applied to ${previous.dtype}.`);
  }
  const shape = broadcastShapes(update.shape, previous.shape);
  if (shape === null) {
    throw new CheckpointError(
      'malformed',
      `An update of shape [${update.shape.join(', ')}] does not fit the previous value of shape [${previous.shape.join(', ')}].`,
    );
  }
  try {
    tensorBytes(dtype, shape);
  } catch (error) {
    throw new CheckpointError('malformed', `The value after an update would be too large: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { dtype, shape };
}

function hasArithmetic(dtype: DType): boolean {
  return !dtype.startsWith('float8') && dtype !== 'complex32';
}
