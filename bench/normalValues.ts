/** Numbers in the pool: 16 MB of float32, further apart than any compressor here looks back. */
const POOL = 1 << 22;

/**
 * Normally distributed float32 values with a full mantissa, as trained weights have: exponents and signs compress, mantissas do not.
 * The same seed gives the same values.
 */
export function createNormalValues(seed: number): (count: number, deviation: number) => Float32Array {
  let state = seed >>> 0 || 1;
  /** Marsaglia's xorshift32, as a number in (0, 1]. */
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4294967297;
  };
  const pool = new Float64Array(POOL);
  for (let i = 0; i < POOL; i += 2) {
    // Box and Muller: two uniform numbers make two normal ones.
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    pool[i] = radius * Math.cos(angle);
    pool[i + 1] = radius * Math.sin(angle);
  }
  return (count, deviation) => {
    const values = new Float32Array(count);
    let at = Math.floor(uniform() * POOL);
    // A factor of its own for every call gives every tensor other mantissas.
    const factor = deviation * (0.75 + 0.5 * uniform());
    for (let i = 0; i < count; i++) {
      values[i] = (pool[at] ?? 0) * factor;
      at = (at + 1) % POOL;
    }
    return values;
  };
}
