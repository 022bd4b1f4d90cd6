/** A running sum: (value + rest) · 2^exponent, where `rest` is what rounding took from `value` (Knuth's TwoSum), about 100 bits together. Plain data. */
export interface Sum {
  value: number;
  rest: number;
  exponent: number;
}

export function emptySum(): Sum {
  return { value: 0, rest: 0, exponent: 0 };
}

/** Adds `value` · 2^`exponent`. Of two scales the coarser is kept: what vanishes there is below the last bit of the result. */
export function addSum(sum: Sum, value: number, exponent = 0): void {
  if (value === 0) return;
  if (sum.value === 0 && sum.rest === 0) {
    sum.value = value;
    sum.exponent = exponent;
    return;
  }
  let other = value;
  if (exponent < sum.exponent) other *= 2 ** (exponent - sum.exponent);
  else if (exponent > sum.exponent) {
    const factor = 2 ** (sum.exponent - exponent);
    sum.value *= factor;
    sum.rest *= factor;
    sum.exponent = exponent;
  }
  const total = sum.value + other;
  const moved = total - sum.value;
  sum.rest += sum.value - (total - moved) + (other - moved);
  sum.value = total;
}

export function totalOf({ value, rest, exponent }: Sum): { readonly value: number; readonly exponent: number } {
  return { value: value + rest, exponent };
}

/** value · 2^exponent in two steps, since 2^exponent alone may not be a double. */
export function scaled(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

/** Square root of (value · 2^exponent); the exponents of squares are even. */
export function rootOf(sum: Sum): number {
  const { value, exponent } = totalOf(sum);
  return scaled(Math.sqrt(Math.max(0, value)), exponent / 2);
}
