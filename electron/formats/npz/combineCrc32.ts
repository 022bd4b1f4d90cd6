/** CRC-32 of IEEE 802.3 with its bits reversed, as zip uses it. */
const POLYNOMIAL = 0xedb88320;

/** Product of two polynomials modulo POLYNOMIAL; bit 31 is the coefficient of x^0. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/**
 * CRC-32 of two parts one after the other from the CRC-32 of each: appending n bytes multiplies the first by x^(8 n).
 * @param length bytes of the second part, up to 2^53.
 */
export function combineCrc32(first: number, second: number, length: number): number {
  let power = 1 << 31;
  // x^8, then its squares.
  let square = 1 << (31 - 8);
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return (multiply(power, first) ^ second) >>> 0;
}
