const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);
const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** The float32 numbers within `steps` of a finite one, the nearest first, itself not among them. */
export function nearbyFloat32(value: number, steps: number): number[] {
  const result: number[] = [];
  single[0] = value;
  const bits = singleBits[0] ?? 0;
  for (let step = 1; step <= steps; step++) {
    for (const ordered of [order32(bits) + step, order32(bits) - step]) {
      singleBits[0] = ordered < 0 ? -0x80000000 - ordered : ordered;
      const found = single[0] ?? 0;
      if (Number.isFinite(found)) result.push(found);
    }
  }
  return result;
}

/** The doubles within `steps` of a finite one, the nearest first, itself not among them. */
export function nearbyFloat64(value: number, steps: number): number[] {
  const result: number[] = [];
  double[0] = value;
  const bits = doubleBits[0] ?? 0n;
  const ordered = bits < 0n ? -(2n ** 63n) - bits : bits;
  for (let step = 1n; step <= BigInt(steps); step++) {
    for (const next of [ordered + step, ordered - step]) {
      doubleBits[0] = next < 0n ? -(2n ** 63n) - next : next;
      const found = double[0] ?? 0;
      if (Number.isFinite(found)) result.push(found);
    }
  }
  return result;
}

/** Bit patterns of a 16-bit float within `steps` of a pattern, the nearest first. Patterns of infinities and NaN may be among them. */
export function nearbyHalf(bits: number, steps: number): number[] {
  const ordered = bits >= 0x8000 ? 0x8000 - bits : bits;
  const result: number[] = [];
  for (let step = 1; step <= steps; step++) {
    for (const next of [ordered + step, ordered - step]) if (Math.abs(next) < 0x8000) result.push(next < 0 ? 0x8000 - next : next);
  }
  return result;
}

/** Sign and magnitude as a number that grows with the value. */
function order32(bits: number): number {
  return bits < 0 ? -0x80000000 - bits : bits;
}
