import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { tensorBytes } from '../../../shared/model/shape';
import { alignedBytes } from '../../bytes/alignedBytes';
import { isBig, lanesOf } from '../../tensors/kernels/lanes';
import type { TensorStream } from '../../tensors/tensorStream';
import { blocksInStep } from './blocksInStep';
import { ChangeCollector, type Changes } from './collectChanges';
import { HELD_BYTES, streamOf } from './holdInMemory';
import { isSampled, MatrixSampler, type MatrixSamples } from './matrixSampler';
import type { Pace } from './pace';
import { type ScaleAxis, ScaleProbe } from './scaleProbe';
import { type ValueFacts, ValueObserver } from './valueFacts';

/** Bytes of the new value that tell how well it compresses. */
const SAMPLE_BYTES = 1024 * 1024;
const SAMPLE_PIECE = 64 * 1024;

/** Why no update by arithmetic is tried; ends a sentence after "because". */
export const HAS_NAN = 'the new value contains NaN, which no arithmetic gives back for sure';

/** What one pass over a value and its predecessor tells. Both have the same element type and shape. */
export interface ChangeScan {
  readonly facts: ValueFacts;
  /** Both values once more, from memory where they are small. */
  readonly previous: TensorStream;
  readonly next: TensorStream;
  /** Whether a NaN is among the new elements: what an addition makes of one differs between processors. */
  readonly hasNaN: boolean;
  /** `null` when there can be no sparse update. */
  readonly changes: Changes | null;
  readonly noSparse: string | null;
  /** The changed elements with their new values; `null` when these were not asked for, or are no fewer bytes than the value. */
  readonly values: Changes | null;
  readonly axes: readonly ScaleAxis[];
  readonly samples: MatrixSamples | null;
  /** Pieces of the new value: whole elements. */
  readonly excerpt: Uint8Array;
}

export interface ScanOptions {
  readonly pace: Pace;
  /** Whether changed elements are kept for update types of our own. */
  readonly ownTypes: boolean;
  /** Of the value, when it is known. */
  readonly sha256: string | null;
}

/** Reads a value and the previous one side by side. @throws what reading either throws; cancelled */
export async function scanChange(previous: TensorStream, next: TensorStream, { pace, ownTypes, sha256 }: ScanOptions): Promise<ChangeScan> {
  const { dtype, shape } = next;
  const bytes = tensorBytes(dtype, shape);
  const item = dtypeBytes(dtype);
  const observer = new ValueObserver(dtype, sha256);
  const collector = new ChangeCollector(dtype, shape, ownTypes);
  const probe = new ScaleProbe(dtype, shape);
  const sampler = isSampled(dtype, shape) ? new MatrixSampler(dtype, shape) : null;
  const keep = (stream: TensorStream) => (bytes > HELD_BYTES || stream.inMemory === true ? null : alignedBytes(bytes));
  const [keptBefore, keptAfter] = [keep(previous), keep(next)];
  const excerpt = new Excerpt(bytes);
  let hasNaN = false;
  for await (const { start, parts } of blocksInStep([previous.blocks(pace.signal), next.blocks(pace.signal)])) {
    const [before, after] = parts;
    if (before === undefined || after === undefined) break;
    observer.add(after);
    excerpt.add(start, after);
    keptBefore?.set(before, start);
    keptAfter?.set(after, start);
    hasNaN ||= observer.mayHaveNaN && containsNaN(dtype, after);
    if (hasNaN) collector.dropDifferences(HAS_NAN);
    if ((ownTypes || !hasNaN) && Buffer.compare(before, after) !== 0) {
      collector.add(start / item, before, after);
      if (!hasNaN) probe.add(start / item, before, after);
    }
    sampler?.add(start / item, before, after);
    await pace.step(after.byteLength);
  }
  return {
    facts: observer.finish(),
    previous: inMemory(previous, keptBefore),
    next: inMemory(next, keptAfter),
    hasNaN,
    changes: collector.finish(),
    noSparse: collector.reason,
    values: collector.finishValues(),
    axes: probe.axes,
    samples: sampler?.finish() ?? null,
    excerpt: excerpt.finish(),
  };
}

function inMemory(stream: TensorStream, bytes: Uint8Array | null): TensorStream {
  return bytes === null ? stream : { ...stream, ...streamOf(bytes) };
}

/** Takes pieces of a value, spread over all of it. */
class Excerpt {
  readonly #bytes: Uint8Array;
  readonly #every: number;
  #count = 0;

  constructor(total: number) {
    this.#bytes = new Uint8Array(Math.min(total, SAMPLE_BYTES));
    this.#every = Math.max(SAMPLE_PIECE, Math.floor(total / (SAMPLE_BYTES / SAMPLE_PIECE) / SAMPLE_PIECE) * SAMPLE_PIECE);
  }

  add(start: number, block: Uint8Array): void {
    for (let from = Math.ceil(start / this.#every) * this.#every; from < start + block.byteLength; from += this.#every) {
      const piece = block.subarray(from - start, Math.min(from - start + SAMPLE_PIECE, from - start + this.#bytes.byteLength - this.#count));
      this.#bytes.set(piece, this.#count);
      this.#count += piece.byteLength;
    }
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#count);
  }
}

function containsNaN(dtype: DType, block: Uint8Array): boolean {
  const kind = dtypeKind(dtype);
  if (kind !== 'float' && kind !== 'complex') return false;
  const lanes = lanesOf(dtype, block);
  if (lanes instanceof Uint16Array && dtype !== 'complex32') {
    const infinity = dtype === 'float16' ? 0x7c00 : 0x7f80;
    for (let i = 0; i < lanes.length; i++) if (((lanes[i] ?? 0) & 0x7fff) > infinity) return true;
    return false;
  }
  if (isBig(lanes)) return false;
  for (let i = 0; i < lanes.length; i++) if (Number.isNaN(lanes[i])) return true;
  return false;
}
