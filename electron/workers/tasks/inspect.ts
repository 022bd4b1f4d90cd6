import { createHash } from 'node:crypto';
import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { Histogram, TensorPreview, TensorStats } from '../../../shared/model/tensorStats';
import { createPreviewAccumulator } from '../../tensors/previewAccumulator';
import { createValueReader } from '../../tensors/statisticsValues';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { measureStream } from './measureStream';
import type { TaskContext } from './task';

const HISTOGRAM = { bins: 64, range: null, scale: 'linear' } as const;

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

/** Statistics, histogram, preview and digest of one tensor; of a large one in one pass, where its type allows it (measureStream.ts). */
export async function inspect({ plan }: InspectInput, context: TaskContext): Promise<InspectOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    const preview = createPreviewAccumulator(stream.shape);
    const hash = createHash('sha256');
    const readValues = createValueReader(stream.dtype);
    const visit = (block: Uint8Array) => {
      hash.update(block);
      readValues(block, preview.add);
    };
    const { stats, histogram } = await measureStream(stream, { histogram: HISTOGRAM, quantiles: [] }, { context, visit });
    return { dtype: stream.dtype, shape: stream.shape, stats, histogram, preview: preview.finish(), sha256: hash.digest('hex') };
  } finally {
    await stream.close();
  }
}
