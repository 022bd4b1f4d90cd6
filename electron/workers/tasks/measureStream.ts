import { dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, tensorBytes } from '../../../shared/model/shape';
import type { Histogram, Quantile, TensorStats } from '../../../shared/model/tensorStats';
import { createCollector } from '../../tensors/statistics/collector';
import { createHistogram } from '../../tensors/statistics/createHistogram';
import { countDistinct, EXACT_ELEMENTS } from '../../tensors/statistics/exactDistinct';
import { finishPart } from '../../tensors/statistics/finishPart';
import type { HistogramRequest } from '../../tensors/statistics/histogramRequest';
import { histogramRange, partHistogram, patternQuantiles } from '../../tensors/statistics/partHistogram';
import { createRadixSelection } from '../../tensors/statistics/radixSelection';
import type { StatisticsPart } from '../../tensors/statistics/statisticsPart';
import { createValueReader } from '../../tensors/statisticsValues';
import { BLOCK_BYTES, type TensorStream } from '../../tensors/tensorStream';
import { fillCollector } from './fillCollector';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

/** Up to this size the elements are kept, and looked at as often as need be: histograms then cover exactly what is there. */
const KEPT_BYTES = 16 * 1024 * 1024;

export interface MeasureRequest {
  readonly histogram: HistogramRequest | null;
  /** From 0 to 1. */
  readonly quantiles: readonly number[];
}

export interface Measured {
  readonly stats: TensorStats;
  /** `null` when none was asked for, or nothing is finite. */
  readonly histogram: Histogram | null;
  /** In the order asked for; none when nothing is finite. */
  readonly quantiles: readonly Quantile[];
}

interface MeasureOptions {
  readonly context: TaskContext;
  /** Sees every block of the first pass. */
  readonly visit?: ((block: Uint8Array) => void) | undefined;
}

/**
 * Statistics, histogram and quantiles of a tensor in bounded memory. One pass gives everything about types of up to 16 bits, and the
 * statistics of all others with the usual histogram of float32; other histograms of large tensors take a second one, exact quantiles two
 * (float32) or four. Up to 16 MB nothing is read twice.
 * @throws CheckpointError `cancelled`, and what the stream throws
 */
export async function measureStream(stream: TensorStream, request: MeasureRequest, { context, visit }: MeasureOptions): Promise<Measured> {
  const { dtype, shape } = stream;
  const bytes = tensorBytes(dtype, shape);
  const kept = dtypeBytes(dtype) > 2 && bytes <= KEPT_BYTES ? new Uint8Array(bytes) : null;
  const first = await firstPass(stream, request, { context, visit, kept });
  const { part } = first;
  let stats = finishPart(dtype, part);
  if (kept !== null && elementCount(shape) <= EXACT_ELEMENTS) stats = { ...stats, distinct: { count: countDistinct(dtype, kept), exact: true } };
  const again = kept === null ? stream : keptStream(stream, kept);
  const progress = kept === null ? context : { ...context, progress: () => {} };
  const histogram = first.histogram ?? (await histogramOf(again, { part, stats, request, context: progress, isKept: kept !== null }));
  const quantiles =
    part.kind === 'patterns' ? patternQuantiles(dtype, part.counts, request.quantiles) : await selectQuantiles(again, { ...request, ...stats }, progress);
  return { stats, histogram, quantiles };
}

/** One pass over all elements; with it a histogram whose range is known before. */
export async function firstPass(
  stream: TensorStream,
  { histogram: wanted }: Pick<MeasureRequest, 'histogram'>,
  { context, visit, kept }: MeasureOptions & { readonly kept?: Uint8Array | null },
): Promise<{ readonly part: StatisticsPart; readonly histogram: Histogram | null }> {
  const collector = createCollector(stream.dtype);
  const total = tensorBytes(stream.dtype, stream.shape);
  const histogram = wanted === null || wanted.range === null || dtypeBytes(stream.dtype) <= 2 ? null : createHistogram(wanted.range, wanted);
  const readValues = createValueReader(stream.dtype);
  if (visit === undefined && !kept && histogram === null && (await fillCollector(stream, collector, { context, before: 0, total }))) {
    return { part: collector.finish(), histogram: null };
  }
  let done = 0;
  await forEachBlock(
    stream,
    (block) => {
      visit?.(block);
      kept?.set(block, done);
      done += block.byteLength;
      collector.add(block);
      if (histogram !== null) readValues(block, histogram.add);
    },
    { context, before: 0, total },
  );
  return { part: collector.finish(), histogram: histogram?.finish() ?? null };
}

async function histogramOf(
  stream: TensorStream,
  options: {
    readonly part: StatisticsPart;
    readonly stats: TensorStats;
    readonly request: MeasureRequest;
    readonly context: TaskContext;
    readonly isKept: boolean;
  },
): Promise<Histogram | null> {
  const { part, stats, request, context, isKept } = options;
  const range = request.histogram === null ? null : histogramRange(request.histogram, stats);
  if (request.histogram === null || range === null) return null;
  const known = isKept ? null : partHistogram(stream.dtype, part, request.histogram, range);
  if (known !== null) return known;
  const counter = createHistogram(range, request.histogram);
  const readValues = createValueReader(stream.dtype);
  const total = tensorBytes(stream.dtype, stream.shape);
  await forEachBlock(stream, (block) => readValues(block, counter.add), { context, before: total, total: total * 2 });
  return counter.finish();
}

/** Exact quantiles of elements of more than 16 bits, of which `finite` are finite. */
export async function selectQuantiles(
  stream: TensorStream,
  { quantiles, finite }: { readonly quantiles: readonly number[]; readonly finite: number },
  context: TaskContext,
): Promise<readonly Quantile[]> {
  if (quantiles.length === 0 || finite === 0) return [];
  const isFloat = stream.dtype === 'float32';
  const selection = createRadixSelection(quantiles, finite, isFloat ? 'float32' : 'float64');
  const readValues = createValueReader(stream.dtype);
  // Where it does not lie at a multiple of four, the reader would hand on doubles.
  const aligned = (block: Uint8Array) => (isFloat && block.byteOffset % 4 !== 0 ? Uint8Array.from(block) : block);
  const bytes = tensorBytes(stream.dtype, stream.shape);
  const total = bytes * (selection.passes + 1);
  for (let pass = 0; pass < selection.passes; pass++) {
    await forEachBlock(stream, (block) => readValues(aligned(block), selection.add), { context, before: bytes * (pass + 1), total });
    selection.next();
  }
  return selection.finish();
}

/** The bytes of the first pass once more, in pieces that let a cancel in. */
function keptStream(stream: TensorStream, bytes: Uint8Array): TensorStream {
  return {
    ...stream,
    async *blocks() {
      for (let at = 0; at < bytes.byteLength; at += BLOCK_BYTES) yield bytes.subarray(at, at + BLOCK_BYTES);
    },
  };
}
