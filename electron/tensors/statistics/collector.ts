import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { createKernelScanner } from './kernelScanner';
import { createNumberCollector } from './numberCollector';
import { createPatternCollector } from './patternCollector';
import type { Scanner } from './scanner';
import type { PartCollector, StatisticsPart } from './statisticsPart';

export interface Collector extends Omit<PartCollector<StatisticsPart>, 'part'> {
  /** What was added; nothing can be added afterwards. */
  finish(): StatisticsPart;
}

/** One-pass statistics of the elements of a tensor, or of a part of it, in bounded memory. @param scanner for tests: the loops instead of the kernels */
export function createCollector(dtype: DType, scanner: Scanner = createKernelScanner()): Collector {
  const collector = dtypeBytes(dtype) <= 2 ? createPatternCollector(dtype, scanner) : createNumberCollector(dtype, scanner);
  return {
    add: collector.add,
    input: collector.input,
    addInput: collector.addInput,
    finish() {
      const part = collector.part();
      scanner.release();
      return part;
    },
  };
}
