import { elementCount, sameShape } from '../../../shared/model/shape';
import { decodeToFloat64 } from '../../tensors/decode';
import type { LoadedTensor } from './contentMatches';

/** PyTorch's default; a model may have another, which shows in the scale alone. */
const EPSILON = 1e-5;
/** Folding is done in float32 by the exporter: what is left over is rounding. */
const TOLERANCE = 2e-4;

/** BatchNormalization's parameters, one for each channel. */
export interface BatchNorm {
  readonly weight: Float64Array;
  readonly bias: Float64Array;
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

export function valuesOf({ dtype, shape, bytes }: LoadedTensor): Float64Array {
  const values = new Float64Array(elementCount(shape));
  decodeToFloat64(dtype, bytes, values);
  return values;
}

/**
 * Factor of each output channel (the first axis) by which `folded` is `plain`; `null` when it is not that. Exporters fold a
 * BatchNormalization into the convolution before it: W' = W · γ / √(σ² + ε) (Ioffe and Szegedy 2015, section 3.1, applied at inference).
 */
export function channelScales(plain: LoadedTensor, folded: LoadedTensor): Float64Array | null {
  if (!sameShape(plain.shape, folded.shape) || plain.shape.length < 2) return null;
  const channels = plain.shape[0] ?? 0;
  const a = valuesOf(plain);
  const b = valuesOf(folded);
  if (channels === 0 || a.length === 0) return null;
  const per = a.length / channels;
  const scales = new Float64Array(channels);
  for (let channel = 0; channel < channels; channel++) {
    let product = 0;
    let square = 0;
    let target = 0;
    for (let i = channel * per; i < (channel + 1) * per; i++) {
      product += (a[i] ?? 0) * (b[i] ?? 0);
      square += (a[i] ?? 0) ** 2;
      target += (b[i] ?? 0) ** 2;
    }
    const scale = square === 0 ? 0 : product / square;
    // What scaling leaves over: |b - s a|² = |b|² - s² |a|².
    let rest = 0;
    for (let i = channel * per; i < (channel + 1) * per; i++) rest += ((b[i] ?? 0) - scale * (a[i] ?? 0)) ** 2;
    if (!(rest <= TOLERANCE ** 2 * Math.max(target, Number.MIN_VALUE))) return null;
    scales[channel] = scale;
  }
  return scales;
}

/** Whether the factors are those of a BatchNormalization. */
export function isFoldedScale(scales: Float64Array, { weight, variance }: BatchNorm): boolean {
  return scales.every((scale, i) => isNear(scale, (weight[i] ?? 0) / Math.sqrt((variance[i] ?? 0) + EPSILON)));
}

/** Whether a bias is what folding makes of one: b' = (b - μ) · γ / √(σ² + ε) + β. `before` null: the convolution had none. */
export function isFoldedBias(folded: Float64Array, before: Float64Array | null, { weight, bias, mean, variance }: BatchNorm): boolean {
  if (folded.length !== weight.length) return false;
  return folded.every((value, i) => {
    const scale = (weight[i] ?? 0) / Math.sqrt((variance[i] ?? 0) + EPSILON);
    return isNear(value, ((before?.[i] ?? 0) - (mean[i] ?? 0)) * scale + (bias[i] ?? 0));
  });
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b), 1e-3);
}
