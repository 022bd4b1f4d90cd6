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
    addProjections(this.#sums, { first: this.#next, count }, (at, into) =>
      decodeToFloat64(this.#dtype, block.subarray(at * item, (at + into.length) * item), into),
    );
    this.#next += count;
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
