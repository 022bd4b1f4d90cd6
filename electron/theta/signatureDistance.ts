/** Width of a bucket of the signature, and the square root of its length: git-theta's own constants. */
const BUCKET = 1e-8;
const ROOT_OF_LENGTH = 4;

/** Distance of two signatures as git-theta measures it: the Euclidean norm of the integer difference, in units of the values. */
export function signatureDistance(a: readonly bigint[], b: readonly bigint[]): number {
  let squares = 0;
  for (const [index, number] of a.entries()) squares += Number(number - (b[index] ?? 0n)) ** 2;
  return (Math.sqrt(squares) * BUCKET) / ROOT_OF_LENGTH;
}
