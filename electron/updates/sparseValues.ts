import { CheckpointError } from '../../shared/contract/errors';
import { elementCount } from '../../shared/model/shape';
import { putAt } from '../tensors/kernels/putAt';
import { openPairs } from './orderedPairs';
import type { PairArrays } from './pairs';
import { requireMember } from './readMember';
import type { IncrementalUpdateType, Members, TensorHeader } from './updateType';

/**
 * The new elements themselves, at their flat positions: `previous` with those elements replaced. A type of our own, which git-theta does not
 * know: it gives every value exactly, in every element type, where no difference does (NaN, -0.0, a change of sign). Members: `values`, a list
 * in the type of the group; `indices`, as many int32 or int64 in C order, strictly ascending. Element type and shape stay.
 */
export const sparseValues: IncrementalUpdateType = {
  kind: 'sparse-values',
  header: async (members, previous) => {
    checkedArrays(members, previous);
    return { dtype: previous.dtype, shape: previous.shape };
  },
  prepare: async (members, { previous, result, signal }) => {
    const arrays = checkedArrays(members, previous);
    const pairs = await openPairs(arrays, { count: elementCount(arrays.indices.shape), total: elementCount(result.shape), signal });
    if (!pairs.ascending) throw damaged('its indices do not ascend');
    return {
      pairs,
      apply: async (window, reopened) => {
        let { zeroAdded } = window;
        await pairs.each(window, arraysOf(reopened), (piece) => {
          putAt(window.dtype, window.lanes, piece);
          // -0.0 or a signalling NaN may have come in.
          zeroAdded &&= piece.positions.length === 0;
        });
        return { ...window, zeroAdded };
      },
    };
  },
};

function arraysOf(members: Members): PairArrays {
  return { values: requireMember(members, 'values'), indices: requireMember(members, 'indices') };
}

function checkedArrays(members: Members, { dtype }: TensorHeader): PairArrays {
  const arrays = arraysOf(members);
  const { values, indices } = arrays;
  if (values.dtype !== dtype) throw damaged(`its values are ${values.dtype}, but the previous value is ${dtype}`);
  if (indices.dtype !== 'int32' && indices.dtype !== 'int64') throw damaged(`its indices are ${indices.dtype}, not int32 or int64`);
  if (values.shape.length !== 1 || indices.shape.length !== 1) throw damaged('its values or its indices are no list');
  const [stored, named] = [elementCount(values.shape), elementCount(indices.shape)];
  if (stored !== named) throw damaged(`it has ${stored} values, but ${named} indices`);
  return arrays;
}

function damaged(what: string): CheckpointError {
  return new CheckpointError('malformed', `An update of new values is damaged: ${what}.`);
}
