import { floatTable } from '../decodeTables';

let halves: Float32Array | undefined;

/** float32 of every float16 bit pattern; NaN keeps its payload, as in NumPy, which `floatTable` does not promise. */
function float16Table(): Float32Array {
  if (halves === undefined) {
    halves = Float32Array.from(floatTable('float16'));
    const bits = new Uint32Array(halves.buffer);
    for (let half = 0; half < bits.length; half++) {
      if ((half & 0x7fff) > 0x7c00) bits[half] = ((half & 0x8000) << 16) | 0x7f800000 | ((half & 0x3ff) << 13);
    }
  }
  return halves;
}

/** float16 or bfloat16 bits as float32 lanes. Moved as bits, so that no NaN changes. */
export function decodeHalves(dtype: 'float16' | 'bfloat16', from: Uint16Array): Float32Array {
  const words = new Uint32Array(from.length);
  if (dtype === 'bfloat16') for (let i = 0; i < from.length; i++) words[i] = (from[i] ?? 0) << 16;
  else {
    const table = new Uint32Array(float16Table().buffer);
    for (let i = 0; i < from.length; i++) words[i] = table[from[i] ?? 0] ?? 0;
  }
  return new Float32Array(words.buffer);
}
