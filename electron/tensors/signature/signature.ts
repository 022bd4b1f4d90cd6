import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';
import type { TensorStream } from '../tensorStream';
import { addProjections, SIGNATURE_LENGTH } from './signatureKernel';

/** Width of a bucket. Divided by, not multiplied with its inverse: that rounds differently. */
const BUCKET = 1e-8;
/** What x86 gives for a double that no int64 holds, NaN included. */
const SATURATED = -(2n ** 63n);

/**
 * git-theta's change-detection signature of one tensor, fed with its elements in C order: 16 random projections by a fixed pool of normal
 * deviates, rounded down to buckets. Blocks may end anywhere between elements. git-theta itself cannot do this for 16- and 8-bit floats;
 * they are converted to double like every other type. Complex types have no signature: 16 zeros, which git-theta takes for "changed".
 */
export class SignatureAccumulator {
  readonly #dtype: DType;
  readonly #sums = new Float64Array(SIGNATURE_LENGTH);
  #next = 0;

  constructor(dtype: DType) {
    this.#dtype = dtype;
  }

  /** @param block whole little-endian elements */
  add(block: Uint8Array): void {
    if (dtypeKind(this.#dtype) === 'complex') return;
    const item = dtypeBytes(this.#dtype);
    const count = block.byteLength / item;
    const part = (at: number, elements: number) => block.subarray(at * item, (at + elements) * item);
    const decode =
      this.#dtype === 'float32' || this.#dtype === 'bfloat16'
        ? { f32: (at: number, into: Float32Array) => decodeToFloat32(this.#dtype, part(at, into.length), into) }
        : { f64: (at: number, into: Float64Array) => decodeToFloat64(this.#dtype, part(at, into.length), into) };
    addProjections(this.#sums, { first: this.#next, count }, decode);
    this.#next += count;
  }

  /** Whether a NaN may be among the elements so far: one makes every sum NaN, as infinities of both signs do. Complex elements are not looked at. */
  get mayHaveNaN(): boolean {
    return dtypeKind(this.#dtype) === 'complex' || this.#sums.some(Number.isNaN);
  }

  finish(): readonly bigint[] {
    return Array.from(this.#sums, (sum) => {
      const bucket = Math.floor(sum / BUCKET);
      return bucket >= -(2 ** 63) && bucket < 2 ** 63 ? BigInt(bucket) : SATURATED;
    });
  }
}

/** The signature of a whole tensor: 16 int64. */
export async function computeSignature(tensor: TensorStream, signal?: AbortSignal): Promise<readonly bigint[]> {
  const signature = new SignatureAccumulator(tensor.dtype);
  for await (const block of tensor.blocks(signal)) {
    throwIfCancelled(signal);
    signature.add(block);
  }
  return signature.finish();
}

/** The upper half of a float32 is a bfloat16. Bits are moved, so that nothing but the kernel ever computes with them. */
function decodeToFloat32(dtype: DType, bytes: Uint8Array, into: Float32Array): void {
  const bits = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  if (dtype === 'float32') {
    bits.set(bytes);
    return;
  }
  const words = new Uint32Array(into.buffer, into.byteOffset, into.length);
  for (let i = 0; i < words.length; i++) words[i] = ((bytes[2 * i] ?? 0) << 16) | ((bytes[2 * i + 1] ?? 0) << 24);
}
