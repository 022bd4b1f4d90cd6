import { encodeConstant } from './encodeConstant';
import type { NewTensor } from './newTensor';

/**
 * A tensor whose every element is the same constant.
 * @param like type (TensorProto.DataType) and shape of the tensor
 * @throws CheckpointError invalid-request when the type cannot hold the constant
 */
export function constantTensor(text: string, like: { readonly type: number; readonly dims: readonly number[] }): NewTensor {
  return { type: like.type, dims: like.dims, data: { kind: 'repeat', unit: encodeConstant(text, like.type) } };
}
