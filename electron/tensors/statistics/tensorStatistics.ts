import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { createCollector } from './collector';
import { countDistinct, EXACT_ELEMENTS } from './exactDistinct';
import { finishPart } from './finishPart';

/**
 * Statistics of a tensor whose blocks pass by, without a histogram.
 * @param elements of the whole tensor: of a small one the different bit patterns are counted, not estimated
 */
export function createTensorStatistics(dtype: DType, elements: number): { add(block: Uint8Array): void; finish(): TensorStats } {
  const collector = createCollector(dtype);
  const size = dtypeBytes(dtype);
  const kept = size > 2 && elements <= EXACT_ELEMENTS ? new Uint8Array(elements * size) : null;
  let done = 0;
  return {
    add(block) {
      kept?.set(block, done);
      done += block.byteLength;
      collector.add(block);
    },
    finish() {
      const stats = finishPart(dtype, collector.finish());
      return kept === null ? stats : { ...stats, distinct: { count: countDistinct(dtype, kept), exact: true } };
    },
  };
}
