import type { DType } from '../../shared/model/dtype';
import { addLanes } from '../tensors/kernels/addLanes';
import { convertLanes } from '../tensors/kernels/convertLanes';
import type { Lanes } from '../tensors/kernels/lanes';
import type { Window } from './updateType';

/** `operand + window`, both converted to the type of the result first. */
export function addOperand(window: Window, operand: { readonly lanes: Lanes; readonly dtype: DType }, dtype: DType): Window {
  const lanes = convertLanes(window.lanes, window.dtype, dtype);
  addLanes(dtype, convertLanes(operand.lanes, operand.dtype, dtype), lanes);
  return { ...window, dtype, lanes, zeroAdded: false };
}
