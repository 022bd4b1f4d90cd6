/** A number as it is written: digits × 10^exponent. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly exponent: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,9}))?$/i;
/** Beyond these powers of ten every double is infinite or zero. */
const MAX_EXPONENT = 5000;

/** `-1.5e-3`, `7`, `.5`; `null` for what is no number. */
export function parseDecimal(text: string): Decimal | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  if (whole === '' && fraction === '') return null;
  return { negative: sign === '-', digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** The whole number that it is, without its sign; `null` when it has a fraction or more than some thousand digits. */
export function wholeNumber({ digits, exponent }: Decimal): bigint | null {
  if (digits === 0n) return 0n;
  if (exponent >= 0) return exponent > MAX_EXPONENT ? null : digits * 10n ** BigInt(exponent);
  if (-exponent > MAX_EXPONENT) return null;
  const scale = 10n ** BigInt(-exponent);
  return digits % scale === 0n ? digits / scale : null;
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/**
 * A double that rounds to any narrower type as the decimal itself would: where it is not exact, the one of its two neighbours whose last
 * bit is odd (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums"). Infinite where the nearest double is.
 */
export function roundedToOdd(text: string, decimal: Decimal): number {
  const nearest = Number(text);
  const magnitude = Math.abs(nearest);
  if (!Number.isFinite(nearest) || decimal.digits === 0n) return nearest;
  double[0] = magnitude;
  const pattern = bits[0] ?? 0n;
  const order = compareExactly(decimal, magnitude);
  if (order === 0 || pattern % 2n === 1n) return nearest;
  bits[0] = pattern + BigInt(order);
  const odd = double[0] ?? 0;
  return decimal.negative ? -odd : odd;
}

/** Sign of |decimal| - magnitude, without rounding. */
function compareExactly({ digits, exponent }: Decimal, magnitude: number): -1 | 0 | 1 {
  if (exponent < -MAX_EXPONENT) return magnitude === 0 ? 1 : -1;
  double[0] = magnitude;
  const pattern = bits[0] ?? 0n;
  const raised = Number(pattern >> 52n);
  const fraction = pattern & 0xfffffffffffffn;
  const significand = raised === 0 ? fraction : fraction | 0x10000000000000n;
  const power = (raised === 0 ? 1 : raised) - 1075;
  const left = digits * (exponent > 0 ? 10n ** BigInt(exponent) : 1n) * (power < 0 ? 2n ** BigInt(-power) : 1n);
  const right = significand * (exponent < 0 ? 10n ** BigInt(-exponent) : 1n) * (power > 0 ? 2n ** BigInt(power) : 1n);
  return left > right ? 1 : left < right ? -1 : 0;
}
