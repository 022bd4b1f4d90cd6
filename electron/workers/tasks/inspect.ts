import { createHash } from 'node:crypto';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { Histogram, TensorPreview, TensorStats } from '../../../shared/model/tensorStats';
import { createHistogramAccumulator } from '../../tensors/histogramAccumulator';
import { createPreviewAccumulator } from '../../tensors/previewAccumulator';
import { createPatternSummary } from '../../tensors/statistics/patternSummary';
import { createStatisticsAccumulator } from '../../tensors/statisticsAccumulator';
import { createValueReader } from '../../tensors/statisticsValues';
import type { TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

const HISTOGRAM_BINS = 64;

/** A tensor up to this size is kept for the second pass, instead of reconstructing it twice. */
const KEPT_BYTES = 32 * 1024 * 1024;

export interface InspectInput {
  readonly plan: TensorPlan;
}

export interface InspectOutput {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly stats: TensorStats;
  /** `null` when no element is finite. */
  readonly histogram: Histogram | null;
  readonly preview: TensorPreview;
  /** SHA-256 of the raw little-endian C-order bytes. */
  readonly sha256: string;
}

/** Statistics, histogram, preview and digest of one tensor, in two passes: the histogram's bins need the extremes. */
export async function inspect({ plan }: InspectInput, context: TaskContext): Promise<InspectOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    const bytes = tensorBytes(stream.dtype, stream.shape);
    const kept = bytes <= KEPT_BYTES ? new Uint8Array(bytes) : null;
    const total = kept === null ? bytes * 2 : bytes;
    const statistics = createStatisticsAccumulator(stream.dtype);
    const patterns = createPatternSummary(stream.dtype, bytes);
    const preview = createPreviewAccumulator(stream.shape);
    const hash = createHash('sha256');
    const readValues = createValueReader(stream.dtype);
    let done = 0;
    await forEachBlock(
      stream,
      (block) => {
        hash.update(block);
        patterns.add(block);
        kept?.set(block, done);
        done += block.byteLength;
        readValues(block, (values) => {
          statistics.add(values);
          preview.add(values);
        });
      },
      { context, before: 0, total },
    );
    const stats = { ...statistics.finish(), ...patterns.finish() };
    const second = kept === null ? stream : keptStream(stream, kept);
    const histogram = await histogramOf(second, stats, { context, before: total - bytes, total });
    return { dtype: stream.dtype, shape: stream.shape, stats, histogram, preview: preview.finish(), sha256: hash.digest('hex') };
  } finally {
    await stream.close();
  }
}

async function histogramOf(
  stream: TensorStream,
  { min, max }: TensorStats,
  options: { readonly context: TaskContext; readonly before: number; readonly total: number },
): Promise<Histogram | null> {
  if (min === null || max === null) return null;
  const histogram = createHistogramAccumulator(min, max, HISTOGRAM_BINS);
  const readValues = createValueReader(stream.dtype);
  await forEachBlock(stream, (block) => readValues(block, histogram.add), options);
  return histogram.finish();
}

/** The bytes of the first pass once more, in pieces that let a cancel in. */
function keptStream(stream: TensorStream, bytes: Uint8Array): TensorStream {
  const piece = 4 * 1024 * 1024;
  return {
    ...stream,
    async *blocks() {
      for (let at = 0; at < bytes.byteLength; at += piece) yield bytes.subarray(at, at + piece);
    },
  };
}
