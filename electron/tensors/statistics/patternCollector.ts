import type { DType } from '../../../shared/model/dtype';
import { dtypeBytes } from '../../../shared/model/dtype';
import { CELLS, CHUNK, type Scanner } from './scanner';
import type { PartCollector, PatternPart } from './statisticsPart';

/** Counters have 32 bits: they are emptied before one can run over. */
const EMPTY_AFTER = 2 ** 31;

/** Counts the bit patterns of elements of one or two bytes. */
export function createPatternCollector(dtype: DType, scanner: Scanner): PartCollector<PatternPart> {
  const size = dtypeBytes(dtype) === 1 ? 1 : 2;
  const counts = new Float64Array(CELLS);
  const room = CHUNK * 8;
  let pending = 0;

  function empty(): void {
    const taken = scanner.takeCounts();
    for (let i = 0; i < CELLS; i++) (counts[i] as number) += taken[i] as number;
    pending = 0;
  }

  /** Patterns that lie in the scanner, whole groups of four. */
  function count(bytes: number): void {
    scanner.countPatterns(size, bytes);
    pending += bytes / size;
    if (pending >= EMPTY_AFTER) empty();
  }

  function rest(block: Uint8Array): void {
    for (let at = 0; at < block.byteLength; at += size) {
      const pattern = size === 1 ? (block[at] as number) : (block[at] as number) | ((block[at + 1] as number) << 8);
      (counts[pattern] as number)++;
    }
  }

  const groups = (bytes: number) => bytes - (bytes % (4 * size));
  return {
    add(block) {
      const whole = groups(block.byteLength);
      for (let at = 0; at < whole; at += room) {
        const piece = block.subarray(at, Math.min(whole, at + room));
        scanner.bytes.set(piece);
        count(piece.byteLength);
      }
      rest(block.subarray(whole));
    },
    input: scanner.bytes,
    addInput(bytes) {
      const whole = groups(bytes);
      if (whole > 0) count(whole);
      rest(scanner.bytes.subarray(whole, bytes));
    },
    part() {
      if (pending > 0) empty();
      return { kind: 'patterns', counts };
    },
  };
}
