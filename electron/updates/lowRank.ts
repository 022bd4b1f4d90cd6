import { CheckpointError } from '../../shared/contract/errors';
import { elementCount } from '../../shared/model/shape';
import { addOperand } from './addOperand';
import { combineHeaders } from './combineHeaders';
import { matrixProduct, productHeader } from './matrixProduct';
import { broadcastTo, readOperand } from './operand';
import { requireMember } from './readMember';
import type { IncrementalUpdateType, Members } from './updateType';

/**
 * `R @ C + previous`; leading axes of R (and C) are batches. For values with fewer than two axes git-theta stores the difference itself
 * under `parameter`.
 */
export const lowRank: IncrementalUpdateType = {
  kind: 'low-rank',
  header: async (members, previous) => combineHeaders(members.get('parameter') ?? productHeader(factors(members)), previous),
  prepare: async (_, context) => ({
    apply: async (window, members) => {
      const { dtype, shape } = context.result;
      const difference = members.get('parameter');
      if (difference !== undefined) return addOperand(window, { lanes: await readOperand(difference, window, context), dtype: difference.dtype }, dtype);
      const pair = factors(members);
      const header = productHeader(pair);
      const elements = elementCount(header.shape);
      const same = elements === elementCount(shape);
      const product = await matrixProduct(pair, same ? window : { start: 0, count: elements }, context.signal);
      return addOperand(window, { lanes: same ? product : broadcastTo(product, header, { window, context }), dtype: header.dtype }, dtype);
    },
  }),
};

function factors(members: Members) {
  const left = requireMember(members, 'R');
  const right = requireMember(members, 'C');
  if (left.shape.length === 0 || right.shape.length === 0)
    throw new CheckpointError('malformed', 'A factor of a low-rank update is a single number, not a matrix.');
  return { left, right };
}
