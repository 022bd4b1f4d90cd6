import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { addPatterns, estimateDistinct, newRegisters } from './distinctCounter';
import { countDistinct } from './exactDistinct';

/** Up to so many elements the bit patterns are counted, beyond it they are estimated. */
const EXACT_ELEMENTS = 262_144;

/** What is known of a tensor by its bits rather than by its numbers: different patterns, and extremes of 64-bit integers. */
export function createPatternSummary(dtype: DType, bytes: number): { add(block: Uint8Array): void; finish(): Pick<TensorStats, 'distinct' | 'exact'> } {
  const size = dtypeBytes(dtype);
  const short = size <= 2 ? new Uint8Array(65_536) : null;
  const kept = short === null && bytes <= EXACT_ELEMENTS * size ? new Uint8Array(bytes) : null;
  const registers = newRegisters();
  let done = 0;
  let low: bigint | null = null;
  let high: bigint | null = null;
  return {
    add(block) {
      if (short !== null)
        for (let at = 0; at < block.byteLength; at += size) short[size === 1 ? (block[at] ?? 0) : (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8)] = 1;
      else if (kept !== null) kept.set(block, done);
      else addPatterns(registers, dtype, block);
      done += block.byteLength;
      if (dtype !== 'int64' && dtype !== 'uint64') return;
      const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
      for (let at = 0; at < block.byteLength; at += 8) {
        const value = dtype === 'int64' ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
        if (low === null || value < low) low = value;
        if (high === null || value > high) high = value;
      }
    },
    finish: () => ({
      distinct:
        short !== null
          ? { count: short.reduce((sum, seen) => sum + seen, 0), exact: true }
          : kept !== null
            ? { count: countDistinct(dtype, kept), exact: true }
            : { count: estimateDistinct(registers), exact: false },
      exact: low === null || high === null ? null : { min: `${low}`, max: `${high}` },
    }),
  };
}
