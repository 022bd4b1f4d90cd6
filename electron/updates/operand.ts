import { elementCount } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { expandBroadcast } from '../tensors/kernels/broadcast';
import { type Lanes, lanesPerElement, zeroLanes } from '../tensors/kernels/lanes';
import { readAll, readRange } from './readMember';
import type { StepContext, TensorHeader, Window } from './updateType';

/** The elements of an array of a member that stand against a window's, in the array's own type: read as they are, or broadcast. */
export async function readOperand(array: ZarrArray, window: Window, context: StepContext): Promise<Lanes> {
  if (elementCount(array.shape) === elementCount(context.result.shape)) return readRange(array, window, context.signal);
  return broadcastTo(await readAll(array, context.signal), array, { window, context });
}

/** A window of `lanes` broadcast to the shape of the result. */
export function broadcastTo(lanes: Lanes, header: TensorHeader, to: { readonly window: Window; readonly context: StepContext }): Lanes {
  const { window, context } = to;
  const into = zeroLanes(header.dtype, window.count);
  const range = { from: header.shape, to: context.result.shape, start: window.start, count: window.count, width: lanesPerElement(header.dtype) };
  expandBroadcast(lanes, into, range);
  return into;
}
