import type { DType } from '../../../shared/model/dtype';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { estimateDistinct } from './distinctCounter';
import { finishMoments } from './moments';
import { patternStatistics } from './patternStatistics';
import type { StatisticsPart } from './statisticsPart';

/** The statistics that a part, or all parts of a tensor joined, stand for. Different patterns of more than 16 bits are an estimate. */
export function finishPart(dtype: DType, part: StatisticsPart): TensorStats {
  if (part.kind === 'patterns') return patternStatistics(dtype, part.counts);
  const { count, nan, positiveInfinity, negativeInfinity, zeros, subnormals, exact, moments } = part;
  const finite = moments.count;
  const distinct = { count: Math.min(count, estimateDistinct(part.registers)), exact: false };
  const known = { count, finite, nan, positiveInfinity, negativeInfinity, zeros, subnormals, distinct, exact };
  if (finite === 0) return { ...known, min: null, max: null, mean: null, std: null, l1: 0, norm: 0 };
  return { ...known, min: part.min, max: part.max, ...finishMoments(moments, part) };
}
