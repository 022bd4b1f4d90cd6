import { convertLanes } from '../tensors/kernels/convertLanes';
import { multiplyLanes } from '../tensors/kernels/multiplyLanes';
import { combineHeaders } from './combineHeaders';
import { readOperand } from './operand';
import { requireMember } from './readMember';
import type { IncrementalUpdateType } from './updateType';

/** `previous * ia3` with NumPy's broadcasting; the result may have more axes than the previous value. */
export const ia3: IncrementalUpdateType = {
  kind: 'ia3',
  header: async (members, previous) => combineHeaders(requireMember(members, 'ia3'), previous),
  prepare: async (_, context) => ({
    apply: async (window, members) => {
      const factor = requireMember(members, 'ia3');
      const { dtype } = context.result;
      const lanes = convertLanes(window.lanes, window.dtype, dtype);
      multiplyLanes(dtype, lanes, convertLanes(await readOperand(factor, window, context), factor.dtype, dtype));
      return { ...window, dtype, lanes, zeroAdded: false };
    },
  }),
};
