import { scanValues } from '../scanValues';
import type { Values } from '../statisticsValues';
import { addPatterns, newRegisters } from './distinctCounter';
import { CELLS, CHUNK, type ChunkScan, type Scanner } from './scanner';

/** The loops that the kernels replace: what they must give, and what is used where they cannot be loaded. */
export function createPlainScanner(): Scanner {
  const buffer = new ArrayBuffer(CHUNK * 8);
  const floats = new Float32Array(buffer);
  const doubles = new Float64Array(buffer, 0, CHUNK);
  const bytes = new Uint8Array(buffer);
  const words = new Uint32Array(buffer);
  const halves = new Uint16Array(buffer);
  const registers = newRegisters();
  let counts = new Float64Array(CELLS);
  return {
    floats,
    doubles,
    bytes,
    registers,
    scanFloats(from, count, pivot) {
      for (let i = from; i < from + count; i++) (counts[(words[i] as number) >>> 16] as number)++;
      return scan(floats.subarray(from, from + count), pivot, 0);
    },
    squaresOfFloats: (from, count, pivot) => squares(floats.subarray(from, from + count), pivot),
    scanDoubles: (count, pivot, normal) => scan(doubles.subarray(0, count), pivot, normal),
    addFloatPatterns: (from, count) => addPatterns(registers, 'float32', bytes.subarray(from * 4, (from + count) * 4)),
    countPatterns(size, length) {
      if (size === 1) for (let i = 0; i < length; i++) (counts[bytes[i] as number] as number)++;
      else for (let i = 0; i < length / 2; i++) (counts[halves[i] as number] as number)++;
    },
    takeCounts() {
      const taken = counts;
      counts = new Float64Array(CELLS);
      return taken;
    },
    release() {},
  };
}

function scan(values: Values, pivot: number, normal: number): ChunkScan {
  const { low, high, zeros } = scanValues(values);
  let sum = 0;
  let lost = 0;
  let sizes = 0;
  let below = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    const next = sum + x;
    const part = next - sum;
    lost += sum - (next - part) + (x - part);
    sum = next;
    sizes += Math.abs(x);
    if (Math.abs(x) < normal) below++;
  }
  return { low, high, sum, lost, squares: squares(values, pivot), sizes, zeros, below };
}

function squares(values: Values, pivot: number): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const distance = (values[i] as number) - pivot;
    total += distance * distance;
  }
  return total;
}
