import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { formatShape, sameShape } from '../../../shared/model/shape';
import { decodeToFloat64 } from '../../tensors/decode';
import { encodeDoubles } from '../../tensors/kernels/encodeDoubles';
import type { TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../openTensor';
import type { TensorPlan } from '../updateChain';
import { blocksInStep } from './blocksInStep';
import { Pace, type WorkContext } from './pace';
import { storeDense } from './storeDense';
import type { StoredGroup, StoreRequest } from './storeRequest';

export interface AverageInput {
  readonly plan: TensorPlan;
  /** Finite. What weighs nothing is left out: not even its NaN and infinities count. */
  readonly weight: number;
}

export interface AverageRequest extends Pick<StoreRequest, 'group' | 'facts' | 'objects'> {
  /** At least one that weighs something. All of one floating-point or complex type and one shape. */
  readonly inputs: readonly AverageInput[];
}

/**
 * Stores the sum of weighted values as a full copy: products are summed in float64 in the order of the inputs, and rounded once to the
 * group's own type. The weights are taken as they are; they need not add up to 1.
 * @throws CheckpointError invalid-request for types that have no average, and inputs that differ in type or shape; what reading throws;
 * no-space, permission, cancelled
 */
export async function averageGroup(request: AverageRequest, context: WorkContext): Promise<StoredGroup> {
  const { group } = request;
  const inputs = request.inputs.filter(({ weight }) => weight !== 0);
  if (inputs.length === 0 || !inputs.every(({ weight }) => Number.isFinite(weight))) {
    throw new CheckpointError('invalid-request', 'An average needs values with finite weights.', { place: { group } });
  }
  const opened: TensorStream[] = [];
  try {
    for (const { plan } of inputs) opened.push(await openTensor(plan, context.signal));
    const { dtype, shape } = sameHeader(opened, group);
    const weights = inputs.map(({ weight }) => weight);
    const value: TensorStream = {
      dtype,
      shape,
      blocks: (signal) => weightedSum(opened, weights, signal),
      close: async () => {},
    };
    return await storeDense(value, request, { pace: new Pace(context), facts: null, notes: [] });
  } finally {
    for (const stream of opened) await stream.close();
  }
}

function sameHeader(streams: readonly TensorStream[], group: string): Pick<TensorStream, 'dtype' | 'shape'> {
  const [first, ...others] = streams;
  if (first === undefined) throw new RangeError('An average of nothing');
  const other = others.find(({ dtype, shape }) => dtype !== first.dtype || !sameShape(shape, first.shape));
  if (other !== undefined) {
    const names = [first, other].map(({ dtype, shape }) => `${dtype} ${formatShape(shape)}`);
    throw new CheckpointError('invalid-request', `${group} has no average of ${names.join(' and ')}: it needs a side.`, { place: { group } });
  }
  const kind = dtypeKind(first.dtype);
  if (kind !== 'float' && kind !== 'complex') {
    throw new CheckpointError('invalid-request', `${group} is ${first.dtype}, which has no average: it needs a side.`, { place: { group } });
  }
  return first;
}

async function* weightedSum(streams: readonly TensorStream[], weights: readonly number[], signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const dtype = partType(streams[0]?.dtype ?? 'float64');
  for await (const { parts } of blocksInStep(streams.map((stream) => stream.blocks(signal)))) {
    const count = (parts[0]?.byteLength ?? 0) / dtypeBytes(dtype);
    const sum = new Float64Array(count);
    const values = new Float64Array(count);
    for (const [i, part] of parts.entries()) {
      const weight = weights[i] ?? 0;
      decodeToFloat64(dtype, part, values);
      // The first is not added to zero, so that -0.0 stays.
      if (i === 0) for (let at = 0; at < count; at++) sum[at] = weight * (values[at] ?? 0);
      else for (let at = 0; at < count; at++) sum[at] = (sum[at] ?? 0) + weight * (values[at] ?? 0);
    }
    yield encodeDoubles(dtype, sum);
  }
}

/** Complex numbers are averaged part by part. */
function partType(dtype: DType): DType {
  const parts: { readonly [D in DType]?: DType } = { complex32: 'float16', complex64: 'float32', complex128: 'float64' };
  return parts[dtype] ?? dtype;
}
