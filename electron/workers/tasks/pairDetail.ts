import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import type { Histogram, TensorStats } from '../../../shared/model/tensorStats';
import { widen } from '../../tensors/comparison/comparedType';
import { createDecodedPair, decodePair } from '../../tensors/comparison/decodePair';
import { elementText } from '../../tensors/comparison/elementText';
import { type Change, LargestChanges } from '../../tensors/comparison/largestChanges';
import { createHistogramAccumulator } from '../../tensors/histogramAccumulator';
import { createTensorStatistics } from '../../tensors/statistics/tensorStatistics';
import { createValueReader } from '../../tensors/statisticsValues';
import type { BlockOptions } from './forEachBlock';
import { forEachPair } from './forEachPair';
import type { OpenPair } from './openPair';

/** Elements decoded at once. */
const CHUNK_ELEMENTS = 8192;

/** Equally many elements of both sides, as they are and in the type they are compared in. */
export interface DetailBlock {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly wideA: Uint8Array;
  readonly wideB: Uint8Array;
  /** Place of the first one in the whole tensor. */
  readonly at: number;
}

export interface PairDetail {
  readonly stats: { readonly a: TensorStats; readonly b: TensorStats } | null;
  readonly largest: readonly Change[];
  /** Smallest and largest finite b - a; `null` where there is none or it was not asked for. */
  readonly delta: { readonly min: number; readonly max: number } | null;
}

/** What is asked for besides the numbers: the largest changes, and with `bins` statistics of both sides. Costs nothing when neither is. */
export function createPairDetail(
  pair: OpenPair,
  { largest, bins }: { readonly largest: number; readonly bins: number },
): { readonly isNeeded: boolean; add(block: DetailBlock): void; finish(): PairDetail } {
  const changes = new LargestChanges(largest);
  const sides = bins === 0 ? null : { a: createTensorStatistics(pair.before.dtype, pair.elements), b: createTensorStatistics(pair.after.dtype, pair.elements) };
  const decoded = createDecodedPair(largest === 0 && bins === 0 ? 0 : CHUNK_ELEMENTS);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;

  function look(block: DetailBlock): void {
    const { count, delta } = decoded;
    const equalNaN = pair.before.dtype !== pair.after.dtype;
    for (let i = 0; i < count; i++) {
      const d = delta[i] as number;
      if (d < min && d > Number.NEGATIVE_INFINITY) min = d;
      if (d > max && d < Number.POSITIVE_INFINITY) max = d;
      // Neither does 0 get in, nor what is no larger than the least that is kept; NaN passes.
      if (largest === 0 || Math.abs(d) <= changes.threshold) continue;
      const change = changeAt(pair, block, { i, delta: d });
      if (change !== null && !(equalNaN && change.a === 'NaN' && change.b === 'NaN')) changes.add(change);
    }
  }

  return {
    isNeeded: largest > 0 || bins > 0,
    add(block) {
      sides?.a.add(block.a);
      sides?.b.add(block.b);
      if (largest === 0 && bins === 0) return;
      eachChunk(pair, block, (chunk) => {
        decodePair(pair.comparedAs, { a: chunk.wideA, b: chunk.wideB }, decoded);
        look(chunk);
      });
    },
    finish: () => ({
      stats: sides === null ? null : { a: sides.a.finish(), b: sides.b.finish() },
      largest: changes.sorted(),
      delta: bins === 0 || min > max ? null : { min, max },
    }),
  };
}

/** `null` when the bits are the same: an infinity less itself is NaN, but nothing has changed. */
function changeAt(pair: OpenPair, { a, b, wideA, wideB, at }: DetailBlock, { i, delta }: { readonly i: number; readonly delta: number }): Change | null {
  const element = (dtype: DType, bytes: Uint8Array) => bytes.subarray(i * dtypeBytes(dtype), (i + 1) * dtypeBytes(dtype));
  if (Buffer.compare(element(pair.comparedAs, wideA), element(pair.comparedAs, wideB)) === 0) return null;
  const [from, to] = [pair.before.dtype, pair.after.dtype];
  return {
    place: at + i,
    a: elementText(from, element(from, a)),
    b: elementText(to, element(to, b)),
    delta: Number.isNaN(delta) ? Number.POSITIVE_INFINITY : delta,
  };
}

function eachChunk({ before, after, comparedAs }: OpenPair, { a, b, wideA, wideB, at }: DetailBlock, visit: (chunk: DetailBlock) => void): void {
  const sizes = { a: dtypeBytes(before.dtype), b: dtypeBytes(after.dtype), wide: dtypeBytes(comparedAs) };
  const elements = a.byteLength / sizes.a;
  for (let from = 0; from < elements; from += CHUNK_ELEMENTS) {
    const to = Math.min(elements, from + CHUNK_ELEMENTS);
    const part = (bytes: Uint8Array, size: number) => bytes.subarray(from * size, to * size);
    visit({ a: part(a, sizes.a), b: part(b, sizes.b), wideA: part(wideA, sizes.wide), wideB: part(wideB, sizes.wide), at: at + from });
  }
}

export interface PairHistograms {
  readonly sides: { readonly a: Histogram; readonly b: Histogram } | null;
  readonly delta: Histogram | null;
}

/** Histograms of both sides over common bins, and of b - a, in another pass: the bins need the extremes. */
export async function pairHistograms(pair: OpenPair, { stats, delta }: PairDetail, options: BlockOptions & { readonly bins: number }): Promise<PairHistograms> {
  const lows = [stats?.a.min ?? null, stats?.b.min ?? null].filter((value) => value !== null);
  const highs = [stats?.a.max ?? null, stats?.b.max ?? null].filter((value) => value !== null);
  if (lows.length === 0) return { sides: null, delta: null };
  const create = () => createHistogramAccumulator(Math.min(...lows), Math.max(...highs), options.bins);
  const [a, b] = [create(), create()];
  const difference = delta === null ? null : createHistogramAccumulator(delta.min, delta.max, options.bins);
  const [readA, readB] = [createValueReader(pair.before.dtype), createValueReader(pair.after.dtype)];
  const decoded = createDecodedPair(CHUNK_ELEMENTS);
  const visit = (left: Uint8Array, right: Uint8Array, at: number) => {
    readA(left, a.add);
    readB(right, b.add);
    const block = { a: left, b: right, wideA: widen(left, pair.before.dtype, pair.comparedAs), wideB: widen(right, pair.after.dtype, pair.comparedAs), at };
    eachChunk(pair, block, (chunk) => {
      decodePair(pair.comparedAs, { a: chunk.wideA, b: chunk.wideB }, decoded);
      difference?.add(decoded.delta.subarray(0, decoded.count));
    });
  };
  await forEachPair(pair, visit, options);
  return { sides: { a: a.finish(), b: b.finish() }, delta: difference?.finish() ?? null };
}
