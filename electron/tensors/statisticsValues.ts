import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { decodeToFloat64 } from './decode';

/** Elements as numbers, for sums: decoded ones, or the tensor's own where it is made of floats that JavaScript has. */
export type Values = Float32Array | Float64Array;

/** Elements handed on at once: few enough that several passes over them stay in the processor's cache. */
const CHUNK_ELEMENTS = 16_384;

/**
 * Hands the elements of a block on as numbers, in chunks. float32 and float64 are views of the block itself where it is aligned; other
 * types are decoded into one reused buffer: a chunk is valid only until the next one.
 */
export function createValueReader(dtype: DType): (block: Uint8Array, visit: (values: Values) => void) => void {
  const size = dtypeBytes(dtype);
  const scratch = new Float64Array(CHUNK_ELEMENTS);
  return (block, visit) => {
    const direct = directView(dtype, block);
    if (direct !== null) {
      for (let at = 0; at < direct.length; at += CHUNK_ELEMENTS) visit(direct.subarray(at, at + CHUNK_ELEMENTS));
      return;
    }
    for (let at = 0; at < block.byteLength; at += CHUNK_ELEMENTS * size) {
      const count = decodeToFloat64(dtype, block.subarray(at, at + CHUNK_ELEMENTS * size), scratch);
      visit(scratch.subarray(0, count));
    }
  };
}

function directView(dtype: DType, block: Uint8Array): Values | null {
  if (dtype === 'float32' && block.byteOffset % 4 === 0) return new Float32Array(block.buffer, block.byteOffset, block.byteLength / 4);
  if (dtype === 'float64' && block.byteOffset % 8 === 0) return new Float64Array(block.buffer, block.byteOffset, block.byteLength / 8);
  return null;
}
