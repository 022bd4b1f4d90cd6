import type { DType } from '../../../shared/model/dtype';
import { dtypeBytes } from '../../../shared/model/dtype';
import { CELLS, CHUNK, type Scanner } from './scanner';
import type { PatternPart } from './statisticsPart';

/** Counters have 32 bits: they are emptied before one can run over. */
const EMPTY_AFTER = 2 ** 31;

/** Counts the bit patterns of elements of one or two bytes. */
export function createPatternCollector(dtype: DType, scanner: Scanner): { add(block: Uint8Array): void; part(): PatternPart } {
  const size = dtypeBytes(dtype) === 1 ? 1 : 2;
  const counts = new Float64Array(CELLS);
  const room = CHUNK * 8;
  let pending = 0;

  function empty(): void {
    const taken = scanner.takeCounts();
    for (let i = 0; i < CELLS; i++) (counts[i] as number) += taken[i] as number;
    pending = 0;
  }

  return {
    add(block) {
      const whole = block.byteLength - (block.byteLength % (4 * size));
      for (let at = 0; at < whole; at += room) {
        const piece = block.subarray(at, Math.min(whole, at + room));
        scanner.bytes.set(piece);
        scanner.countPatterns(size, piece.byteLength);
        pending += piece.byteLength / size;
        if (pending >= EMPTY_AFTER) empty();
      }
      for (let at = whole; at < block.byteLength; at += size) {
        const pattern = size === 1 ? (block[at] as number) : (block[at] as number) | ((block[at + 1] as number) << 8);
        (counts[pattern] as number)++;
      }
    },
    part() {
      if (pending > 0) empty();
      return { kind: 'patterns', counts };
    },
  };
}
