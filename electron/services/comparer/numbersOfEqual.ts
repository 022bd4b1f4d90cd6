import { dtypeKind } from '../../../shared/model/dtype';
import type { PairNumbers } from '../../../shared/model/pairNumbers';
import { elementCount } from '../../../shared/model/shape';
import type { OpenedGroup } from '../checkpoints/openedCheckpoint';
import type { Tolerance } from './tolerance';

/** What comparing a value with itself gives: nobody has to read it. */
export function numbersOfEqual({ group: { dtype, shape } }: OpenedGroup, { rtol, atol }: Tolerance): PairNumbers {
  return {
    comparedAs: dtype,
    shape,
    elements: elementCount(shape),
    changed: 0,
    beyond: 0,
    rtol,
    atol,
    notFinite: 0,
    signFlips: 0,
    maxAbs: 0,
    maxAt: null,
    maxRelative: 0,
    meanAbs: 0,
    rms: 0,
    norm: 0,
    relativeL2: 0,
    cosine: 1,
    maxUlp: dtypeKind(dtype) === 'float' ? 0 : null,
  };
}
