import { createHash, type Hash } from 'node:crypto';
import { SignatureAccumulator } from '../../tensors/signature/signature';
import type { TensorStream } from '../../tensors/tensorStream';
import type { Pace } from './pace';

/** What is said of a value besides where it is stored. */
export interface ValueFacts {
  /** SHA-256 of the raw little-endian C-order bytes. */
  readonly sha256: string;
  /** git-theta's change-detection signature. */
  readonly signature: readonly bigint[];
}

/** Digest and signature of a value that passes by, from the front. */
export class ValueObserver {
  readonly #hash: Hash | null;
  readonly #sha256: string | null;
  readonly #signature: SignatureAccumulator;

  /** @param sha256 of the value, when it is known */
  constructor(dtype: TensorStream['dtype'], sha256: string | null = null) {
    this.#sha256 = sha256;
    this.#hash = sha256 === null ? createHash('sha256') : null;
    this.#signature = new SignatureAccumulator(dtype);
  }

  add(block: Uint8Array): void {
    this.#hash?.update(block);
    this.#signature.add(block);
  }

  /** Whether a NaN may be among the elements so far. */
  get mayHaveNaN(): boolean {
    return this.#signature.mayHaveNaN;
  }

  /** May be called once. */
  finish(): ValueFacts {
    return { sha256: this.#sha256 ?? this.#hash?.digest('hex') ?? '', signature: this.#signature.finish() };
  }
}

/** Digest and signature of a whole value. @throws CheckpointError cancelled; what reading throws */
export async function readValueFacts(value: TensorStream, pace: Pace): Promise<ValueFacts> {
  const observer = new ValueObserver(value.dtype);
  for await (const block of value.blocks(pace.signal)) {
    observer.add(block);
    await pace.step(block.byteLength);
  }
  return observer.finish();
}
