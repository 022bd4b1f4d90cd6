import { loadKernels } from '../../bytes/loadKernels';
import { addPatterns } from './distinctCounter';
import { SCAN_MODULE } from './scanModule';
import { CELLS, CHUNK, type ChunkScan, type Scanner } from './scanner';

/** Where things lie in the kernels' memory. The tables come first: four, of counters of 32 bits, of which floats use the first two. */
const TABLES = 4;
const OUT = TABLES * CELLS * 4;
const SCRATCH = OUT + 512;
const REGISTERS = OUT + 4096;
const INPUT = OUT + 16_384;
const BYTES = INPUT + CHUNK * 8;

/** Scanners that were given back: their tables and registers are zero again. */
const free: KernelScanner[] = [];
/** Most scanners kept for later, of 2 MB each. */
const KEPT = 2;

/** A scanner that works with SIMD kernels (`scan.wat`), one of its own for every tensor: tables live in its memory. */
export function createKernelScanner(): Scanner {
  return free.pop() ?? new KernelScanner();
}

interface Functions {
  scan32(at: number, end: number, pivot: number, out: number): void;
  squares32(at: number, end: number, pivot: number): number;
  scan64(at: number, end: number, pivot: number, least: number, out: number): void;
  distinct32(at: number, end: number, mask: number, registers: number, scratch: number): void;
  count16(at: number, end: number): void;
  count8(at: number, end: number): void;
}

class KernelScanner implements Scanner {
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
  readonly registers: Uint8Array<ArrayBuffer>;
  readonly #kernels: Functions;
  readonly #counters: Uint32Array;
  readonly #out: Float64Array;
  #mask = 0;
  #chunks = 0;
  #tableCells = 0;

  /** The signatures are those of `scan.wat`. */
  constructor() {
    const { memory, fn, reserve } = loadKernels(SCAN_MODULE);
    reserve(BYTES);
    const { buffer } = memory;
    this.#kernels = {
      scan32: fn('scan32'),
      squares32: fn('squares32'),
      scan64: fn('scan64'),
      distinct32: fn('distinct32'),
      count16: fn('count16'),
      count8: fn('count8'),
    };
    this.floats = new Float32Array(buffer, INPUT, CHUNK * 2);
    this.doubles = new Float64Array(buffer, INPUT, CHUNK);
    this.bytes = new Uint8Array(buffer, INPUT, CHUNK * 8);
    this.registers = new Uint8Array(buffer, REGISTERS, 4096);
    this.#counters = new Uint32Array(buffer, 0, TABLES * CELLS);
    this.#out = new Float64Array(buffer, OUT, 20);
  }

  scanFloats(from: number, count: number, pivot: number): Omit<ChunkScan, 'below'> {
    this.#tableCells = CELLS;
    this.#kernels.scan32(INPUT + from * 4, INPUT + (from + count) * 4, pivot, OUT);
    const [low = 0, high = 0, sum = 0, squares = 0, sizes = 0, zeros = 0] = this.#out;
    return { low, high, sum, lost: 0, squares, sizes, zeros };
  }

  squaresOfFloats(from: number, count: number, pivot: number): number {
    return this.#kernels.squares32(INPUT + from * 4, INPUT + (from + count) * 4, pivot);
  }

  scanDoubles(count: number, pivot: number, normal: number): ChunkScan {
    this.#kernels.scan64(INPUT, INPUT + count * 8, pivot, normal, OUT);
    const at = (index: number) => this.#out[index] ?? 0;
    const pair = (index: number) => at(index) + at(index + 1);
    let sum = 0;
    let lost = pair(8) + pair(10);
    for (let lane = 4; lane < 8; lane++) {
      const next = sum + at(lane);
      const part = next - sum;
      lost += sum - (next - part) + (at(lane) - part);
      sum = next;
    }
    return {
      low: Math.min(at(0), at(1)),
      high: Math.max(at(2), at(3)),
      sum,
      lost,
      squares: pair(12),
      sizes: pair(14),
      zeros: pair(16),
      below: pair(18),
    };
  }

  addFloatPatterns(from: number, count: number): void {
    // The least register rises slowly; a mask that is too short costs time only.
    if (this.#chunks++ % 8 === 0) this.#mask = maskOf(this.registers);
    const whole = count - (count % 8);
    const at = INPUT + from * 4;
    if (whole > 0) this.#kernels.distinct32(at, at + whole * 4, this.#mask, REGISTERS, SCRATCH);
    if (whole < count) addPatterns(this.registers, 'float32', this.bytes.subarray((from + whole) * 4, (from + count) * 4));
  }

  countPatterns(size: 1 | 2, bytes: number): void {
    this.#tableCells = size === 1 ? 256 : CELLS;
    if (size === 1) this.#kernels.count8(INPUT, INPUT + bytes);
    else this.#kernels.count16(INPUT, INPUT + bytes);
  }

  takeCounts(): Float64Array<ArrayBuffer> {
    const taken = new Float64Array(CELLS);
    const cells = this.#tableCells;
    for (let table = 0; table < TABLES; table++) {
      const counters = this.#counters.subarray(table * cells, (table + 1) * cells);
      for (let cell = 0; cell < cells; cell++) (taken[cell] as number) += counters[cell] as number;
    }
    this.#counters.fill(0, 0, TABLES * cells);
    return taken;
  }

  release(): void {
    if (free.length >= KEPT) return;
    this.#counters.fill(0, 0, TABLES * this.#tableCells);
    this.registers.fill(0);
    this.#mask = 0;
    this.#chunks = 0;
    this.#tableCells = 0;
    free.push(this);
  }
}

/** A hash changes a register only if the bits behind its 12 bits of index begin with at least as many zeros as the least register says. */
function maskOf(registers: Uint8Array): number {
  let least = 20;
  for (const rank of registers) if (rank < least) least = rank;
  return (2 ** least - 1) * 2 ** (20 - least);
}
